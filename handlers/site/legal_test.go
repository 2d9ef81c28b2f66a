package site_test

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/document"
)

func TestAStoredDocumentReplacesTheBuiltInOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.Visit(t, "/terms").Has("Terms")
	guide := app.Get(t, "/guide.pdf")
	texts := document.New(app.Pool)
	for _, id := range []string{"terms", "privacy", "guide"} {
		text := "# Stored " + id + "\n\nWhat holds.\n\n## Only part\n\n- <b>one</b>\n- two"
		if _, err := texts.Save(t.Context(), id, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	app.Visit(t, "/terms").Has("Stored terms", "What holds.", "1. Only part", "<b>one</b>")
	app.Visit(t, "/privacy").Has("Stored privacy")
	stored := app.Get(t, "/guide.pdf")
	if stored.Status != http.StatusOK || !strings.HasPrefix(stored.Body, "%PDF-") || stored.Header.Get("ETag") == guide.Header.Get("ETag") {
		t.Errorf("the guide: %d, ETag %s; want 200 and another ETag", stored.Status, stored.Header.Get("ETag"))
	}
	if err := texts.Remove(t.Context(), "guide"); err != nil {
		t.Fatal(err)
	}
	if again := app.Get(t, "/guide.pdf"); again.Header.Get("ETag") != guide.Header.Get("ETag") {
		t.Error("after the removal the guide is not the built-in one")
	}
}

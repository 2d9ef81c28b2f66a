package site_test

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
)

func TestAStoredDocumentReplacesTheBuiltInOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.Visit(t, "/terms").Has("Terms")
	guide := app.Get(t, "/guide.pdf")
	texts := legal.NewDocuments(app.Pool)
	for _, id := range []string{"terms", "privacy", "guide"} {
		text := "# Stored " + id + "\n\nWhat holds.\n\n## Only part\n\n- <b>one</b>\n- two"
		_, err := texts.Save(t.Context(), id, strings.NewReader(text))
		check.Must(t, err)
	}
	app.Visit(t, "/terms").Has("Stored terms", "What holds.", "1. Only part", "<b>one</b>")
	app.Visit(t, "/privacy").Has("Stored privacy")
	stored := app.Get(t, "/guide.pdf")
	if stored.Status != http.StatusOK || !strings.HasPrefix(stored.Body, "%PDF-") || stored.Header.Get("ETag") == guide.Header.Get("ETag") {
		t.Errorf("the guide: %d, ETag %s; want 200 and another ETag", stored.Status, stored.Header.Get("ETag"))
	}
	check.Must(t, texts.Remove(t.Context(), "guide"))
	check.Equal(t, app.Get(t, "/guide.pdf").Header.Get("ETag"), guide.Header.Get("ETag"),
		"after the removal the guide is not the built-in one")
}

package demo_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestTheOutboxShowsAMailAsItWouldArrive(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.Visit(t, "/dev/outbox").Has("No emails yet")
	app.Post(t, "/reset", url.Values{"email": {demo.Email}})
	app.Mails(t, demo.Email, 1)
	v := app.Visit(t, "/dev/outbox").Has("Choose a new password", demo.Email).Follow("Choose a new password").
		Has("Message-ID", "no-reply@forecourt.test", "within 30 minutes")
	check.Contains(t, v.Header.Get("Content-Security-Policy"), "frame-src 'self'", "the page may not frame the letter")
	letter := app.Get(t, v.Path+"/html")
	if csp := letter.Header.Get("Content-Security-Policy"); letter.Status != http.StatusOK || !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "sandbox") {
		t.Errorf("the letter: %d %q", letter.Status, csp)
	}
	for _, path := range []string{v.Path + "/file", "/dev/outbox/" + uuid.NewString(), "/dev/outbox/x", "/dev/outbox/%00/html"} {
		app.Get(t, path).Want(t, http.StatusNotFound, path)
	}
}

func TestTheOutboxServesTheFileOfAMail(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := uuid.New()
	err := db.New(app.Pool).MailAdd(t.Context(), db.MailAddParams{
		ID: id, Key: "k", Kind: "receipt", MessageID: "m", Sender: "a@b.co", Recipient: "pat@example.com", Bcc: "books@example.com",
		Subject: "Receipt", Plain: "Thank you", Html: "<p>Thank you</p>", FileName: "receipt.pdf", File: []byte("%PDF"), TestMode: true,
	})
	check.Must(t, err)
	dbtest.Exec(t, app.Pool, "UPDATE mail SET created_at = '2026-11-22T04:12:09Z'")
	const written = "22 November 2026, 3:12:09 pm AEDT"
	app.Visit(t, "/dev/outbox").Has("With receipt.pdf", "TEST MODE", written).Follow("Receipt").Has("books@example.com", "Thank you", written)
	got := app.Get(t, "/dev/outbox/"+id.String()+"/file")
	if got.Body != "%PDF" || got.Header.Get("Content-Disposition") != `attachment; filename="receipt.pdf"` {
		t.Errorf("%q %v", got.Body, got.Header)
	}
}

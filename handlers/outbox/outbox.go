// Package outbox shows the mails of a program that has no mail server, as they would arrive.
package outbox

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/fault"
	view "forecourt/views/outbox"
)

// shown is how many mails the list holds.
const shown = 200

// Handler serves the outbox.
type Handler struct{ queries *db.Queries }

// New reads through queries.
func New(queries *db.Queries) *Handler { return &Handler{queries} }

// ListMails answers GET /dev/outbox.
func (h *Handler) ListMails(w http.ResponseWriter, r *http.Request) error {
	rows, err := h.queries.MailList(r.Context(), shown)
	if err != nil {
		return err
	}
	m := view.List{}
	for _, row := range rows {
		m.Mails = append(m.Mails, view.Entry{
			URL: "/dev/outbox/" + row.ID.String(), To: row.Recipient, Subject: row.Subject, At: row.CreatedAt, Test: row.TestMode,
			File: row.FileName, Sent: row.SentAt != nil, Problem: row.Problem,
		})
	}
	return web.Render(w, r, http.StatusOK, view.ListPage(m))
}

// ShowMail answers GET /dev/outbox/{id}.
func (h *Handler) ShowMail(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	self := "/dev/outbox/" + row.ID.String()
	web.Allow(w, "frame-src", "'self'")
	return web.Render(w, r, http.StatusOK, view.MailPage(view.Mail{
		From: row.Sender, To: row.Recipient, Bcc: row.Bcc, Subject: row.Subject, At: row.CreatedAt, MessageID: row.MessageID,
		Plain: row.Plain, HTMLURL: self + "/html", File: row.FileName, FileURL: self + "/file",
	}))
}

// ShowHTML answers GET /dev/outbox/{id}/html: the letter alone, which may style itself but do nothing.
func (h *Handler) ShowHTML(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox")
	w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(row.Html)) // a reader that is gone is nobody's error
	return nil
}

// SendFile answers GET /dev/outbox/{id}/file.
func (h *Handler) SendFile(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	if row.File == nil {
		return fault.New(fault.NotFound, "the mail has no file")
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+row.FileName+`"`)
	_, _ = w.Write(row.File)
	return nil
}

func (h *Handler) find(r *http.Request) (db.Mail, error) {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return db.Mail{}, fault.New(fault.NotFound, "no such mail")
	}
	row, err := h.queries.MailGet(r.Context(), id)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, fault.New(fault.NotFound, "no such mail")
	}
	return row, err
}

package demo

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/views/demo"
)

// listed is how many mails the list holds.
const listed = 200

// Outbox serves the outbox, /dev/outbox.
type Outbox struct{ Queries *db.Queries }

// ListMails shows the latest mails.
func (h *Outbox) ListMails(w http.ResponseWriter, r *http.Request) error {
	mails, err := h.Queries.MailList(r.Context(), listed)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, demo.OutboxPage(mails))
}

// ShowMail shows a mail.
func (h *Outbox) ShowMail(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	web.Allow(w, "frame-src", "'self'")
	return web.Render(w, r, http.StatusOK, demo.MailPage(row))
}

// ShowHTML answers GET /dev/outbox/{id}/html with the letter alone, which may use styles but run nothing.
func (h *Outbox) ShowHTML(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	w.Header().Set(
		"Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox "+
			"allow-popups allow-popups-to-escape-sandbox",
	)
	w.Header().Set("X-Frame-Options", "SAMEORIGIN")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(row.Html)) // it fails only if the reader has gone
	return nil
}

// SendFile answers GET /dev/outbox/{id}/file.
func (h *Outbox) SendFile(w http.ResponseWriter, r *http.Request) error {
	row, err := h.find(r)
	if err != nil {
		return err
	}
	if row.File == nil {
		return fault.New(fault.NotFound, "the email has no file")
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+row.FileName+`"`)
	_, _ = w.Write(row.File)
	return nil
}

func (h *Outbox) find(r *http.Request) (db.Mail, error) {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return db.Mail{}, fault.New(fault.NotFound, "no such email")
	}
	row, err := h.Queries.MailGet(r.Context(), id)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, fault.New(fault.NotFound, "no such email")
	}
	return row, err
}

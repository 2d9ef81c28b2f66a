// Package compliance serves the page on which merchants sign the direct debit agreement and show who they are.
package compliance

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/shop/shop"
)

// Handler serves /compliance/{id}, the same as JSON, and the pictures that staff look at.
type Handler struct {
	records  *compliance.Records
	sessions *session.Sessions
	proxies  web.Proxies
	uploads  *web.Uploads
}

// New returns a Handler for the people whom sessions signs in.
func New(records *compliance.Records, sessions *session.Sessions, proxies web.Proxies, uploads *web.Uploads) *Handler {
	return &Handler{records, sessions, proxies, uploads}
}

// visit is a record opened by one of its admins.
type visit struct {
	owner shop.Person
	*compliance.Record
}

// open reads the record of an address for the person who is signed in.
func (h *Handler) open(r *http.Request) (visit, error) {
	v := visit{owner: session.Who(r)}
	var err error
	v.Record, err = h.records.Open(r.Context(), v.owner, chi.URLParam(r, "id"))
	return v, err
}

// Number parses a person's number. It returns 0, which no person has, for any other text.
func Number(text string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// SendAgreement answers GET /compliance/{id}/agreement.pdf with the signed copy.
func (h *Handler) SendAgreement(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	return h.sendAgreement(w, v.Record)
}

// SendReviewAgreement answers GET /staff/compliance/{id}/agreement.pdf.
func (h *Handler) SendReviewAgreement(w http.ResponseWriter, r *http.Request) error {
	record, err := h.records.Look(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	return h.sendAgreement(w, record)
}

func (h *Handler) sendAgreement(w http.ResponseWriter, record *compliance.Record) error {
	if record.Signature == nil {
		return compliance.ErrMissing
	}
	file, err := h.records.Copy(record.Signature)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `attachment; filename="agreements.pdf"`)
	_, _ = w.Write(file) // it fails only if the reader has gone
	return nil
}

// SendPicture answers GET /compliance/{id}/{number}/{side}.
func (h *Handler) SendPicture(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	file, err := h.records.Picture(r.Context(), v.owner, v.ID, Number(chi.URLParam(r, "number")), compliance.Side(chi.URLParam(r, "side")))
	if err != nil {
		return err
	}
	return writePicture(w, file)
}

// SendReviewPicture answers GET /staff/compliance/{id}/{number}/{side} and records the look.
func (h *Handler) SendReviewPicture(w http.ResponseWriter, r *http.Request) error {
	staff, _ := session.Signed(r)
	side := compliance.Side(chi.URLParam(r, "side"))
	file, err := h.records.ReviewPicture(r.Context(), staff.Email, chi.URLParam(r, "id"), Number(chi.URLParam(r, "number")), side)
	if err != nil {
		return err
	}
	return writePicture(w, file)
}

// writePicture answers with a JPEG in which nothing can run.
func writePicture(w http.ResponseWriter, file []byte) error {
	header := w.Header()
	header.Set("Content-Type", "image/jpeg")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Content-Disposition", `inline; filename="licence.jpg"`)
	_, _ = w.Write(file) // it fails only if the reader has gone
	return nil
}

package desk

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowDisputes answers GET /desk/{client}/disputes?before=CURSOR&mode=test: the open disputes, and those that have ended.
func (h *Handler) ShowDisputes(w http.ResponseWriter, r *http.Request) error {
	one, test, f := session.MemberOf(r).Shop, testPage(r), Frame(r, "Disputes")
	ended, next, err := h.Books.EndedDisputes(r.Context(), one, test, r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	p := pages(r, f.In("disputes", test), "before", next)
	var open []books.Dispute
	more := false
	if !p.Further {
		if open, more, err = h.Books.OpenDisputes(r.Context(), one, test); err != nil {
			return err
		}
	}
	return web.Render(w, r, http.StatusOK, view.DisputesPage(f, test, open, more, ended, p))
}

// ShowDispute answers GET /desk/{client}/disputes/{id} with the facts of a dispute and what to do now.
func (h *Handler) ShowDispute(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return books.ErrNoDispute
	}
	d, refunds, err := h.Books.Dispute(r.Context(), session.MemberOf(r).Shop, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.DisputePage(Frame(r, "Dispute"), d, refunds))
}

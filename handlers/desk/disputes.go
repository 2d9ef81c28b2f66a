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

// ShowDisputes answers GET /desk/{client}/disputes?before=CURSOR: the open disputes, and those that have ended.
func (h *Handler) ShowDisputes(w http.ResponseWriter, r *http.Request) error {
	one, from := session.MemberOf(r).Shop, books.ReadCursor(r.URL.Query().Get("before"))
	m := view.Disputes{Frame: frame(r, "Disputes"), Pages: view.Pages{First: address(r, "disputes"), Further: !from.At.IsZero()}}
	var more bool
	var err error
	if !m.Pages.Further {
		if m.Open, m.MoreOpen, err = h.Books.OpenDisputes(r.Context(), one); err != nil {
			return err
		}
	}
	if m.Ended, more, err = h.Books.EndedDisputes(r.Context(), one, from); err != nil {
		return err
	}
	if more {
		last := m.Ended[len(m.Ended)-1]
		m.Pages.Next = m.Pages.First + "?before=" + books.Cursor{At: last.Ended, ID: last.ID.String()}.String()
	}
	return web.Render(w, r, http.StatusOK, view.DisputesPage(m))
}

// ShowDispute answers GET /desk/{client}/disputes/{id} with the facts of a dispute and what to do now.
func (h *Handler) ShowDispute(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(chi.URLParam(r, "id"))
	if err != nil {
		return books.ErrNoDispute
	}
	d, err := h.Books.Dispute(r.Context(), session.MemberOf(r).Shop, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.DisputePage(view.Dispute{Frame: frame(r, "Dispute"), Dispute: d}))
}

package desk

import (
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/books"
	view "forecourt/views/desk"
)

// ShowExport answers GET /desk/{client}/exports/{id}: the progress of a long table, and where to download it.
func (h *Handler) ShowExport(w http.ResponseWriter, r *http.Request) error {
	e, err := h.export(r)
	if err != nil {
		return err
	}
	m := view.Export{Frame: frame(r, view.KindName(e.Kind)), Export: e}
	return web.Render(w, r, http.StatusOK, view.ExportPage(m), view.ExportFragment)
}

// SendExport answers GET /desk/{client}/exports/{id}/file with a finished long table.
func (h *Handler) SendExport(w http.ResponseWriter, r *http.Request) error {
	e, err := h.export(r)
	if err != nil {
		return err
	}
	if !e.Done {
		return books.ErrNoBook
	}
	return web.SendParts(w, tableType, tableName(e.Kind, e.Span), e.Bytes, func(out io.Writer) error {
		return h.Books.WriteFile(r.Context(), e, out)
	})
}

// export returns the long table that an address names.
func (h *Handler) export(r *http.Request) (books.Export, error) {
	return h.Books.Export(r.Context(), session.MemberOf(r).Shop, chi.URLParam(r, "id"))
}

// Package docs serves the guides and technical documents at /docs. They are Markdown files in pages.
package docs

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/demo"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/push"
	view "forecourt/views/docs"
	"forecourt/views/layout"
)

// Handler serves the documents.
type Handler struct{ pages map[string]view.Page }

// New reads the documents. Their samples use public as the site's address and hosted as the payment page. messages may be nil.
func New(public *url.URL, hosted demo.Hosted, messages *push.Push) *Handler {
	return &Handler{readPages(public, hosted, messages)}
}

// Show answers GET /docs and GET /docs/{page}.
func (h *Handler) Show(w http.ResponseWriter, r *http.Request) error {
	page, ok := h.pages[chi.URLParam(r, "page")]
	if !ok {
		return fault.New(fault.NotFound, "no such document")
	}
	page.HTML = layout.Of(r.Context()).Unlinked(page.HTML)
	return web.Render(w, r, http.StatusOK, view.DocumentPage(page))
}

package demo

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/push"
	view "forecourt/views/demo"
	"forecourt/views/layout"
)

// Docs serves the guides and technical documents at /docs, Markdown files in pages.
type Docs struct{ pages map[string]view.Document }

// NewDocs reads the documents. Their samples use public as the site's address and hosted as the payment page. messages may be nil.
func NewDocs(public *url.URL, hosted Hosted, messages *push.Push) *Docs {
	return &Docs{readPages(public, hosted, messages)}
}

// Show answers GET /docs and GET /docs/{page}.
func (h *Docs) Show(w http.ResponseWriter, r *http.Request) error {
	page, ok := h.pages[chi.URLParam(r, "page")]
	if !ok {
		return fault.New(fault.NotFound, "no such document")
	}
	page.HTML = layout.Of(r.Context()).Unlinked(page.HTML)
	return web.Render(w, r, http.StatusOK, view.DocumentPage(page))
}

// Package site serves the provider's own pages and the health checks, and gives every page its frame.
package site

import (
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/document"
	"forecourt/internal/fault"
	"forecourt/internal/nav"
	"forecourt/internal/provider"
	view "forecourt/views/site"
)

// Handler serves the start page, the provider's documents and the health checks.
type Handler struct {
	pool     *pgxpool.Pool
	nav      *nav.Documents
	provider provider.Provider
	texts    *document.Documents
	guides   guides
	log      *slog.Logger
}

// New reads through pool and navigation, and speaks for p.
func New(pool *pgxpool.Pool, navigation *nav.Documents, p provider.Provider, log *slog.Logger) *Handler {
	return &Handler{pool: pool, nav: navigation, provider: p, texts: document.New(pool), log: log}
}

// Routes mounts the pages on a router. Unknown addresses show the landing page with status 404.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	show := s.Page(h.landing(http.StatusOK))
	r.Get("/", show)
	r.Get("/{page}", show) // one unknown segment is the same screen; a literal route wins over it
	h.serveDocument(r, provider.PrivacyPath, h.provider.PrivacyURL, s.Page(h.showPrivacy))
	h.serveDocument(r, provider.TermsPath, h.provider.TermsURL, s.Page(h.showTerms))
	h.serveDocument(r, provider.GuidePath, h.provider.GuideURL, s.Page(h.sendGuide))
	r.Get("/search", s.Page(showSearch))
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	r.Get("/readyz", s.API(h.ready))
	r.NotFound(s.Page(h.landing(http.StatusNotFound)))
	r.MethodNotAllowed(s.Page(func(w http.ResponseWriter, r *http.Request) error {
		web.TellMethods(w, r)
		return web.Render(w, r, http.StatusMethodNotAllowed, view.ErrorPage(view.FailureFor(http.StatusMethodNotAllowed, "")))
	}))
}

// serveDocument shows one of the provider's documents, or leads to where the provider keeps its own.
func (h *Handler) serveDocument(r chi.Router, path, kept string, show http.HandlerFunc) {
	if kept != path {
		show = http.RedirectHandler(kept, http.StatusFound).ServeHTTP
	}
	r.Get(path, show)
}

// ready answers GET /readyz: 200 once the database answers and is up to date.
func (h *Handler) ready(w http.ResponseWriter, r *http.Request) error {
	current, err := db.Current(r.Context(), h.pool)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "database")
	}
	if !current {
		return fault.New(fault.Unavailable, "migrations have not run")
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

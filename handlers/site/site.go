// Package site serves the provider's own pages and the health checks.
package site

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/frame"
	"forecourt/internal/fault"
	"forecourt/internal/web"
	"forecourt/views/layout"
	view "forecourt/views/site"
)

// Handler serves the landing page and the health checks.
type Handler struct {
	pool *pgxpool.Pool
}

// New reads through pool.
func New(pool *pgxpool.Pool) *Handler { return &Handler{pool: pool} }

// Routes mounts the pages on a router. Unknown addresses show the landing page with status 404.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	show := s.Page(h.landing(http.StatusOK))
	r.Get("/", show)
	r.Get("/{page}", show) // one unknown segment is the same screen; a literal route wins over it
	r.Get("/privacy", s.Page(showPrivacy))
	r.Get("/terms", s.Page(showTerms))
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	r.Get("/readyz", s.API(h.ready))
	r.NotFound(s.Page(h.landing(http.StatusNotFound)))
	r.MethodNotAllowed(s.Page(func(w http.ResponseWriter, r *http.Request) error {
		web.TellMethods(w, r)
		return web.Render(w, r, http.StatusMethodNotAllowed, view.ErrorPage(view.FailureFor(http.StatusMethodNotAllowed, "")))
	}))
}

// landing leads to the demo businesses.
func (h *Handler) landing(status int) web.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		clients, err := db.New(h.pool).ClientList(r.Context())
		if err != nil {
			return err
		}
		m := view.Landing{Frame: layout.Site{Year: layout.Year, Description: view.Promise}}
		for _, client := range clients {
			m.Shops = append(m.Shops, view.Shop{
				Name: client.Name, Tagline: client.Tagline, URL: "/pos/" + client.Code, Logo: frame.Picture(client.Logo, 56),
			})
		}
		if len(clients) > 0 {
			m.PayDemo = "/pos/" + clients[0].Code + "/demo"
		}
		return web.Render(w, r, status, view.LandingPage(m))
	}
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

// showPrivacy answers GET /privacy.
func showPrivacy(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LegalPage(view.Privacy()))
}

// showTerms answers GET /terms.
func showTerms(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LegalPage(view.Terms()))
}

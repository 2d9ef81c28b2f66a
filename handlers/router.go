package handlers

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"forecourt/db"
	"forecourt/handlers/site"
	"forecourt/handlers/web"
	"forecourt/internal/fault"
)

// Site is the handler of every public address, with its map.
type Site struct {
	chi.Router
	Map []Route // what is served
}

// New returns the site.
func New(d Deps) *Site {
	s := web.NewResponder(d.Log)
	sessions := web.NewSessions(db.New(d.Pool), d.HTTPS, d.Proxies, d.Box, s)
	if d.Push != nil {
		sessions.Changed = d.Push.Sync
	}
	p := newPages(d, sessions)

	r := chi.NewRouter()
	if d.Observe != nil {
		r.Use(web.Observed(d.Observe))
	}
	if d.Stranger != nil {
		r.Use(d.Proxies.Strangers(d.Stranger, func(peer netip.Addr) {
			d.Log.Warn("X-Forwarded-For of a peer that TRUSTED_PROXIES does not list: everybody behind it counts as one address", "peer", peer)
		}))
	}
	if d.Trace != nil {
		r.Use(web.Traced(d.Trace))
	}
	r.Use(middleware.GetHead, s.Logged, web.Headers(d.HTTPS), p.site.Dress, s.SameOrigin)
	// Unknown addresses show the landing page with status 404.
	r.With(sessions.Load).NotFound(s.Page(p.site.Landing(http.StatusNotFound)))
	r.With(sessions.Load).MethodNotAllowed(s.Page(site.RefuseMethod))
	api := chi.NewRouter()
	api.NotFound(s.API(func(http.ResponseWriter, *http.Request) error { return fault.New(fault.NotFound, "no such call") }))
	api.MethodNotAllowed(web.TellMethodsJSON)

	built := &Site{Router: r}
	for _, g := range p.routes(s) {
		for _, route := range g.routes {
			if route.Handler == nil || route.Who == InDemo && !d.Outbox {
				continue
			}
			built.Map = append(built.Map, route)
			target, path := chi.Router(r), route.Path
			if below, ok := strings.CutPrefix(path, "/api/"); ok {
				target, path = api, "/"+below
			}
			target = target.With(g.guards(route, sessions)...)
			if route.Method == "" {
				target.Handle(path, route.Handler)
			} else {
				target.Method(route.Method, path, route.Handler)
			}
		}
	}
	r.Mount("/api", api)
	return built
}

// guards stand in front of a route, the first of them outermost.
func (g group) guards(route Route, sessions *web.Sessions) []func(http.Handler) http.Handler {
	var guards []func(http.Handler) http.Handler
	if route.Body != free {
		guards = append(guards, web.Limited(route.Body))
	}
	if route.Cache != byHandler {
		guards = append(guards, web.Cached(route.Cache))
	}
	if g.session {
		guards = append(guards, sessions.Load)
	}
	if g.first != nil {
		guards = append(guards, g.first)
	}
	switch route.Who {
	case Guest, Own, Record, Admin:
		guards = append(guards, sessions.Require)
	case Staff:
		guards = append(guards, sessions.RequireStaff)
	}
	return guards
}

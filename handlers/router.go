package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/run/throttle"
)

// These limit how many requests are answered at once, in all and from one network. If the gateway answers within a second, as usual, a
// network can make 200 payments a second. The first few of each network, and of each account that signed in before, count apart.
const (
	mostRequests      = 4_000
	eachRequests      = 200
	mostFirstRequests = 16_000
	firstRequests     = 8
)

// Site handles every public address.
type Site struct {
	chi.Router
	Map []Route // what is served
}

// Config holds what the map of the site needs.
type Config struct {
	Pages
	Log        *slog.Logger
	Responder  *web.Responder
	Sessions   *session.Sessions
	Teams      *session.Teams
	Turns      *web.Turns  // in which answers are made that grow with a menu
	Proxies    web.Proxies // whose X-Forwarded-For is trusted
	HTTPS      bool        // whether the public address is https
	Subdomains bool        // whether all names below its host use it, too
	Origins    []string    // of the site; nil means that every name that leads here is ours
	Demo       bool        // serves the rows of InDemo
	// Observe, if not nil, is called for each answered request.
	Observe func(method, route string, status int, took time.Duration)
	// Stranger, if not nil, is called for each request whose X-Forwarded-For is not trusted.
	Stranger func()
	// Trace, if not nil, begins a span for each request.
	Trace func(ctx context.Context, method string) (_ context.Context, end func(route, request string, status int))
}

// New returns the site.
func New(c Config) *Site {
	s, sessions, p := c.Responder, c.Sessions, c.Pages
	r := chi.NewRouter()
	r.Use(web.Identified, s.Recovered, s.Watched(c.Observe, c.Trace))
	if c.Stranger != nil {
		r.Use(c.Proxies.Strangers(c.Stranger, func(ctx context.Context, peer netip.Addr) {
			c.Log.WarnContext(
				ctx, "X-Forwarded-For of a peer that TRUSTED_PROXIES does not list: everybody behind it counts as one address", "peer", peer,
			)
		}))
	}
	r.Use(s.Recovered) // here, too, so that metrics and traces count the 500
	r.Use(middleware.GetHead, web.Headers(c.HTTPS, c.Subdomains), web.Meant, p.Site.Dress)
	r.Use(
		s.FewAtOnce(web.Busy{
			First: throttle.NewPlaces(mostFirstRequests, firstRequests, 0), Places: throttle.NewPlaces(mostRequests, eachRequests, 0),
			Proxies: c.Proxies, HTTPS: c.HTTPS, Known: sessions.Browser,
		}),
		s.SameOrigin(c.Origins),
	)
	// Unknown addresses show the landing page with status 404.
	r.With(sessions.Load).NotFound(s.Unknown(p.Site.Landing(http.StatusNotFound)))
	r.With(sessions.Load).MethodNotAllowed(s.RefuseMethod)
	api := chi.NewRouter()
	api.NotFound(s.Unknown(nil))
	api.MethodNotAllowed(s.RefuseMethod)

	built := &Site{Router: r}
	for _, g := range p.routes(s) {
		for _, route := range g.routes {
			if route.Handler == nil || route.Who == InDemo && !c.Demo {
				continue
			}
			built.Map = append(built.Map, route)
			target, path := chi.Router(r), route.Path
			if below, ok := strings.CutPrefix(path, "/api/"); ok {
				target, path = api, "/"+below
			}
			handler := route.Handler
			if route.grows() {
				handler = c.Turns.InTurn(s, handler)
			}
			target = target.With(g.guards(route, sessions, c.Teams, p.Account.Resumed(s.Page))...)
			if route.Method == "" {
				target.Handle(path, handler)
			} else {
				target.Method(route.Method, path, handler)
			}
		}
	}
	r.Mount("/api", api)
	return built
}

// guard is a middleware in front of a route.
type guard = func(http.Handler) http.Handler

// guards returns the middlewares in front of a route, outermost first.
func (g group) guards(route Route, sessions *session.Sessions, teams *session.Teams, resumed guard) []guard {
	var guards []guard
	if route.Body != free {
		guards = append(guards, web.Limited(route.Body))
	}
	if route.Cache != byHandler {
		guards = append(guards, web.Cached(route.Cache))
	}
	if !route.listed() {
		guards = append(guards, middleware.SetHeader("X-Robots-Tag", "noindex"))
	}
	if g.session {
		guards = append(guards, sessions.Load)
	}
	if g.first != nil {
		guards = append(guards, g.first)
	}
	switch route.Who {
	case Anyone, Link, Holder, Self, InDemo, Nobody:
	default: // also for values of Who that are added later
		guards = append(guards, sessions.Secured)
	}
	switch route.Who {
	case Guest, Self: // nobody can guess a link
		guards = append(guards, sessions.Require)
	case Own, Record:
		guards = append(guards, sessions.Require, sessions.Traced)
	case Staff:
		guards = append(guards, sessions.RequireStaff)
	case Team, Takings, Crew, Kitchen, Editor, Hirer, Refunder, Closer, Bookkeeper, Owner:
		guards = append(guards, sessions.Traced, teams.Require(rights[route.Who], route.staff()))
	default:
		return guards
	}
	if route.Method == post {
		if route.Who != Self && route.Who != Kitchen { // what puts a thief out, and the orders of the day
			guards = append(guards, sessions.Bounded)
		}
		guards = append(guards, resumed)
	}
	return guards
}

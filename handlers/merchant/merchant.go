// Package merchant serves the steps that make a merchant, and its dashboard, at /merchant/admin.
package merchant

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/account"
	"forecourt/handlers/demo"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/shop/shop"
	accounts "forecourt/views/account"
	view "forecourt/views/merchant"
)

// Widths of the page inside a frame, in pixels: the default and the limits (ADMIN-03).
const (
	defaultWidth = 400
	leastWidth   = 200
	mostWidth    = 4000
)

// Handler serves the pages of merchants.
type Handler struct {
	merchants *merchant.Merchants
	shops     *shop.Shops
	golive    *golive.GoLive
	sessions  *session.Sessions
	accounts  *account.Handler
	public    *url.URL
	origins   []string
	hosted    demo.Hosted
	people    *form.People
}

// Config holds what the pages need.
type Config struct {
	Merchants *merchant.Merchants
	Shops     *shop.Shops
	GoLive    *golive.GoLive
	Sessions  *session.Sessions
	Accounts  *account.Handler // asks people to verify their addresses
	People    *form.People     // what they have told us before
	Public    *url.URL         // the site's address
	Origins   []string         // which may frame the dashboard and receive its key; if empty, only the site's own
	Hosted    demo.Hosted      // the payment page that takes these merchants, if it does
}

// New returns a Handler.
func New(c Config) *Handler {
	if len(c.Origins) == 0 {
		c.Origins = []string{c.Public.Scheme + "://" + c.Public.Host}
	}
	return &Handler{
		merchants: c.Merchants, shops: c.Shops, golive: c.GoLive, sessions: c.Sessions,
		accounts: c.Accounts, public: c.Public, origins: c.Origins, hosted: c.Hosted,
		people: c.People,
	}
}

// Framed lets only the embedding sites frame the page, in embed mode (ADMIN-02).
func (h *Handler) Framed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("e") {
			web.Allow(w, "frame-ancestors", h.origins...)
			w.Header().Del("X-Frame-Options") // that header cannot hold a list
			// The frame's own window has to reach the frame. It tells only its own origin anything.
			w.Header().Set("Cross-Origin-Opener-Policy", "unsafe-none")
		}
		next.ServeHTTP(w, r)
	})
}

// Show answers GET /merchant/admin with the visitor's next step.
func (h *Handler) Show(w http.ResponseWriter, r *http.Request) error {
	person, ok := session.Signed(r)
	if !ok {
		return h.showGate(w, r)
	}
	query := r.URL.Query()
	mine, err := h.merchants.Of(r.Context(), person.ID)
	if err != nil {
		return err
	}
	if len(mine) == 0 || query.Has("step") {
		return h.showStep(w, r, person, len(mine) > 0)
	}
	one := mine[0]
	if asked := query.Get("m"); asked != "" {
		i := slices.IndexFunc(mine, func(m merchant.Merchant) bool { return m.UUID.String() == asked })
		if i < 0 {
			return merchant.ErrMissing
		}
		one = mine[i]
	}
	return h.render(w, r, http.StatusOK, view.Dashboard{One: one, Mine: mine, Sent: query.Has("sent")})
}

// showGate asks a visitor to sign in. Inside a frame, that leads out of the frame to the page without its query; a window that the frame
// opens keeps the query.
func (h *Handler) showGate(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	_, create := query["r"]
	g := view.Gate{Frame: h.frame(r, "Sign in to build"), Create: create, Fields: accounts.SignInFields("")}
	g.Framed = g.Frame.Width > 0 && r.Header.Get("Sec-Fetch-Dest") != "document"
	if create {
		g.Frame.Title, g.Fields = "Create your account", accounts.SignUpFields("")
	}
	query.Del("r")
	g.To, g.Window = view.Path, view.Path+"?"+query.Encode()
	if !g.Framed && len(query) > 0 {
		g.To = g.Window
	}
	if !create {
		query.Set("r", "")
	}
	g.Other = view.Path
	if len(query) > 0 {
		g.Other += "?" + query.Encode()
	}
	return web.Render(w, r, http.StatusOK, view.GatePage(g))
}

// frame returns the frame of a page, as wide as the embedding site requests (ADMIN-02, ADMIN-03).
func (h *Handler) frame(r *http.Request, title string) view.Frame {
	f := view.Frame{Title: title, Origins: strings.Join(h.origins, " ")}
	if r.URL.Query().Has("e") {
		f.Width = width(r)
	}
	return f
}

func width(r *http.Request) int {
	n, err := strconv.Atoi(r.URL.Query().Get("e"))
	if err != nil {
		return defaultWidth
	}
	return min(max(n, leastWidth), mostWidth)
}

// ShowWidth answers GET /merchant/admin/width.css with the styles of a framed page: its width, and no header or footer.
func ShowWidth(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write([]byte("body{min-block-size:0}header.top,body>footer{display:none}main.page{inline-size:auto;max-inline-size:" +
		strconv.Itoa(width(r)) + "px;padding:1rem}\n")) // it fails only if the reader has gone
	return nil
}

// named returns the id of the merchant in the address.
func named(r *http.Request) (uuid.UUID, error) {
	id, err := uuid.Parse(chi.URLParam(r, "uuid"))
	return id, fault.Wrap(fault.NotFound, err, "no uuid")
}

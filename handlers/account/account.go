// Package account serves signing up, in and out, and the pages about an account.
package account

import (
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/account"
)

// formLimit is the largest form these pages take, in bytes.
const formLimit = 16 << 10

// Handler serves the pages of accounts.
type Handler struct {
	accounts *account.Accounts
	sessions *web.Sessions
	proxies  web.Proxies
	outbox   bool // mails are shown at /dev/outbox
}

// New signs people in with sessions. outbox says whether mails are shown at /dev/outbox.
func New(accounts *account.Accounts, sessions *web.Sessions, proxies web.Proxies, outbox bool) *Handler {
	return &Handler{accounts: accounts, sessions: sessions, proxies: proxies, outbox: outbox}
}

// Routes mounts the pages on a router that has loaded the session.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	r.Get("/signin", s.Page(showSignIn))
	r.Post("/signin", s.Page(h.signIn))
	r.Get("/signup", s.Page(showSignUp))
	r.Post("/signup", s.Page(h.signUp))
	r.Post("/signout", s.Page(h.signOut))
	r.Get("/reset", s.Page(h.showReset))
	r.Post("/reset", s.Page(h.askReset))
	r.Get("/reset/{token}", s.Page(h.showNewPassword))
	r.Post("/reset/{token}", s.Page(h.setNewPassword))
	r.Group(func(r chi.Router) {
		r.Use(h.sessions.Require)
		r.Get("/account", s.Page(h.showAccount))
		r.Post("/account", s.Page(h.changeAccount))
	})
}

// local is an address of this site, "/" in place of any other.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}

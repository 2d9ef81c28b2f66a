// Package account serves signing up, in and out, and the pages about an account.
package account

import (
	"net/url"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/privacy"
)

// Handler serves the pages of accounts.
type Handler struct{ Config }

// Config holds what the pages need.
type Config struct {
	Accounts  *account.Accounts
	Privacy   *privacy.Privacy
	Shops     *shop.Shops
	Merchants *merchant.Merchants
	Forms     *form.Forms
	Sessions  *session.Sessions // sign people in
	Proxies   web.Proxies
	People    *form.People // what they have told us before
	Outbox    bool         // mails are shown at /dev/outbox
}

// New returns a Handler.
func New(c Config) *Handler { return &Handler{c} }

// local returns an address of this site unchanged, and "/" for any other.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}

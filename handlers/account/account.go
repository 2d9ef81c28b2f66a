// Package account serves signing up, in and out, and the pages about an account.
package account

import (
	"net/url"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/known"
	"forecourt/internal/privacy"
	"forecourt/internal/shop/shopstore"
)

// Handler serves the pages of accounts.
type Handler struct {
	accounts *account.Accounts
	privacy  *privacy.Privacy
	shops    *shopstore.Shops
	team     *shopstore.Team
	sessions *web.Sessions
	proxies  web.Proxies
	people   *known.People
	outbox   bool // mails are shown at /dev/outbox
}

// New returns a Handler that signs people in with sessions. people knows what they have told us before; outbox says whether mails are shown
// at /dev/outbox.
func New(accounts *account.Accounts, data *privacy.Privacy, shops *shopstore.Shops, team *shopstore.Team, sessions *web.Sessions, people *known.People, proxies web.Proxies, outbox bool) *Handler {
	return &Handler{accounts: accounts, privacy: data, shops: shops, team: team, sessions: sessions, people: people, proxies: proxies, outbox: outbox}
}

// local returns an address of this site unchanged, and "/" for any other.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}

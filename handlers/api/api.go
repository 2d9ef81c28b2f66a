// Package api serves the JSON calls.
package api

import (
	"cmp"
	"net/url"
	"time"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/paylink"
)

// Handler serves /api/*.
type Handler struct {
	Config
	own      session.OwnOrders
	trial    session.Preview
	sessions throttle.Limit
}

// MostWalletSessions is how many Apple Pay sessions one network gets from a business in an hour, unless a setting says otherwise.
const MostWalletSessions = 120

// Config holds what the calls need.
type Config struct {
	Queries   *db.Queries
	Menus     *order.Menus
	Orders    *order.Orders
	Payments  *payment.Payments
	Apple     *gateway.AppleSessions
	Proxies   web.Proxies
	Uploads   *web.Uploads      // of which large batches are
	Sessions  *session.Sessions // notes wrong tokens
	Batches   *paylink.Links
	Invites   *invite.Invites // whose tokens may send batches
	Merchants *merchant.Merchants
	Limits    *throttle.Throttle
	// WalletSessions is how many Apple Pay sessions one network gets from a business in an hour; 0 means MostWalletSessions.
	WalletSessions int
	Payers         session.Payers
	Public         *url.URL // address of the site, which begins the links of a batch
}

// New serves the API.
func New(c Config) *Handler {
	https := c.Public != nil && c.Public.Scheme == "https"
	return &Handler{
		Config: c, own: session.OwnOrders{HTTPS: https}, trial: session.Preview{HTTPS: https},
		sessions: throttle.Limit{Subject: "wallet session", Most: cmp.Or(c.WalletSessions, MostWalletSessions), Window: time.Hour},
	}
}

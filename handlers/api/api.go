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
	queries   *db.Queries
	menus     *order.Menus
	orders    *order.Orders
	payments  *payment.Payments
	apple     *gateway.AppleSessions
	proxies   web.Proxies
	own       session.OwnOrders
	trial     session.Preview
	invites   *invite.Invites
	batches   *paylink.Links
	merchants *merchant.Merchants
	limits    *throttle.Throttle
	sessions  throttle.Limit
	public    *url.URL // address of the site, which begins the links of a batch
	payers    session.Payers
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
		queries: c.Queries, menus: c.Menus, orders: c.Orders, payments: c.Payments, apple: c.Apple, proxies: c.Proxies,
		own: session.OwnOrders{HTTPS: https}, trial: session.Preview{HTTPS: https},
		invites: c.Invites, batches: c.Batches, merchants: c.Merchants, public: c.Public, limits: c.Limits, payers: c.Payers,
		sessions: throttle.Limit{Subject: "wallet session", Most: cmp.Or(c.WalletSessions, MostWalletSessions), Window: time.Hour},
	}
}

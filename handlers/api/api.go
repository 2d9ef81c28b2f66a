// Package api serves the JSON calls.
package api

import (
	"cmp"
	"net/url"
	"time"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/batch"
	"forecourt/internal/gateway"
	"forecourt/internal/invite"
	"forecourt/internal/merchant"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/internal/throttle"
)

// Handler serves /api/*.
type Handler struct {
	queries   *db.Queries
	menus     *order.Menus
	orders    *order.Orders
	payments  *payment.Payments
	apple     *gateway.AppleSessions
	proxies   web.Proxies
	invites   *invite.Invites
	batches   *batch.Batches
	merchants *merchant.Merchants
	limits    *throttle.Throttle
	sessions  throttle.Limit
	public    *url.URL // address of the site, in front of the links of a batch
	payers    web.Payers
}

// Config holds what the calls need.
type Config struct {
	Queries   *db.Queries
	Menus     *order.Menus
	Orders    *order.Orders
	Payments  *payment.Payments
	Apple     *gateway.AppleSessions
	Proxies   web.Proxies
	Batches   *batch.Batches
	Invites   *invite.Invites // whose tokens may send batches
	Merchants *merchant.Merchants
	Limits    *throttle.Throttle
	// WalletSessions is how many sessions of Apple Pay a business gives a network in an hour; 0 takes 120.
	WalletSessions int
	Payers         web.Payers
	Public         *url.URL // address of the site, in front of the links of a batch
}

// New serves the API.
func New(c Config) *Handler {
	return &Handler{
		queries: c.Queries, menus: c.Menus, orders: c.Orders, payments: c.Payments, apple: c.Apple, proxies: c.Proxies,
		invites: c.Invites, batches: c.Batches, merchants: c.Merchants, public: c.Public, limits: c.Limits, payers: c.Payers,
		sessions: throttle.Limit{Subject: "wallet session", Most: cmp.Or(c.WalletSessions, 120), Window: time.Hour},
	}
}

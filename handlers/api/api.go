// Package api serves the JSON calls.
package api

import (
	"net/url"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/batch"
	"forecourt/internal/gateway"
	"forecourt/internal/invite"
	"forecourt/internal/merchant"
	"forecourt/internal/order"
	"forecourt/internal/payment"
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
	public    *url.URL // address of the site, in front of the links of a batch
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
	Public    *url.URL // address of the site, in front of the links of a batch
}

// New serves the API.
func New(c Config) *Handler {
	return &Handler{
		queries: c.Queries, menus: c.Menus, orders: c.Orders, payments: c.Payments, apple: c.Apple, proxies: c.Proxies,
		invites: c.Invites, batches: c.Batches, merchants: c.Merchants, public: c.Public,
	}
}

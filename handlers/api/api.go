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

// New serves the API over conn.
func New(conn db.DBTX, menus *order.Menus, orders *order.Orders, payments *payment.Payments, apple *gateway.AppleSessions, proxies web.Proxies) *Handler {
	return &Handler{queries: db.New(conn), menus: menus, orders: orders, payments: payments, apple: apple, proxies: proxies}
}

// WithBatches adds the calls about batches to h, for the holders of the tokens of invites; public is the site's address.
func (h *Handler) WithBatches(batches *batch.Batches, invites *invite.Invites, public *url.URL) *Handler {
	h.batches, h.invites, h.public = batches, invites, public
	return h
}

// WithMerchants adds the call that makes merchants to h, for people who are signed in.
func (h *Handler) WithMerchants(merchants *merchant.Merchants) *Handler {
	h.merchants = merchants
	return h
}

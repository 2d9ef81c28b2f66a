// Package api serves the JSON calls.
package api

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/batch"
	"forecourt/internal/fault"
	"forecourt/internal/gateway"
	"forecourt/internal/invite"
	"forecourt/internal/merchant"
	"forecourt/internal/order"
	"forecourt/internal/payment"
)

// Limits on bodies, in bytes.
const (
	payLimit   = 16 << 10
	orderLimit = 64 << 10
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
	sessions  *web.Sessions
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

// WithMerchants adds the call that makes merchants to h, for people signed in with sessions.
func (h *Handler) WithMerchants(merchants *merchant.Merchants, sessions *web.Sessions) *Handler {
	h.merchants, h.sessions = merchants, sessions
	return h
}

// Routes mounts the calls on a router.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	r.Route("/api", func(r chi.Router) {
		r.NotFound(s.API(func(http.ResponseWriter, *http.Request) error {
			return fault.New(fault.NotFound, "no such call")
		}))
		r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
			web.TellMethods(w, r)
			_ = web.WriteJSON(w, http.StatusMethodNotAllowed, map[string]string{"error": "This call does not take that method."})
		})
		r.Post("/pos", s.API(h.createOrder))
		r.Post("/pay", s.API(h.payByCard))
		r.Post("/wallet", s.API(h.payByWallet))
		r.Post("/wallet/session", s.API(h.startSession))
		r.With(h.sessions.Load).Post("/create", s.API(h.createMerchant))
		r.Get("/pos/{client}", s.API(h.showClient))
		r.Get("/pos/{client}/{id}", s.API(h.showTransaction))
		r.Post("/batch", s.API(h.createBatch))
		r.Get("/batch/{id}", s.API(h.showBatch))
	})
}

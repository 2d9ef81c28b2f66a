// Package pay serves the payment page of a transaction.
package pay

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/run/push"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
	"forecourt/static"
	"forecourt/views/ui"
)

// Handler serves /pos/{client}/{id} and the addresses below it.
type Handler struct {
	Config
	looks chan struct{} // a slot for each stream that reads the database
	// listed lists the scripts of a page, and listedWithWallets those of a page with wallets.
	listed, listedWithWallets string
}

// Config holds what payment pages need.
type Config struct {
	Menus    *order.Menus
	Payments *payment.Payments
	// Descriptor returns the name of a shop's charges on a card statement.
	Descriptor func(shop string) string
	// RedirectSources lists, as Content-Security-Policy sources, where a gateway may send a customer.
	RedirectSources []string
	Wallets         Wallets
	Proxies         web.Proxies
	// Live tells open pages that a transaction has changed; Streams limits how many of those may be open.
	Live    *pubsub.Hub
	Streams *throttle.Places
	// Push tells customers that their order is ready; if it is nil, pages do not offer it.
	Push   *push.Push
	Payers session.Payers
	Trial  session.Preview
}

// New returns a Handler.
func New(cfg Config) *Handler {
	scripts := static.Scripts("pay.js")
	listed := ui.ScriptList(scripts)
	scripts[cfg.Wallets.GoogleScript] = ""
	return &Handler{
		Config: cfg, looks: make(chan struct{}, maxLooks), listed: listed, listedWithWallets: ui.ScriptList(scripts),
	}
}

// transaction returns the transaction that a request is about. Errors: payment.ErrMissing.
func (h *Handler) transaction(r *http.Request) (*payment.Transaction, error) {
	return h.Payments.Find(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "id"))
}

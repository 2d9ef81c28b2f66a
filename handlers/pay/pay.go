// Package pay serves the payment page of a transaction.
package pay

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/live"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/internal/push"
)

// Handler serves /pos/{client}/{id} and what lies beside it.
type Handler struct {
	queries    *db.Queries
	menus      *order.Menus
	payments   *payment.Payments
	descriptor func(client string) string
	redirects  []string
	wallets    Wallets
	proxies    web.Proxies
	live       *live.Hub
	streams    *live.Slots
	push       *push.Push
	looks      chan struct{} // a slot for each stream that reads the database
}

// Config is what payment pages work with.
type Config struct {
	Queries  *db.Queries
	Menus    *order.Menus
	Payments *payment.Payments
	// Descriptor is how a client's charge reads on a statement.
	Descriptor func(client string) string
	// RedirectSources are where a gateway may send a customer, as Content-Security-Policy sources.
	RedirectSources []string
	Wallets         Wallets
	Proxies         web.Proxies
	// Live tells open pages that a transaction has moved; Streams are how many of those may be open.
	Live    *live.Hub
	Streams *live.Slots
	// Push tells customers that their order is ready; nil: nobody is asked.
	Push *push.Push
}

// New serves the payment pages.
func New(cfg Config) *Handler {
	return &Handler{
		queries: cfg.Queries, menus: cfg.Menus, payments: cfg.Payments, descriptor: cfg.Descriptor, redirects: cfg.RedirectSources,
		wallets: cfg.Wallets, proxies: cfg.Proxies, live: cfg.Live, streams: cfg.Streams, push: cfg.Push, looks: make(chan struct{}, maxLooks),
	}
}

// transaction reads the transaction that a request is about, and its lines.
func (h *Handler) transaction(r *http.Request) (db.TransactionGetRow, []db.OrderLineListRow, error) {
	return h.read(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "id"))
}

func (h *Handler) read(ctx context.Context, client, id string) (db.TransactionGetRow, []db.OrderLineListRow, error) {
	row, err := h.queries.TransactionGet(ctx, id, client)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, nil, payment.ErrMissing
	}
	if err != nil {
		return row, nil, err
	}
	lines, err := h.queries.OrderLineList(ctx, id, client)
	return row, lines, err
}

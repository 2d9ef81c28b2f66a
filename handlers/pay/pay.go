// Package pay serves the payment page of a transaction.
package pay

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/handlers/frame"
	"forecourt/handlers/web"
	"forecourt/internal/fault"
	"forecourt/internal/live"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/internal/push"
	"forecourt/static"
	"forecourt/views/layout"
	view "forecourt/views/pay"
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

// Config is what payment pages show and allow of the world outside.
type Config struct {
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

// New serves the transactions of conn and pays them with payments.
func New(conn db.DBTX, menus *order.Menus, payments *payment.Payments, cfg Config) *Handler {
	return &Handler{
		queries: db.New(conn), menus: menus, payments: payments, descriptor: cfg.Descriptor, redirects: cfg.RedirectSources,
		wallets: cfg.Wallets, proxies: cfg.Proxies, live: cfg.Live, streams: cfg.Streams, push: cfg.Push, looks: make(chan struct{}, maxLooks),
	}
}

// render answers with a payment page. A form may lead on to the bank's page.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, p view.Page) error {
	policy := web.Policy{"form-action": h.redirects}
	p.Scripts = static.Scripts("pay.js")
	if p.Wallets != nil {
		p.Scripts[h.wallets.GoogleScript] = ""
		h.wallets.open(w, policy, p.Wallets.Google.Nonce)
	}
	web.AllowAll(w, policy)
	return web.Render(w, r, status, view.PaymentPage(p), view.Payment)
}

// missing answers for a reference that leads nowhere, in the merchant's colours where there is one. A foreign id is as
// missing as one that never was.
func (h *Handler) missing(w http.ResponseWriter, r *http.Request) error {
	m := view.Missing{TrxID: chi.URLParam(r, "id"), Frame: layout.Customer{Title: "No such transaction"}}
	menu, err := h.menus.Menu(r.Context(), chi.URLParam(r, "client"))
	if err == nil {
		m.Frame = frame.Customer("No such transaction", menu.Client, "")
	} else if fault.CodeOf(err) != fault.NotFound {
		return err
	}
	return web.Render(w, r, http.StatusNotFound, view.MissingPage(m))
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

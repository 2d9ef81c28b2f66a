// Package payment takes money for a transaction exactly once: it claims the transaction in the database, sends the payment to the
// gateway once, and settles it by the answer. The sweep resolves what an answer leaves open. docs/states.md describes the states.
package payment

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/pubsub"
)

// patience is how long a payer's request waits for the gateway before the page says that the payment is being processed. The call to the
// gateway goes on without the request, until GATEWAY_TIMEOUT.
const patience = 3 * time.Second

// Config holds what New needs.
type Config struct {
	// Timeout limits one call to the gateway. The attempt belongs to its sender for another 5 s.
	Timeout time.Duration
	// Previous is the gateway before this one. It is still asked about the payments that were sent to it. It may be nil.
	Previous *gateway.Client
	// ReturnURL is where a customer returns from the bank: the payment page.
	ReturnURL func(shop, id string) string
	// Descriptor is how a charge appears on the statement.
	Descriptor func(shop string) string
	// RedirectHosts lists the hosts to which the gateway may send a customer.
	RedirectHosts []string
	Limits        Limits
	// Announce is called after the commit for each changed transaction, first with its id, then with the pubsub.Kitchen of its business. It
	// must not block. It may be nil.
	Announce func(topic string)
	// Mail queues receipts and letters about refunds, in the transaction that settles the payment or refund. If it is nil, no letters are
	// sent.
	Mail *mail.Queue
	// Settled is called for each attempt that changed state, with its new state and its method. It may be nil.
	Settled func(now state.Attempt, method state.Method)
	// Trace begins a span, which the returned function ends, for a payment or refund that is ended after its request. It may be nil.
	Trace func(ctx context.Context, name string) (context.Context, func())
}

// Payments moves transactions and attempts from state to state. Close it before its pool.
type Payments struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	gateway *gateway.Client
	ledger  *settlement.Settlement // reads the gateways' ledgers
	cfg     Config
	log     *slog.Logger
	work    sync.WaitGroup // sends and sweeps under way
	closing atomic.Bool
	kick    chan struct{} // an attempt was left open: sweep now
	slots   chan struct{} // one for each sweep worker

	refundSlots chan struct{}
}

// New returns the payments of a gateway over pool.
func New(pool *pgxpool.Pool, client *gateway.Client, cfg Config, log *slog.Logger) *Payments {
	if cfg.Announce == nil {
		cfg.Announce = func(string) {}
	}
	if cfg.Settled == nil {
		cfg.Settled = func(state.Attempt, state.Method) {}
	}
	if cfg.Trace == nil {
		cfg.Trace = func(ctx context.Context, _ string) (context.Context, func()) { return ctx, func() {} }
	}
	return &Payments{
		pool: pool, queries: db.New(pool), gateway: client, cfg: cfg, log: log,
		ledger: settlement.New(settlement.Config{Pool: pool, Gateway: client, Previous: cfg.Previous, Mail: cfg.Mail, Log: log}),
		kick:   make(chan struct{}, 1), slots: make(chan struct{}, sweepWorkers),
		refundSlots: make(chan struct{}, refundWorkers),
	}
}

// announce tells the viewers of a transaction, and the kitchen, that it has changed.
func (p *Payments) announce(shop, trx string) {
	p.cfg.Announce(trx)
	p.cfg.Announce(pubsub.Kitchen(shop))
}

// Close refuses new payments and waits until those under way are settled or ctx ends. The sweep of the next process settles the rest.
func (p *Payments) Close(ctx context.Context) error {
	p.closing.Store(true)
	done := make(chan struct{})
	go func() { p.work.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fault.Wrap(fault.Unavailable, ctx.Err(), "payments still under way")
	}
}

// lease is how long an attempt belongs to the process that works on it.
func (p *Payments) lease() time.Duration { return p.cfg.Timeout + 5*time.Second }

// mayRedirect reports whether a customer may be sent to address. It must be http(s), with a listed host, without user info, and without
// control characters, which net/url allows in a fragment.
func (p *Payments) mayRedirect(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil &&
		slices.Contains(p.cfg.RedirectHosts, u.Host) && !strings.ContainsFunc(address, unicode.IsControl)
}

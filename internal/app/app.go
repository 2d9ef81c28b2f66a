// Package app is the composition root: it builds a whole site, rules and pages, from one Config. The program, its commands and the
// tests of pages all get theirs here, so that a part is wired in one place.
package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/handlers"
	"forecourt/handlers/demo"
	"forecourt/handlers/pay"
	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/gateway"
	"forecourt/internal/invite"
	"forecourt/internal/live"
	"forecourt/internal/mail"
	"forecourt/internal/metrics"
	"forecourt/internal/payment"
	"forecourt/internal/provider"
	"forecourt/internal/push"
	"forecourt/internal/replica"
	"forecourt/internal/tracing"
)

// maxStreams is how many event streams are open at once.
const maxStreams = 20_000

// Config is what a site is built from. Whoever opened the pool, the replica and the gateway closes them, after the site.
type Config struct {
	Log *slog.Logger
	// Pool is of a migrated database. Menus are read from Replica (nil: none), events are heard over Listen (nil: none are).
	Pool    *pgxpool.Pool
	Replica *replica.Replica
	Listen  *pgx.ConnConfig
	// Secret is what keys are derived from.
	Secret string

	// PublicURL is where people reach the site; BridgeURL and CRMSocketURL are services on the visitor's own computer.
	PublicURL, BridgeURL, CRMSocketURL *url.URL
	// Demo shows every mail at /dev/outbox, links to new passwords among them.
	Demo bool
	// OpenDemo makes each page say that anybody can read it.
	OpenDemo bool
	Provider provider.Provider // who runs the site
	// Proxies are believed about where a request came from.
	Proxies web.Proxies
	// EmbedOrigins may frame /merchant/admin and hear of its merchant's key.
	EmbedOrigins []string

	// Gateway charges cards; nil: nothing is paid, as in commands that have nothing to do with payments.
	Gateway *gateway.Client
	// Previous is the gateway before this one, which is still asked about what was sent to it; nil: none.
	Previous       *gateway.Client
	GatewayTimeout time.Duration // of one call
	RedirectHosts  []string      // where it may send a customer
	// SettlementDays is after how many days what is in no payout is listed.
	SettlementDays int
	// Descriptor is how a client's charge reads on a statement.
	Descriptor func(client string) string
	// Sandbox serves the built-in gateway's pages below /sandbox; nil without one.
	Sandbox http.Handler
	Hosted  demo.Hosted // where the hosted payment page of the demo is
	// Wallets is how payment pages offer wallets, Apple validates their merchants, and AppleDomainFile is what Apple looks for at
	// our address (nil: nothing).
	Wallets         pay.Wallets
	Apple           gateway.AppleConfig
	AppleDomainFile []byte

	// Limits on what somebody may try; zero fields take the defaults.
	PaymentLimits payment.Limits
	InviteLimits  invite.Limits
	AccountLimits account.Limits
	Streams       int // event streams of one address at once

	// Push is off without a whole project. Its keys, where none are set, and its contact come from the other fields.
	Push push.Config

	MailServer *mail.Server // nil keeps mails in the outbox
	MailFrom   string       // no-reply@ the public host when empty
	MailBcc    string       // gets a copy of what payers are told of money; empty for nobody
	// JobsWait leaves what is queued alone until WorkQueue is called.
	JobsWait bool

	Metrics *metrics.Metrics // nil: nothing is counted
	Tracer  *tracing.Tracer  // nil: there are no spans
}

// Site is the rules, the pages and what goes on without anybody asking.
type Site struct {
	*Rules
	Handler *handlers.Site // answers every public address
	config  Config

	background sync.WaitGroup
	stop       context.CancelFunc
	queues     []*river.Client[pgx.Tx]
}

// Open builds a site. It answers at once; Start begins the rest.
func Open(c Config) (*Site, error) {
	if c.Apple.Domain == "" {
		c.Apple.Domain = c.PublicURL.Hostname()
	}
	rules, err := NewRules(c)
	if err != nil {
		return nil, err
	}
	streams := live.NewSlots(maxStreams, c.Streams)
	if c.Metrics != nil {
		c.Gateway.Observe(c.Metrics.Call)
		c.Metrics.Streams(streams.Open)
		if c.Replica != nil {
			c.Metrics.Replica(c.Replica.Behind, c.Replica.Reads)
		}
	}
	if c.Tracer != nil {
		c.Gateway.Trace(c.Tracer.Call)
	}
	s := &Site{Rules: rules, config: c, stop: func() {}}
	s.Handler = s.pages(streams)
	return s, nil
}

// Start begins what goes on in the background: jobs, payments that were left open, events, a look at the replica. It goes on
// until Close, also when ctx ends.
func (s *Site) Start(ctx context.Context) error {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if !s.config.JobsWait {
		if err := s.WorkQueue(ctx); err != nil {
			s.stop()
			return err
		}
	}
	s.background.Go(func() { s.Payments.Sweep(ctx) })
	s.background.Go(func() { s.Live.Run(ctx) })
	if s.config.Replica != nil {
		s.background.Go(func() { s.config.Replica.Run(ctx) })
	}
	return nil
}

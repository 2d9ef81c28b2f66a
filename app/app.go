// Package app is the composition root: it builds a whole site, rules and pages, from one Config. The program, its commands and the
// tests of pages all use it, so that each part is wired in one place.
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
	"forecourt/internal/legal"
	"forecourt/internal/live"
	"forecourt/internal/mail"
	"forecourt/internal/metrics"
	"forecourt/internal/payment"
	"forecourt/internal/push"
	"forecourt/internal/secret"
	"forecourt/internal/tracing"
)

// maxStreams is how many event streams are open at once.
const maxStreams = 5_000

// Config holds what a site is built from. The caller closes the pool and the gateway after the site.
type Config struct {
	Log *slog.Logger
	// Pool is connected to a migrated database. Events arrive over Listen; if it is nil, none do.
	Pool   *pgxpool.Pool
	Listen *pgx.ConnConfig
	Secret string // what keys are derived from

	// PublicURL is where people reach the site; BridgeURL and CRMSocketURL are services on the visitor's own computer.
	PublicURL, BridgeURL, CRMSocketURL *url.URL
	// Origins are those under which people reach the site, as browsers name them. nil: whatever name leads here is ours.
	Origins []string
	// Demo shows every mail at /dev/outbox, including links to new passwords.
	Demo bool
	// OpenDemo makes each page warn that others can reach this demo.
	OpenDemo bool
	Provider legal.Provider // the company that runs the site
	// Proxies are trusted to say where a request came from.
	Proxies web.Proxies
	// EmbedOrigins may frame /merchant/admin and receive its merchant's key.
	EmbedOrigins []string

	// Gateway charges cards. Without it nothing can be paid, as in commands that do not deal with payments.
	Gateway *gateway.Client
	// Previous is the previous gateway, which is still asked about the payments that were sent to it. It may be nil.
	Previous       *gateway.Client
	GatewayTimeout time.Duration // limits one call
	RedirectHosts  []string      // where it may send a customer
	// SettlementDays is the number of days after which a movement that is in no payout is listed.
	SettlementDays int
	// Descriptor is how a client's charge appears on a statement.
	Descriptor func(client string) string
	// Sandbox serves the built-in gateway's pages below /sandbox; nil without one.
	Sandbox http.Handler
	Hosted  demo.Hosted // address of the demo's hosted payment page
	// Wallets says how payment pages offer wallets and Apple validates their merchants. AppleDomainFile is the file that Apple looks
	// for at our address; it may be nil.
	Wallets         pay.Wallets
	Apple           gateway.AppleConfig
	AppleDomainFile []byte

	Limits Limits

	// Push is off without a complete project. Its contact, and its keys if none are set, come from the other fields.
	Push push.Config

	MailServer *mail.Server // nil keeps mails in the outbox
	MailFrom   string       // no-reply@ the public host when empty
	MailBcc    string       // gets a copy of every letter to a payer about money; may be empty
	// JobsWait leaves queued work alone until WorkQueue is called.
	JobsWait bool

	Metrics *metrics.Metrics // may be nil
	Tracer  *tracing.Tracer  // may be nil
}

// Limits are what one caller may try. Zero fields take the defaults, except for Streams and Push. The tags are those of the settings.
type Limits struct {
	Payment        payment.Limits `embed:""`
	UnpaidOrders   int            `name:"orders" default:"120"`
	Invite         invite.Limits  `embed:""`
	Account        account.Limits `embed:""`
	Streams        int            `default:"40" help:"open pages per address that are updated at once; further ones poll"`
	Push           int            `default:"120" help:"browsers per address and hour that ask to be told when an order is ready"`
	WalletSessions int            `name:"wallet" default:"120" help:"Apple Pay sessions per business, network and hour"`
}

// Verification returns the rule on verified addresses and second steps. A demo without a mail server waives the first, since it shows every
// mail to everybody. No demo asks for a second step.
func (c Config) Verification() account.Verification {
	return account.Verification{Waived: c.Demo && c.MailServer == nil, PasswordAlone: c.Demo}
}

func (c Config) ring() secret.Ring { return secret.NewRing(c.Secret) }

// Site is the rules, the pages and the background work.
type Site struct {
	*Rules
	Handler *handlers.Site // answers every public address
	config  Config

	background sync.WaitGroup
	stop       context.CancelFunc
	queues     []*river.Client[pgx.Tx]
}

// Open builds a site. It answers requests at once; Start begins the background work.
func Open(c Config) (*Site, error) {
	if c.Apple.Domain == "" {
		c.Apple.Domain = c.PublicURL.Hostname()
	}
	rules, err := NewRules(c)
	if err != nil {
		return nil, err
	}
	streams := live.NewSlots(maxStreams, c.Limits.Streams)
	if c.Metrics != nil {
		c.Gateway.Observe(c.Metrics.Call)
		c.Metrics.Streams(streams.Open)
	}
	if c.Tracer != nil {
		c.Gateway.Trace(c.Tracer.Call)
	}
	s := &Site{Rules: rules, config: c, stop: func() {}}
	s.Handler = s.pages(streams)
	return s, nil
}

// Start begins the background work: jobs, unfinished payments and events. It runs until Close, even after ctx ends.
func (s *Site) Start(ctx context.Context) error {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if !s.config.JobsWait {
		if err := s.WorkQueue(ctx); err != nil {
			s.stop()
			return err
		}
	}
	s.background.Go(func() { s.Payments.Sweep(ctx) })
	s.background.Go(func() { s.Events.Run(ctx) })
	s.background.Go(func() { s.Live.Run(ctx) })
	s.background.Go(func() { s.Health.Run(ctx) })
	return nil
}

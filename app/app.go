// Package app is the composition root: it builds a whole site, rules and pages, from one Config. The program, its commands and the
// tests of pages all use it, so that each part is wired in one place.
package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/handlers"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/run/tracing"
	"forecourt/internal/upkeep/metrics"
)

// maxStreams is how many event streams are open at once.
const maxStreams = 5_000

// Config holds what a site is built from. The caller closes the pool and the gateway after the site.
type Config struct {
	Settings
	Log *slog.Logger
	// Pool is connected to a migrated database. Events arrive over Listen; if it is nil, none do.
	Pool   *pgxpool.Pool
	Listen *pgx.ConnConfig
	Secret string // what keys are derived from

	PublicURL *url.URL // where people reach the site
	// Origins are those under which people reach the site, as browsers name them. nil: whatever name leads here is ours.
	Origins []string
	// Demo shows every mail at /dev/outbox, including links to new passwords.
	Demo bool
	// BridgeDir is the folder with the terminal service for visitors' computers; "" or a folder that is not there holds none.
	BridgeDir string
	// OpenDemo makes each page warn that others can reach this demo.
	OpenDemo bool

	// Gateway charges cards. Without it nothing can be paid, as in commands that do not deal with payments.
	Gateway *gateway.Client
	// Previous is the previous gateway, which is still asked about the payments that were sent to it. It may be nil.
	Previous *gateway.Client
	// Sandbox serves the built-in gateway's pages below /sandbox; nil without one.
	Sandbox http.Handler
	// JobsWait leaves queued work alone until WorkQueue is called.
	JobsWait bool

	Metrics *metrics.Metrics // may be nil
	Tracer  *tracing.Tracer  // may be nil
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
	streams := throttle.NewPlaces(maxStreams, c.Limits.Streams, 0)
	if c.Metrics != nil {
		c.Gateway.Observe(c.Metrics.Call)
		c.Metrics.Streams(streams.Taken)
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

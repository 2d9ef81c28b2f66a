package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"golang.org/x/sync/errgroup"

	"forecourt/app"
	"forecourt/internal/run/tracing"
	"forecourt/internal/upkeep/metrics"
)

// grace is how much longer than the gateway's timeout a stop waits for work that is under way.
const grace = 5 * time.Second

// serveCommand is the web server with everything it needs.
type serveCommand struct {
	Domain string `placeholder:"NAME" help:"Same as FORECOURT_DOMAIN: serve https under this name, with a certificate that it gets by itself."`
}

func (serveCommand) Help() string { return settingsHelp() }

// settings returns getenv with the setting that --domain replaces.
func (o serveCommand) settings(getenv func(string) string) func(string) string {
	if o.Domain == "" {
		return getenv
	}
	return func(name string) string {
		if name == "FORECOURT_DOMAIN" {
			return o.Domain
		}
		return getenv(name)
	}
}

func (o serveCommand) Run(ctx context.Context, env environment) error {
	env.getenv = o.settings(env.getenv)
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	if err := c.checkMail(); err != nil {
		return err
	}
	log := slog.New(tracing.Logged(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: c.LogLevel})))
	if unknown := unknownSettings(env.environ); len(unknown) > 0 {
		log.WarnContext(ctx, "these variables look like settings but are none; docs/settings.md lists those", "names", unknown)
	}
	tracer, stopTracing, err := startTracing(ctx, c, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	c.tracer = tracer
	listeners, err := listen(c)
	if err != nil {
		return err
	}
	defer listeners.close()
	d, err := openDatabase(ctx, c, log, env.stderr)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		log.WarnContext(ctx, "this runs as root, who owns the data folder; give the folder to a user of its own", "folder", d.folder)
	}
	s := &server{config: c, database: d, listeners: listeners, metrics: metrics.New(d.pool)}
	s.metrics.Built(version)
	s.copyToArchive(ctx)
	stopAdmin := serveAdmin(s.admin, s.metrics.Gatherer(), log)
	err = s.run(ctx, env)
	stopAdmin()
	return errors.Join(err, d.close(ctx))
}

// server is everything that runs while the program serves.
type server struct {
	config
	*database
	*listeners
	https   certificates // nil: plain http
	metrics *metrics.Metrics
	leaving leaving
}

func (s *server) run(ctx context.Context, env environment) error {
	if err := s.makeData(); err != nil {
		return err
	}
	var err error
	if s.Secret, err = s.openSecret(ctx, s.config); err != nil {
		return err
	}
	public := s.publicURL()
	if s.https, err = s.openCertificates(ctx); err != nil {
		return err
	}
	link, err := linkGateway(ctx, s.config, s.folder, public, s.log)
	if err != nil {
		return err
	}
	defer link.close()
	if placeholders := s.placeholders(); len(placeholders) > 0 {
		s.log.WarnContext(ctx, "settings of the provider are not set: the pages show placeholders", "settings", placeholders)
	}
	cfg := s.site(s.database, link, public)
	cfg.Metrics = s.metrics
	if cfg.Listen, err = s.listenConfig(ctx, s.pool); err != nil {
		return err
	}
	site, err := app.Open(cfg)
	if err != nil {
		return err
	}
	if err := site.GatewayAccounts.Seal(ctx); err != nil {
		return err
	}
	link.sandbox.Know(site.Merchants.Hosted)
	if err := settleDemo(ctx, s.config, site.Rules); err != nil {
		return err
	}
	return s.work(ctx, site, func() {
		fmt.Fprintf(env.stdout, "listening on %s\n", s.listenURL())
		if err := s.printStart(ctx, s.demo, env.stdout, public); err != nil {
			s.log.ErrorContext(ctx, "printing what to open", "error", err)
		}
	})
}

// mostAtOnce is how many requests one HTTP/2 connection may have at once. With Go's own limit, 250, few connections fill the memory.
const mostAtOnce = 50

// newWeb returns the public server. It limits how long a client may take to send its request and to read the answer; event streams set
// their own deadlines.
func newWeb(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: mostAtOnce},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// heapShare is the share of the memory that the heap may take. The built-in database and the processes that read pictures need the rest.
const heapShare = 0.5

// limitHeap makes the collector work harder as the heap approaches its share of the memory that the program's control group or machine has.
// GOMEMLIMIT, if set, applies instead, and AUTOMEMLIMIT as the share.
func limitHeap(log *slog.Logger) {
	memory := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithProvider(memory), memlimit.WithRatio(heapShare)); err != nil {
		log.Warn("the heap has no limit", "error", err)
	}
}

// work serves until ctx ends or a part fails, then stops in an order that loses nothing: no new requests, payments
// settled, jobs done. ready is called once nothing can prevent serving any more. By then the jobs have started, which takes a query to the
// database.
func (s *server) work(ctx context.Context, site *app.Site, ready func()) error {
	conns, err := newConnections(s.Limits.Streams, s.TrustedProxies)
	if err != nil {
		return err
	}
	if err := site.Start(ctx); err != nil {
		return err
	}
	web, plain := newWeb(s.leaving.before(site.Handler), s.log), s.newPlain()
	web.ConnState, plain.ConnState = conns.note, conns.note
	web.RegisterOnShutdown(site.Live.Close)
	limitHeap(s.log)
	ready()
	s.log.InfoContext(
		ctx, "serving", "version", version, "address", s.listenURL().String(), "public", s.publicURL().String(),
		"demo", s.demo, "gateway", s.GatewayID,
	)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if s.https == nil {
			return served(web.Serve(s.main))
		}
		web.TLSConfig = s.https.TLS()
		return served(web.ServeTLS(s.main, "", ""))
	})
	if s.plain != nil {
		group.Go(func() error { return served(plain.Serve(s.plain)) })
	}
	if s.https != nil {
		group.Go(func() error {
			s.https.Watch(ctx)
			return nil
		})
	}
	group.Go(func() error {
		<-ctx.Done()
		s.log.InfoContext(ctx, "stopping")
		s.leaving.wait(s.Drain)
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.GatewayTimeout+grace)
		defer cancel()
		return errors.Join(web.Shutdown(stopping), plain.Close(), site.Close(stopping))
	})
	err = group.Wait()
	s.log.InfoContext(ctx, "stopped")
	return err
}

// publicURL returns the address at which people reach the site.
func (s *server) publicURL() *url.URL { return cmp.Or(s.URL, s.listenURL()) }

func (s *server) listenURL() *url.URL { return s.urlAt(s.main.Addr().String()) }

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/handlers"
	"forecourt/handlers/letters"
	paypages "forecourt/handlers/pay"
	"forecourt/internal/account"
	"forecourt/internal/compliance"
	"forecourt/internal/form/formstore"
	"forecourt/internal/invite"
	"forecourt/internal/jobs"
	"forecourt/internal/live"
	"forecourt/internal/mail"
	merchants "forecourt/internal/merchant"
	"forecourt/internal/metrics"
	"forecourt/internal/password"
	"forecourt/internal/payment"
	"forecourt/internal/push"
	"forecourt/internal/receipt"
	"forecourt/internal/replica"
	"forecourt/internal/seal"
	"forecourt/internal/settlement"
	"forecourt/internal/shortlink"
	"forecourt/internal/tracing"
)

// maxStreams is how many event streams are open at once.
const maxStreams = 20_000

// grace is how long a stop waits for what is under way, beyond the gateway's timeout.
const grace = 5 * time.Second

// serveCommand is the web server with everything it needs.
type serveCommand struct {
	CheckConfig bool `help:"Check the settings, say what they lead to, and end."`
}

// Help lists the settings.
func (serveCommand) Help() string { return settingsHelp() }

// Run serves until ctx ends.
func (o serveCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	if o.CheckConfig {
		return checkConfig(ctx, c, env)
	}
	log := slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: c.LogLevel}))
	traces, stopTracing, err := startTracing(ctx, c, log)
	if err != nil {
		return err
	}
	defer stopTracing()
	if c.traces = traces; c.Collector != nil {
		log = slog.New(tracing.Logged(log.Handler()))
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("FORECOURT_ADDR: %w", err)
	}
	defer func() { _ = listener.Close() }()
	admin, err := listenAdmin(c)
	if err != nil {
		return err
	}
	if admin != nil {
		defer func() { _ = admin.Close() }()
	}
	d, err := openDatabase(ctx, c, log, env.stderr)
	if err != nil {
		return err
	}
	s := &server{config: c, database: d, log: log, listener: listener, metrics: metrics.New(d.pool)}
	stopAdmin := serveAdmin(admin, s.metrics.Gatherer(), log)
	err = s.run(ctx, env)
	stopAdmin()
	return errors.Join(err, d.close(ctx))
}

// server is everything that runs while the program serves.
type server struct {
	config
	*database
	log        *slog.Logger
	listener   net.Listener
	gateway    *gatewayLink
	payments   *payment.Payments
	settlement *settlement.Settlement
	records    *compliance.Records
	live       *live.Hub
	replica    *replica.Replica // nil: none
	links      *shortlink.Links
	push       *push.Push // nil: off
	metrics    *metrics.Metrics
	leaving    leaving
}

func (s *server) run(ctx context.Context, env environment) error {
	if err := s.makeData(); err != nil {
		return err
	}
	if err := s.settleDemo(ctx, s.config); err != nil {
		return err
	}
	if s.Secret == "" {
		secret, err := loadSecret(s.folder)
		if err != nil {
			return err
		}
		s.Secret = secret
	}
	public := s.publicURL()
	var err error
	if s.gateway, err = linkGateway(ctx, s.config, s.folder, public, s.log); err != nil {
		return err
	}
	defer s.gateway.close()
	s.gateway.client.Observe(s.metrics.Call)
	if s.traces.call != nil {
		s.gateway.client.Trace(s.traces.call)
	}
	listen, err := s.listenConfig(ctx, s.pool)
	if err != nil {
		return err
	}
	s.live = live.New(s.pool, listen, s.log)
	queue, err := mail.NewQueue(s.pool)
	if err != nil {
		return err
	}
	s.payments = payment.New(s.pool, s.gateway.client, payment.Config{
		Timeout: s.GatewayTimeout, Previous: s.gateway.previous, Descriptor: s.descriptor, RedirectHosts: s.gateway.redirectHosts,
		Limits: s.limits, Announce: s.live.Announce, Mail: queue, Settled: s.metrics.Payment,
		ReturnURL: func(client, id string) string { return public.JoinPath("pos", client, id).String() },
	}, s.log)
	s.settlement = settlement.New(s.pool, s.gateway.client, s.gateway.previous, queue, s.SettlementDays, s.log)
	box, err := seal.New(derive(s.Secret, "kept input"))
	if err != nil {
		return err
	}
	signer, err := receipt.NewSigner(derive(s.Secret, "receipts"))
	if err != nil {
		return err
	}
	if s.records, err = openRecords(s.config, s.database, queue); err != nil {
		return err
	}
	terminals, err := seal.New(derive(s.Secret, "terminal secrets"))
	if err != nil {
		return err
	}
	s.links = shortlink.New(s.pool, s.log)
	if s.push, err = openPush(s.config, s.pool, public, s.log); err != nil {
		return err
	}
	hasher := password.New()
	if s.DatabaseReplicaURL != "" {
		if s.replica, err = replica.Open(ctx, s.DatabaseReplicaURL, s.pool, maxConns, s.log); err != nil {
			return fmt.Errorf("DATABASE_REPLICA_URL: %w", err)
		}
		defer s.replica.Close()
		s.metrics.Replica(s.replica.Behind, s.replica.Reads)
	}
	streams := live.NewSlots(maxStreams, s.LimitStreams)
	s.metrics.Streams(streams.Open)
	web := newWeb(s.leaving.before(handlers.New(handlers.Deps{
		Invites: invite.New(s.pool, hasher, derive(s.Secret, "invites"), s.inviteLimits),
		Pool:    s.pool, Replica: s.replica, Payments: s.payments, Box: box, Outbox: s.demo, OpenDemo: s.openDemo(), Compliance: s.records, Forms: formstore.New(s.pool, queue),
		Accounts: account.New(s.pool, hasher, queue, derive(s.Secret, "limits"), s.accountLimits),
		Log:      s.log, HTTPS: public.Scheme == "https", Descriptor: s.descriptor,
		RedirectSources: s.gateway.redirectHosts, Sandbox: s.gateway.pages, Proxies: s.TrustedProxies,
		Live: s.live, Streams: streams, Observe: s.metrics.Request, Stranger: s.metrics.Stranger, Trace: s.traces.request,
		Merchants: merchants.New(s.pool, terminals, queue), EmbedOrigins: s.EmbedOrigins,
		Provider: s.provider, Links: s.links, Push: s.push, Receipts: receipt.New(s.pool, queue, signer, derive(s.Secret, "limits")),
		PublicURL: public, BridgeURL: s.BridgeURL, CRMSocketURL: s.CRMSocketURL,
		Hosted:  s.gateway.hostedDemo(s.config, public),
		Wallets: s.offeredWallets(), Apple: s.appleSessions(public), AppleDomainFile: s.wallets.domainFile,
	})), s.log)
	web.RegisterOnShutdown(s.live.Close)
	return s.work(ctx, web, func() {
		fmt.Fprintf(env.stdout, "listening on %s\n", s.listenURL())
		if err := s.printStart(ctx, s.demo, env.stdout, public); err != nil {
			s.log.Error("what there is to open cannot be told", "error", err)
		}
	})
}

// newWeb returns the public server. A client gets so long to say what it wants and to take what it gets; a stream of events sets
// deadlines of its own.
func newWeb(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// work serves until ctx ends or a part fails, then stops in the order that loses nothing: no new requests, payments
// settled, jobs done. ready is called once nothing can keep it from serving any more: starting the jobs asks the database.
func (s *server) work(ctx context.Context, web *http.Server, ready func()) error {
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	queue, err := jobs.Start(background, jobs.Config{
		Pool: s.pool, Payments: s.payments, Settlement: s.settlement, Log: s.log, Compared: s.metrics.Compared, Trace: s.traces.job,
		Push: s.push, Words: paypages.PushMessage,
		Mail: mail.Config{
			Pool: s.pool, Log: s.log, Server: s.MailServer, Sender: or(s.MailFrom, "no-reply@"+s.publicURL().Hostname()),
			Writers: letters.Desk{Provider: s.provider.Name, Support: s.provider.SupportMail, Public: s.publicURL(), Bcc: s.MailBcc, Compliance: s.records}.Writers(),
		},
	})
	if err != nil {
		return err
	}
	ready()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { s.payments.Sweep(background); return nil })
	group.Go(func() error { s.live.Run(background); return nil })
	if s.replica != nil {
		group.Go(func() error { s.replica.Run(background); return nil })
	}
	group.Go(func() error {
		var err error
		if s.TLSCert != "" {
			err = web.ServeTLS(s.listener, s.TLSCert, s.TLSKey)
		} else {
			err = web.Serve(s.listener)
		}
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	})
	group.Go(func() error {
		<-ctx.Done()
		s.leaving.wait(s.Drain)
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.GatewayTimeout+grace)
		defer cancel()
		err := web.Shutdown(stopping)
		err = errors.Join(err, s.payments.Close(stopping), queue.Stop(stopping))
		s.links.Close()
		stopBackground()
		return err
	})
	return group.Wait()
}

// publicURL is where people reach the site.
func (s *server) publicURL() *url.URL {
	if s.URL != nil {
		return s.URL
	}
	address, err := url.Parse(s.listenURL())
	if err != nil {
		panic(err) // a listener's address is one
	}
	return address
}

// listenURL is the address of the listener; one that listens everywhere is named by loopback.
func (s *server) listenURL() string {
	scheme := "http"
	if s.TLSCert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(s.listener.Addr().String())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

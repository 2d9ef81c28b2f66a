// Package apptest boots the whole site for a test: real database, real gateway over HTTP, all routes.
package apptest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db/dbtest"
	"forecourt/handlers"
	"forecourt/handlers/demo"
	"forecourt/handlers/letters"
	"forecourt/handlers/pay"
	"forecourt/internal/account"
	"forecourt/internal/compliance"
	"forecourt/internal/form/formstore"
	"forecourt/internal/gateway"
	"forecourt/internal/gateway/sandbox"
	"forecourt/internal/invite"
	"forecourt/internal/jobs"
	"forecourt/internal/live"
	"forecourt/internal/mail"
	"forecourt/internal/merchant"
	"forecourt/internal/outbound"
	"forecourt/internal/password"
	"forecourt/internal/payment"
	"forecourt/internal/provider"
	"forecourt/internal/push"
	"forecourt/internal/receipt"
	"forecourt/internal/seal"
	"forecourt/internal/secret"
	"forecourt/internal/settlement"
	"forecourt/internal/shortlink"
)

const key = "test-key"

// App is a running site.
type App struct {
	URL      string
	Client   *http.Client // keeps cookies, follows no redirect
	Pool     *pgxpool.Pool
	Payments *payment.Payments
	// Settlement lists what is in no payout after 5 days.
	Settlement *settlement.Settlement
	Records    *compliance.Records
	Invites    *invite.Invites
	Live       *live.Hub
	Links      *shortlink.Links
	Push       *push.Push     // nil without Options.Push
	Queries    *atomic.Int64  // statements sent to the database so far
	Site       *handlers.Site // what answers, with its map
	// WorkQueue begins to work on what is queued, for a site without Options.Jobs.
	WorkQueue func(t testing.TB)
	gateway   *httptest.Server
}

// Options change what New starts. The zero value is a site with the sandbox.
type Options struct {
	// Gateway stands in for the sandbox.
	Gateway http.Handler
	// Limits against card testing, the defaults when zero.
	Limits payment.Limits
	// InviteLimits against guessing tokens, the defaults when zero.
	InviteLimits invite.Limits
	// Streams are how many pages of one address hear of changes at once, 40 when zero.
	Streams int
	// Apple says who validates merchants for Apple Pay, the gateway when zero; AppleDomainFile is none when nil.
	Apple           gateway.AppleConfig
	AppleDomainFile []byte
	// Timeout of one gateway call, 10 s when zero.
	Timeout time.Duration
	// Accounts are the limits on guessing, the defaults when zero.
	Accounts account.Limits
	// Jobs works on the queue, which sends mail; without it what is queued waits.
	Jobs bool
	// MailServer takes the mails; nil keeps them in the outbox.
	MailServer *mail.Server
	// Push sends messages for this project; the zero project has none.
	Push push.Config
	// Descriptor is how charges read on a statement, LAT*client when nil.
	Descriptor func(client string) string
	// EmbedOrigins may frame the dashboard of a merchant.
	EmbedOrigins []string
	// Live is a site without demo mode.
	Live bool
	// OpenDemo is a demo that others reach.
	OpenDemo bool
	// Provider runs the site, a made-up one when zero.
	Provider provider.Provider
}

// New starts a site that ends with the test. The test's package needs dbtest.Main.
func New(t testing.TB, o Options) *App {
	t.Helper()
	app := &App{Queries: new(atomic.Int64)}
	app.Pool = countingPool(t, app.Queries)
	site := httptest.NewUnstartedServer(nil)
	public := &url.URL{Scheme: "http", Host: site.Listener.Addr().String()}
	app.URL = public.String()

	play, err := sandbox.Open(sandbox.Options{
		Path: filepath.Join(t.TempDir(), "sandbox.db"), Key: key, AllowLive: true, SlowAnswer: time.Millisecond,
		PublicURL: func() string { return app.URL + "/sandbox" },
		Outbound:  outbound.New([]string{public.Host}, 5*time.Second),
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Gateway == nil {
		o.Gateway = play.Handler()
	}
	app.gateway = httptest.NewServer(o.Gateway)
	if o.Provider == (provider.Provider{}) {
		o.Provider = provider.Default()
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	log := slog.New(slog.DiscardHandler)
	descriptor := o.Descriptor
	if descriptor == nil {
		descriptor = func(client string) string { return "LAT*" + client }
	}
	if o.Streams == 0 {
		o.Streams = 40
	}
	app.Invites = invite.New(app.Pool, password.New(), []byte("a key for tests only"), o.InviteLimits)
	app.Live = live.New(app.Pool, app.Pool.Config().ConnConfig, log)
	app.Links = shortlink.New(app.Pool, log)
	app.Push = newPush(t, app.Pool, o.Push, log)
	queue, err := mail.NewQueue(app.Pool)
	if err != nil {
		t.Fatal(err)
	}
	link := gateway.New(gateway.Config{URL: app.gateway.URL, Key: secret.New(key), Timeout: o.Timeout})
	app.Payments = payment.New(app.Pool, link,
		payment.Config{
			Timeout: o.Timeout, Descriptor: descriptor, RedirectHosts: []string{public.Host},
			Limits: o.Limits, Announce: app.Live.Announce, Mail: queue,
			ReturnURL: func(client, id string) string { return public.JoinPath("pos", client, id).String() },
		}, log)
	app.Settlement = settlement.New(app.Pool, link, nil, queue, 5, log)
	box, err := seal.New([]byte("a key of 32 bytes, for tests only"[:32]))
	if err != nil {
		t.Fatal(err)
	}
	app.Records = compliance.New(app.Pool, box, queue, o.Provider)
	signer, err := receipt.NewSigner([]byte("a seed of 32 bytes for tests only"[:32]))
	if err != nil {
		t.Fatal(err)
	}
	built := handlers.New(handlers.Deps{
		Apple: gateway.NewAppleSessions(link, o.Apple), AppleDomainFile: o.AppleDomainFile,
		Wallets: pay.Wallets{
			GoogleScript: "https://pay.google.com/gp/p/js/pay.js", GoogleOrigin: "https://pay.google.com",
			GoogleGateway: "example", Simulated: true,
		},
		Receipts: receipt.New(app.Pool, queue, signer, []byte("a key for tests only")),
		Invites:  app.Invites,
		Pool:     app.Pool, Payments: app.Payments, Links: app.Links, Push: app.Push, Log: log, Descriptor: descriptor, Box: box, Outbox: !o.Live, OpenDemo: o.OpenDemo, Compliance: app.Records, Forms: formstore.New(app.Pool, queue),
		Accounts:        account.New(app.Pool, password.New(), queue, []byte("a key for tests only"), o.Accounts),
		RedirectSources: []string{public.Host}, Sandbox: play.Public(),
		Hosted: demo.Hosted{
			Public: app.URL, URL: app.URL + "/sandbox/hps", Script: app.URL + "/sandbox/checkout.js", JQuery: app.URL + "/sandbox/jquery.js",
			MerchantID: sandbox.TestMerchantID, PublicKey: sandbox.TestPublicKey, MerchantsURL: app.URL + "/sandbox/hps/merchants",
			FrameURL: app.URL + "/sandbox/hps/embed",
		},
		Merchants: merchant.New(app.Pool, box, queue), EmbedOrigins: o.EmbedOrigins,
		Live: app.Live, Streams: live.NewSlots(1000, o.Streams),
		Provider:  o.Provider,
		PublicURL: public, BridgeURL: &url.URL{Scheme: "http", Host: "localhost:3015"},
		CRMSocketURL: &url.URL{Scheme: "wss", Host: "localhost:3017", Path: "/"},
	})
	app.Site, site.Config.Handler = built, built
	site.Start()
	site.Config.RegisterOnShutdown(app.Live.Close)
	background, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { app.Payments.Sweep(background) })
	working.Go(func() { app.Live.Run(background) })
	t.Cleanup(func() {
		stop()
		working.Wait()
		_ = play.Close()
		app.Live.Close()
		app.gateway.CloseClientConnections()
		app.gateway.Close()
		site.CloseClientConnections()
		site.Close()
		_ = app.Payments.Close(context.Background())
		app.Links.Close()
	})
	app.WorkQueue = func(t testing.TB) {
		t.Helper()
		startJobs(t, app, public, o.MailServer, log)
	}
	if o.Jobs {
		app.WorkQueue(t)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	app.Client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return app
}

// newPush sets push up where a project is given, with keys of its own.
func newPush(t testing.TB, pool *pgxpool.Pool, c push.Config, log *slog.Logger) *push.Push {
	t.Helper()
	if c.Project == (push.Project{}) {
		return nil
	}
	keys, err := push.DeriveKeys([]byte("a seed of 32 bytes, for the tests"[:32]))
	if err != nil {
		t.Fatal(err)
	}
	c.Keys, c.HashKey, c.Contact = keys, []byte("a key for tests only"), "support@forecourt.test"
	p, err := push.New(pool, c, log)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// startJobs works on the queue until the test ends.
func startJobs(t testing.TB, app *App, public *url.URL, server *mail.Server, log *slog.Logger) {
	t.Helper()
	working, stop := context.WithCancel(context.Background())
	client, err := jobs.Start(working, jobs.Config{Pool: app.Pool, Payments: app.Payments, Settlement: app.Settlement, Log: log, Push: app.Push, Words: pay.PushMessage, Mail: mail.Config{
		Pool: app.Pool, Log: log, Server: server, Sender: "no-reply@forecourt.test",
		Writers: letters.Desk{Provider: "Forecourt", Support: "support@forecourt.test", Public: public, Bcc: "books@forecourt.test", Compliance: app.Records}.Writers(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Stop(context.Background())
		stop()
	})
}

// StopGateway takes the gateway away: connections to it are refused.
func (a *App) StopGateway() { a.gateway.Close() }

func countingPool(t testing.TB, count *atomic.Int64) *pgxpool.Pool {
	t.Helper()
	cfg, err := pgxpool.ParseConfig(dbtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.ConnConfig.Tracer = counter{count}
	cfg.MaxConns = 16
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// counter counts statements.
type counter struct{ count *atomic.Int64 }

func (c counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.count.Add(1)
	return ctx
}

func (c counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Package apptest boots the whole site for a test: real database, real gateway over HTTP, all routes.
package apptest

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app"
	"forecourt/handlers"
	"forecourt/handlers/demo"
	"forecourt/handlers/pay"
	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/outbound"
	"forecourt/internal/run/push"
	"forecourt/internal/site/legal"
	"forecourt/sandbox"
)

const key = "test-key"

// App is a running site.
type App struct {
	*app.Rules
	URL     string
	Client  *http.Client   // keeps cookies, follows no redirect
	Queries *atomic.Int64  // the number of statements that requests have sent to the database so far
	Site    *handlers.Site // the handler of every address, and its site map
	// WorkQueue starts working through the queue of a site without Options.Jobs.
	WorkQueue func(t testing.TB)
	gateway   *httptest.Server
	database  string // the address of the database, for its owner
}

// Options change what New starts. The zero value is a site with the sandbox.
type Options struct {
	// Gateway replaces the sandbox.
	Gateway http.Handler
	// Limits apply against card testing; the defaults if zero.
	Limits payment.Limits
	// InviteLimits apply to guessing tokens; the defaults if zero.
	InviteLimits invite.Limits
	// UnpaidOrders is how many unpaid orders a network may make in an hour; the default if zero.
	UnpaidOrders int
	// Proxies are trusted to say where a request came from.
	Proxies web.Proxies
	// Streams is how many event streams one address may have open; 40 if zero.
	Streams int
	// Apple says who validates merchants for Apple Pay; the gateway if zero. AppleDomainFile may be nil.
	Apple           gateway.AppleConfig
	AppleDomainFile []byte
	// Timeout limits one call of the gateway; 10 s if zero.
	Timeout time.Duration
	// Accounts limits guesses of passwords; the defaults if zero.
	Accounts account.Limits
	// Jobs runs the queue, which sends mail; without it, queued work waits.
	Jobs bool
	// MailServer gets the mails; nil leaves them in the outbox.
	MailServer *mail.Server
	// Push configures push messages; the zero value turns them off.
	Push push.Config
	// Descriptors are how charges of a shop appear on a statement; LAT*shop without one.
	Descriptors map[string]string
	// EmbedOrigins may frame a merchant's dashboard.
	EmbedOrigins []string
	// OtherOrigins are the site's origins besides its own address.
	OtherOrigins []string
	// Live makes a site without demo mode.
	Live bool
	// OpenDemo makes the site a demo that others can reach.
	OpenDemo bool
	// WalletSessions is how many Apple Pay sessions of a business a network may start in an hour; 120 if zero.
	WalletSessions int
	// BridgeDir is a folder with the terminal service for visitors' computers.
	BridgeDir string
	// Provider is the company that runs the site; an invented one if zero.
	Provider legal.Provider
	// Beside is another process of the same site, whose database this one shares; nil for a database of its own.
	Beside *App
	// Log gets the log; nil for none.
	Log *slog.Logger
	// Secret is what keys are derived from; dbtest.Secret if empty.
	Secret string
}

// New starts a site that ends with the test. The test's package needs dbtest.Main.
func New(t testing.TB, o Options) *App {
	t.Helper()
	a := &App{Queries: new(atomic.Int64)}
	server := httptest.NewUnstartedServer(nil)
	public := &url.URL{Scheme: "http", Host: server.Listener.Addr().String()}
	a.URL = public.String()

	play, err := sandbox.Open(sandbox.Options{
		Path: filepath.Join(t.TempDir(), "sandbox.db"), Key: key, AllowLive: true, KnownOnly: o.Live, SlowAnswer: time.Millisecond,
		PublicURL: func() string { return a.URL + "/sandbox" },
		Outbound:  outbound.New([]string{public.Host}, 5*time.Second),
	})
	check.Must(t, err)
	if o.Gateway == nil {
		o.Gateway = play.Handler()
	}
	a.gateway = httptest.NewServer(o.Gateway)
	cfg := o.config(public, a.gateway.URL)
	if o.Beside != nil {
		a.database = o.Beside.database
	} else {
		a.database = dbtest.Sealed(t)
	}
	cfg.Pool, cfg.Sandbox = countingPool(t, a.database, a.Queries), play.Public()
	cfg.Listen = cfg.Pool.Config().ConnConfig
	site, err := app.Open(cfg)
	check.Must(t, err)
	play.Know(site.Merchants.Hosted)
	a.Rules, a.Site, server.Config.Handler = site.Rules, site.Handler, site.Handler
	check.Must(t, site.Start(t.Context()))
	server.Start()
	server.Config.RegisterOnShutdown(site.Live.Close)
	t.Cleanup(func() {
		_ = play.Close()
		site.Live.Close()
		a.gateway.CloseClientConnections()
		a.gateway.Close()
		server.CloseClientConnections()
		server.Close()
		_ = site.Close(context.Background())
	})
	a.WorkQueue = func(t testing.TB) {
		t.Helper()
		check.Must(t, site.WorkQueue(context.Background()))
	}
	jar, err := cookiejar.New(nil)
	check.Must(t, err)
	a.Client = &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return a
}

// config returns the configuration of a site at an address, except for its database.
func (o Options) config(public *url.URL, gatewayURL string) app.Config {
	if o.Provider == (legal.Provider{}) {
		o.Provider = legal.DefaultProvider()
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Streams == 0 {
		o.Streams = 40
	}
	play := public.JoinPath("sandbox").String()
	hosted := demo.Hosted{
		Public: public.String(), URL: play + "/hps", Script: play + "/checkout.js", JQuery: play + "/jquery.js",
		FrameURL: play + "/hps/embed", OwnMerchants: true,
	}
	if !o.Live {
		hosted.MerchantID, hosted.PublicKey, hosted.MerchantsURL = sandbox.TestMerchantID, sandbox.TestPublicKey, play+"/hps/merchants"
	}
	return app.Config{
		Log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)), Secret: cmp.Or(o.Secret, dbtest.Secret),
		PublicURL: public, BridgeDir: o.BridgeDir, Origins: append([]string{public.String()}, o.OtherOrigins...),
		Demo: !o.Live, OpenDemo: o.OpenDemo, JobsWait: !o.Jobs,
		Gateway: gateway.New(gateway.Config{URL: gatewayURL, Key: secret.New(key), Timeout: o.Timeout}),
		Settings: app.Settings{
			BridgeURL: &url.URL{Scheme: "http", Host: "localhost:3015"}, CRMSocketURL: &url.URL{Scheme: "wss", Host: "localhost:3017", Path: "/"},
			TrustedProxies: o.Proxies, Provider: o.Provider, EmbedOrigins: o.EmbedOrigins,
			GatewayTimeout: o.Timeout, SettlementDays: 5, RedirectHosts: []string{public.Host}, Descriptors: o.Descriptors,
			Hosted:  hosted,
			Wallets: pay.Wallets{GoogleScript: "https://pay.google.com/gp/p/js/pay.js", GoogleGateway: "example", Simulated: true},
			Apple:   o.Apple, AppleDomainFile: o.AppleDomainFile,
			Limits: app.Limits{
				Payment: o.Limits, Invite: o.InviteLimits, Account: o.Accounts,
				UnpaidOrders: o.UnpaidOrders, Streams: o.Streams, WalletSessions: o.WalletSessions, Push: o.Push.Limit,
			},
			Push: o.Push, MailServer: o.MailServer, MailFrom: "no-reply@forecourt.test", MailBcc: "books@forecourt.test",
		},
	}
}

// StopGateway stops the gateway: connections to it are refused.
func (a *App) StopGateway() { a.gateway.Close() }

// Owner returns connections as the database's owner, who may do what the site may not: change the schema, empty tables.
func (a *App) Owner(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), a.database)
	check.Must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// Backfill inserts many old payments at once. No trigger fires: the site would have to work through their events. Backfill analyses the
// tables, as PostgreSQL does by itself after a minute, so that queries are planned for them.
func (a *App) Backfill(t testing.TB, statement string, args ...any) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), a.Owner(t), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
		if _, err := tx.Exec(t.Context(), statement, args...); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), `INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency,
				amount_minor, gst_minor, method, moved_at, booked_at)
			SELECT 'capture', a.id, a.id::text, a.transaction_id, a.shop_code, a.test_mode, a.currency, a.amount_minor,
				CASE WHEN c.gst_included THEN gst_in(a.amount_minor) ELSE 0 END, a.method, a.settled_at, a.settled_at
			FROM attempt a LEFT JOIN receipt c ON c.transaction_id = a.transaction_id WHERE a.state = 'approved'
			ON CONFLICT (kind, id) DO UPDATE SET gst_minor = excluded.gst_minor`)
		if err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), "ANALYZE transaction, attempt, receipt, movement")
		return err
	})
	check.Must(t, err)
}

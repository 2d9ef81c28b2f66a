package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/account"
	"forecourt/handlers/api"
	"forecourt/handlers/compliance"
	"forecourt/handlers/demo"
	"forecourt/handlers/docs"
	"forecourt/handlers/forms"
	"forecourt/handlers/kitchen"
	"forecourt/handlers/merchant"
	"forecourt/handlers/outbox"
	"forecourt/handlers/pay"
	"forecourt/handlers/pos"
	pushes "forecourt/handlers/push"
	"forecourt/handlers/receipt"
	"forecourt/handlers/shortlink"
	"forecourt/handlers/site"
	"forecourt/handlers/staff"
	"forecourt/handlers/tokengen"
	"forecourt/handlers/web"
	accounts "forecourt/internal/account"
	"forecourt/internal/batch"
	records "forecourt/internal/compliance"
	"forecourt/internal/form/formstore"
	"forecourt/internal/gateway"
	"forecourt/internal/invite"
	kitchens "forecourt/internal/kitchen"
	"forecourt/internal/live"
	merchants "forecourt/internal/merchant"
	"forecourt/internal/nav"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/internal/provider"
	"forecourt/internal/push"
	receipts "forecourt/internal/receipt"
	"forecourt/internal/replica"
	"forecourt/internal/seal"
	links "forecourt/internal/shortlink"
)

// Deps is what the pages work with.
type Deps struct {
	Pool     *pgxpool.Pool
	Replica  *replica.Replica // menus are read from it; nil: none
	Payments *payment.Payments
	Invites  *invite.Invites
	Accounts *accounts.Accounts
	// Compliance is what merchants sign and show of themselves.
	Compliance *records.Records
	Receipts   *receipts.Receipts
	Merchants  *merchants.Merchants
	// EmbedOrigins may frame /merchant/admin and hear of its merchant's key.
	EmbedOrigins []string
	Links        *links.Links // short links, which count their hits
	Forms        *formstore.Forms
	Push         *push.Push // nil: nobody can ask to be told
	Log          *slog.Logger
	// Box seals what is kept of a person whose session timed out.
	Box *seal.Box
	// Outbox shows every mail at /dev/outbox, which holds links to new passwords: in demo mode only.
	Outbox bool
	// OpenDemo makes each page say that anybody can read it.
	OpenDemo bool
	// Live tells open pages what has changed; Streams are how many of those may be open.
	Live    *live.Hub
	Streams *live.Slots
	// Stranger hears of each request with an X-Forwarded-For that is not believed; nil: nobody does.
	Stranger func()
	// Observe hears of each answered request; nil: nobody does.
	Observe func(method, route string, status int, took time.Duration)
	// Trace begins a span for each request; nil: there are none.
	Trace func(ctx context.Context, method string) (_ context.Context, end func(route, request string, status int))
	HTTPS bool // whether the public address is https
	// Proxies are believed about where a request came from.
	Proxies web.Proxies
	// Descriptor is how a client's charge reads on a statement.
	Descriptor func(client string) string
	// RedirectSources are the hosts a payment page's form may lead on to, as Content-Security-Policy sources.
	RedirectSources []string
	// PublicURL is where people reach the site; BridgeURL and CRMSocketURL are services on the visitor's own computer.
	PublicURL, BridgeURL, CRMSocketURL *url.URL
	// Hosted says where the hosted payment page of the demo is.
	Hosted demo.Hosted
	// Wallets is how payment pages offer wallets, Apple validates their merchants, and AppleDomainFile is what Apple looks
	// for at our address; nil where there is none.
	Wallets         pay.Wallets
	Apple           *gateway.AppleSessions
	AppleDomainFile []byte
	// Sandbox serves the built-in gateway's pages below /sandbox; nil without one.
	Sandbox http.Handler
	// Provider is who runs the site.
	Provider provider.Provider
}

// pages answer what the routes name.
type pages struct {
	account        *account.Handler
	api            *api.Handler
	apple          http.HandlerFunc // nil: none
	bridge         *demo.Bridge
	compliance     *compliance.Handler
	complianceDesk staff.Desk
	socket         *demo.Socket
	docs           *docs.Handler
	formDesk       staff.Desk
	disputeDesk    staff.Desk
	forms          *forms.Handler
	hosted         *demo.HostedPage
	kitchen        *kitchen.Handler
	merchant       *merchant.Handler
	outbox         *outbox.Handler
	pay            *pay.Handler
	pos            *pos.Handler
	push           *pushes.Handler
	qr             *demo.QR
	receipt        *receipt.Handler
	sandbox        http.HandlerFunc // nil: none
	shortlink      *shortlink.Handler
	site           *site.Handler
	testgateway    *merchant.TestGateway
	tokengen       *tokengen.Handler
}

func newPages(d Deps, sessions *web.Sessions) *pages {
	menus := order.NewMenus(d.Pool).WithReplica(d.Replica)
	orders := order.NewOrders(d.Pool, menus)
	var tell kitchens.Teller
	if d.Push != nil {
		tell = d.Push.Queue
	}
	p := &pages{
		account: account.New(d.Accounts, sessions, d.Proxies, d.Outbox),
		api: api.New(d.Pool, menus, orders, d.Payments, d.Apple, d.Proxies).WithBatches(batch.New(d.Pool), d.Invites, d.PublicURL).
			WithMerchants(d.Merchants),
		bridge:         demo.NewBridge(d.BridgeURL),
		compliance:     compliance.New(d.Compliance, sessions, d.Proxies),
		complianceDesk: staff.Compliance(d.Compliance),
		socket:         demo.NewSocket(d.CRMSocketURL),
		docs:           docs.New(d.PublicURL),
		formDesk:       staff.Forms(d.Forms),
		disputeDesk:    staff.Disputes(db.New(d.Pool)),
		forms:          forms.New(d.Forms, sessions),
		hosted:         demo.NewHosted(d.Hosted),
		kitchen:        kitchen.New(db.New(d.Pool), kitchens.New(d.Pool, d.Live.Announce, tell), menus, sessions, d.Live, d.Streams, d.Proxies),
		merchant:       merchant.New(d.Merchants, sessions, d.PublicURL, d.EmbedOrigins),
		outbox:         outbox.New(db.New(d.Pool)),
		pay: pay.New(menus, d.Payments, pay.Config{
			Descriptor: d.Descriptor, RedirectSources: d.RedirectSources, Proxies: d.Proxies, Live: d.Live, Streams: d.Streams,
			Wallets: d.Wallets, Push: d.Push,
		}),
		pos:         pos.New(menus, orders, d.PublicURL.Scheme == "https"),
		push:        pushes.New(d.Push, d.Proxies),
		qr:          demo.NewQR(d.Pool, d.PublicURL),
		receipt:     receipt.New(d.Receipts, d.PublicURL, d.Proxies),
		shortlink:   shortlink.New(d.Links),
		site:        site.New(d.Pool, nav.NewDocuments(d.Pool, d.Log), d.Provider, d.OpenDemo, d.Log),
		testgateway: merchant.NewTestGateway(d.Merchants),
		tokengen:    tokengen.New(d.Invites, d.Log, d.PublicURL.JoinPath("api", "batch").String()),
	}
	if d.AppleDomainFile != nil {
		p.apple = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = w.Write(d.AppleDomainFile) // a reader that is gone is nobody's error
		}
	}
	if d.Sandbox != nil {
		p.sandbox = http.StripPrefix("/sandbox", d.Sandbox).ServeHTTP
	}
	return p
}

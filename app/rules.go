package app

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/handlers/site"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/picture"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/run/push"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/kitchen"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/shortlink"
	"forecourt/internal/upkeep/privacy"
	"forecourt/sandbox"
)

// Rules are the parts of a site that implement its rules, without pages.
type Rules struct {
	Pool       *pgxpool.Pool
	Mail       *mail.Queue
	Accounts   *account.Accounts
	Books      *books.Books
	Compliance *compliance.Records
	Events     *notice.Numberer
	Forms      *form.Forms
	// GatewayAccounts tries accounts only with a gateway.
	GatewayAccounts *gatewayaccount.Accounts
	Health          *site.Board
	Invites         *invite.Invites
	Kitchens        *kitchen.Kitchens
	GoLive          *golive.GoLive
	Links           *shortlink.Links
	Live            *pubsub.Hub
	Menus           *order.Menus
	Merchants       *merchant.Merchants
	Notices         *notice.Notices
	Orders          *order.Orders
	Paylinks        *paylink.Links
	Payments        *payment.Payments // nil without a gateway, as is Settlement
	Privacy         *privacy.Privacy
	Push            *push.Push // nil when push is off
	Receipts        *receipt.Receipts
	Settlement      *settlement.Settlement
	Shops           *shop.Shops
	Studio          *menu.Studio
	Pictures        *picture.Studio
}

// NewRules builds the rules alone, for a command.
func NewRules(c Config) (*Rules, error) {
	ring, queue := c.ring(), mail.NewQueue(c.Pool)
	limitKeys, signer := ring.Key("limits"), receipt.NewSigner(ring.Key("receipts"))
	pushes, err := openPush(c)
	if err != nil {
		return nil, err
	}
	hasher, places, studio := secret.NewHasher(), account.PasswordPlaces(), picture.NewStudio()
	accounts, err := account.New(account.Config{
		Pool: c.Pool, Hasher: hasher, Places: places, Mail: queue, Keys: limitKeys, Limits: c.Limits.Account,
		Box: ring.Box("one-time codes"), Forms: ring.Box("kept input"), Issuer: c.Provider.Name, Verification: c.Verification(),
		Public: c.PublicURL, Origins: c.Origins,
	})
	if err != nil {
		return nil, err
	}
	r := &Rules{
		Pool: c.Pool, Mail: queue, Push: pushes, Pictures: studio,
		Accounts: accounts,
		Compliance: compliance.New(compliance.Config{
			Pool: c.Pool, Box: ring.Box("compliance"), Mail: queue, Pictures: studio, Provider: c.Provider,
		}),
		Notices:   notice.New(c.Pool, queue, pushes),
		Forms:     form.New(c.Pool, queue, c.Verification()),
		Invites:   invite.New(c.Pool, hasher, places, ring.Key("invites"), c.Limits.Invite),
		Links:     shortlink.New(c.Pool, c.Log),
		Live:      pubsub.New(c.Pool, c.Listen, c.Log),
		Menus:     order.NewMenus(c.Pool),
		Merchants: merchant.New(c.Pool, ring.Box("terminal secrets"), queue, c.Verification(), limitKeys, sandbox.Decide),
		Receipts:  receipt.New(c.Pool, queue, signer, ring.Box("receipt keys"), limitKeys),
	}
	r.Shops = shop.New(shop.Config{
		Pool: c.Pool, Studio: studio, Mail: queue, Rule: c.Verification(), LimitKey: limitKeys, Announce: r.Live.Announce,
	})
	r.Privacy = privacy.New(privacy.Config{
		Pool: c.Pool, Mail: queue, Records: r.Compliance, Receipts: r.Receipts, Keys: limitKeys, Log: c.Log,
	})
	r.Events = notice.NewNumberer(c.Pool, r.Notices.Collect, c.Log)
	r.Studio = menu.New(c.Pool, r.Shops)
	r.GoLive = golive.New(c.Pool, r.Shops, queue, c.Verification(), r.Live.Announce)
	r.Forms.Accepted = r.Compliance.Accept
	r.GatewayAccounts = gatewayaccount.New(c.Pool, ring.Box("gateway accounts"), c.Gateway)
	r.Paylinks = paylink.NewLinks(c.Pool, r.Shops, queue, c.Verification(), limitKeys)
	r.Orders = order.NewOrders(c.Pool, r.Menus)
	r.Orders.Limit(throttle.New(db.New(c.Pool), limitKeys), c.Limits.UnpaidOrders)
	var tell kitchen.Teller
	if pushes != nil {
		tell = pushes.Queue
	}
	r.Kitchens = kitchen.New(c.Pool, r.Live.Announce, tell)
	if c.Gateway != nil {
		r.Payments = openPayments(c, r)
		r.Settlement = settlement.New(settlement.Config{
			Pool: c.Pool, Gateway: c.Gateway, Previous: c.Previous, Mail: queue, Days: c.SettlementDays, Log: c.Log,
		})
	}
	r.Health = openHealth(c)
	r.Books = books.New(c.Pool, r.Shops, queue, signer)
	return r, nil
}

func openHealth(c Config) *site.Board {
	watched := site.BoardConfig{
		Store: func(ctx context.Context) error { return db.Writable(ctx, c.Pool) }, Closed: db.New(c.Pool).RestoreClosed, Log: c.Log,
	}
	if c.Gateway != nil {
		watched.Gateway = c.Gateway.Reached
	}
	if c.MailServer != nil {
		watched.Mail = c.MailServer.Works
	}
	return site.NewBoard(watched)
}

func openPayments(c Config, r *Rules) *payment.Payments {
	var settled func(state.Attempt, state.Method)
	if c.Metrics != nil {
		settled = c.Metrics.Payment
	}
	var trace func(context.Context, string) (context.Context, func())
	if c.Tracer != nil {
		trace = c.Tracer.Later
	}
	return payment.New(c.Pool, c.Gateway, payment.Config{
		Timeout: c.GatewayTimeout, Previous: c.Previous, Descriptor: c.Descriptor, RedirectHosts: c.RedirectHosts,
		Limits: c.Limits.Payment, Announce: r.Live.Announce, Mail: r.Mail, Settled: settled, Trace: trace,
		ReturnURL: func(code, id string) string { return c.PublicURL.JoinPath("pos", code, id).String() },
	}, c.Log)
}

// openPush returns nil if push is off, because no project is set or a part of it is missing (PUSH-01).
func openPush(c Config) (*push.Push, error) {
	cfg := c.Push
	if cfg.Project.IsZero() {
		return nil, nil //nolint:nilnil // nil is a site without push
	}
	cfg.HashKey, cfg.Allow, cfg.Limit = c.ring().Key("limits"), append(cfg.Allow, c.OutboundAllow...), c.Limits.Push
	cfg.Contact = c.Provider.SupportMail
	if c.PublicURL.Scheme == "https" {
		cfg.Contact = c.PublicURL.String()
	}
	if cfg.Keys.Public == "" {
		var err error
		if cfg.Keys, err = push.DeriveKeys(c.ring().Key("push")); err != nil {
			return nil, err
		}
	}
	p, err := push.New(c.Pool, cfg, c.Log)
	var missing *push.SetupError
	if errors.As(err, &missing) {
		c.Log.Warn("push messages are off", "missing", missing.Missing)
		return nil, nil //nolint:nilnil // the same
	}
	return p, err
}

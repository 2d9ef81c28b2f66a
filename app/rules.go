package app

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/account"
	"forecourt/internal/batch"
	"forecourt/internal/compliance"
	"forecourt/internal/event"
	"forecourt/internal/form/formstore"
	"forecourt/internal/gatewayaccount/accountstore"
	"forecourt/internal/health"
	"forecourt/internal/invite"
	"forecourt/internal/kitchen"
	"forecourt/internal/live"
	"forecourt/internal/mail"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/merchant"
	"forecourt/internal/notice/noticestore"
	"forecourt/internal/order"
	"forecourt/internal/payment"
	"forecourt/internal/picture"
	"forecourt/internal/privacy"
	"forecourt/internal/push"
	"forecourt/internal/receipt"
	"forecourt/internal/secret"
	"forecourt/internal/settlement"
	"forecourt/internal/shop/shopbooks"
	"forecourt/internal/shop/shoplinks"
	"forecourt/internal/shop/shopstore"
	"forecourt/internal/shop/shoptrade"
	"forecourt/internal/shortlink"
	"forecourt/internal/throttle"
)

// Rules are the parts of a site that implement its rules, without pages.
type Rules struct {
	Pool       *pgxpool.Pool
	Mail       *mail.Queue
	Accounts   *account.Accounts
	Batches    *batch.Batches
	Books      *shopbooks.Books
	Compliance *compliance.Records
	Events     *event.Numberer
	Forms      *formstore.Forms
	// GatewayAccounts tries accounts only with a gateway.
	GatewayAccounts *accountstore.Accounts
	Health          *health.Board
	Invites         *invite.Invites
	Kitchens        *kitchen.Kitchens
	GoLive          *shopstore.GoLive
	Links           *shortlink.Links
	Live            *live.Hub
	Menus           *order.Menus
	Merchants       *merchant.Merchants
	Notices         *noticestore.Notices
	Orders          *order.Orders
	Paylinks        *shoplinks.Links
	Payments        *payment.Payments // nil without a gateway, as is Settlement
	Privacy         *privacy.Privacy
	Push            *push.Push // nil when push is off
	Receipts        *receipt.Receipts
	Settlement      *settlement.Settlement
	Shops           *shopstore.Shops
	Studio          *menustore.Studio
	Pictures        *picture.Studio
	Team            *shopstore.Team
	Trade           *shoptrade.Trade
	typing          *secret.Box // seals the input of a session that timed out
}

// NewRules builds the rules alone, for a command.
func NewRules(c Config) (*Rules, error) {
	ring, queue := c.ring(), mail.NewQueue(c.Pool)
	limitKeys, signer := ring.Key("limits"), receipt.NewSigner(ring.Key("receipts"))
	pushes, err := openPush(c)
	if err != nil {
		return nil, err
	}
	hasher, studio := secret.NewHasher(), picture.NewStudio()
	accounts, err := account.New(account.Config{
		Pool: c.Pool, Hasher: hasher, Mail: queue, Keys: limitKeys, Limits: c.Limits.Account,
		Box: ring.Box("one-time codes"), Issuer: c.Provider.Name, Verification: c.Verification(),
		Public: c.PublicURL, Origins: c.Origins,
	})
	if err != nil {
		return nil, err
	}
	r := &Rules{
		Pool: c.Pool, Mail: queue, Push: pushes, Pictures: studio, typing: ring.Box("kept input"),
		Accounts: accounts,
		Batches:  batch.New(c.Pool),
		Compliance: compliance.New(compliance.Config{
			Pool: c.Pool, Box: ring.Box("compliance"), Mail: queue, Pictures: studio, Provider: c.Provider,
		}),
		Notices:   noticestore.New(c.Pool, queue, pushes),
		Forms:     formstore.New(c.Pool, queue, c.Verification()),
		Invites:   invite.New(c.Pool, hasher, ring.Key("invites"), c.Limits.Invite),
		Links:     shortlink.New(c.Pool, c.Log),
		Live:      live.New(c.Pool, c.Listen, c.Log),
		Menus:     order.NewMenus(c.Pool),
		Merchants: merchant.New(c.Pool, ring.Box("terminal secrets"), queue, c.Verification(), limitKeys),
		Receipts:  receipt.New(c.Pool, queue, signer, ring.Box("receipt keys"), limitKeys),
		Shops:     shopstore.New(c.Pool, studio),
	}
	r.Privacy = privacy.New(privacy.Config{
		Pool: c.Pool, Mail: queue, Records: r.Compliance, Receipts: r.Receipts, Keys: limitKeys, Log: c.Log,
	})
	r.Events = event.NewNumberer(c.Pool, r.Notices.Collect, c.Log)
	r.Studio = menustore.New(c.Pool, r.Shops)
	r.GoLive = shopstore.NewGoLive(c.Pool, r.Shops, queue, c.Verification(), r.Live.Announce)
	r.Forms.Accepted = r.Compliance.Accept
	r.GatewayAccounts = accountstore.New(c.Pool, ring.Box("gateway accounts"), c.Gateway)
	r.Team = shopstore.NewTeam(shopstore.TeamConfig{
		Pool: c.Pool, Mail: queue, Rule: c.Verification(), LimitKey: limitKeys, Announce: r.Live.Announce,
	})
	r.Paylinks = shoplinks.New(shoplinks.Config{
		Pool: c.Pool, Shops: r.Shops, Batches: r.Batches, Mail: queue, Rule: c.Verification(), Key: limitKeys,
	})
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
	r.Trade = shoptrade.New(c.Pool, r.Shops, r.Payments)
	r.Books = shopbooks.New(c.Pool, r.Shops, queue, signer)
	return r, nil
}

func openHealth(c Config) *health.Board {
	watched := health.Config{
		Store: func(ctx context.Context) error { return db.Writable(ctx, c.Pool) }, Closed: db.New(c.Pool).RestoreClosed, Log: c.Log,
	}
	if c.Gateway != nil {
		watched.Gateway = c.Gateway.Reached
	}
	if c.MailServer != nil {
		watched.Mail = c.MailServer.Works
	}
	return health.New(watched)
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
		ReturnURL: func(client, id string) string { return c.PublicURL.JoinPath("pos", client, id).String() },
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

package app

import (
	"os"

	"forecourt/db"
	"forecourt/handlers"
	"forecourt/handlers/account"
	"forecourt/handlers/api"
	"forecourt/handlers/compliance"
	"forecourt/handlers/demo"
	"forecourt/handlers/desk"
	"forecourt/handlers/forms"
	"forecourt/handlers/merchant"
	"forecourt/handlers/pay"
	"forecourt/handlers/pos"
	"forecourt/handlers/receipt"
	"forecourt/handlers/session"
	"forecourt/handlers/site"
	"forecourt/handlers/staff"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/throttle"
	"forecourt/internal/site/frontpage"
)

// pages wires the handlers to the domain services.
func (s *Site) pages(streams *throttle.Places) *handlers.Site {
	c, queries, proxies := s.config, db.New(s.Pool), s.config.TrustedProxies
	https := c.PublicURL.Scheme == "https"
	responder := web.NewResponder(c.Log)
	uploads, turns := web.NewUploads(proxies), web.NewTurns()
	sessions := session.New(session.Config{
		Accounts: s.Accounts, HTTPS: https, Proxies: proxies, EndNotices: queries.NoticeBrowserForget, Responder: responder, Log: c.Log,
	})
	if s.Push != nil {
		sessions.Changed = s.Push.Sync
	}
	teams := session.NewTeams(s.Shops, sessions)
	built := handlers.Config{
		Log: c.Log, Responder: responder, Sessions: sessions, Teams: teams, Turns: turns, Proxies: proxies, HTTPS: https,
		Origins: c.Origins, Demo: c.Demo,
		Subdomains: c.Subdomains != nil && *c.Subdomains,
	}
	if c.Metrics != nil {
		built.Observe, built.Stranger, sessions.Count = c.Metrics.Request, c.Metrics.Stranger, c.Metrics.Security
	}
	if c.Tracer != nil {
		built.Trace = c.Tracer.Request
	}
	people := form.NewPeople(queries)
	payers := session.NewPayers(https, c.ring().Key("payers"))
	accounts := account.New(account.Config{
		Accounts: s.Accounts, Privacy: s.Privacy, Shops: s.Shops, Merchants: s.Merchants, Forms: s.Forms,
		Sessions: sessions, Proxies: proxies, People: people, Outbox: c.Demo,
	})
	built.Pages = handlers.Pages{
		Account: accounts,
		API: api.New(api.Config{
			Queries: queries, Menus: s.Menus, Orders: s.Orders, Payments: s.Payments, Apple: gateway.NewAppleSessions(c.Gateway, c.Apple),
			Proxies: proxies, Uploads: uploads, Sessions: sessions,
			Batches: s.Paylinks, Invites: s.Invites, Merchants: s.Merchants, Public: c.PublicURL,
			Limits: throttle.New(queries, c.ring().Key("limits")), WalletSessions: c.Limits.WalletSessions, Payers: payers,
		}),
		Apple:           pay.AppleDomain(c.AppleDomainFile),
		BankQueue:       staff.BankAccounts(s.Compliance),
		Bridge:          &demo.Bridge{Service: c.BridgeURL, Public: c.PublicURL, Files: os.DirFS(c.BridgeDir)},
		Compliance:      compliance.New(s.Compliance, sessions, proxies, uploads),
		ComplianceQueue: staff.Compliance(s.Compliance),
		Desk: desk.New(desk.Config{
			Shops: s.Shops, Menus: s.Studio, Proxies: proxies, GoLive: s.GoLive, Forms: s.Forms, Links: s.Paylinks, Public: c.PublicURL,
			People: people, Payments: s.Payments, Notices: s.Notices, Books: s.Books,
			Privacy: s.Privacy, Records: s.Compliance, Sessions: sessions, Uploads: uploads, Log: c.Log,
		}),
		DisputeQueue:        staff.Disputes(queries),
		Docs:                demo.Documents(c.PublicURL, c.Hosted, s.Push),
		FormQueue:           staff.Forms(s.Forms, s.Shops, s.GoLive, s.Compliance),
		Forms:               forms.New(s.Forms, sessions, accounts, people),
		Hosted:              demo.NewHosted(c.Hosted, s.Merchants),
		GatewayAccountQueue: staff.GatewayAccounts(s.GatewayAccounts, s.Settlement),
		GoLiveQueue:         staff.GoLive(s.GoLive, s.Forms, s.Compliance, s.GatewayAccounts),
		Kitchen: &pos.Kitchen{
			Teams: teams, Shops: s.Shops, Kitchens: s.Kitchens, Menus: s.Menus, Sessions: sessions, Live: s.Live, Streams: streams, Proxies: proxies,
		},
		Merchant: merchant.New(merchant.Config{
			Merchants: s.Merchants, Shops: s.Shops, GoLive: s.GoLive, Sessions: sessions, Accounts: accounts,
			People: people, Public: c.PublicURL, Origins: c.EmbedOrigins,
			Hosted: c.Hosted,
		}),
		Outbox: &demo.Outbox{Queries: queries},
		Pay: pay.New(pay.Config{
			Menus: s.Menus, Payments: s.Payments, Descriptor: c.Descriptor, RedirectSources: c.RedirectHosts,
			Wallets: c.Wallets, Proxies: proxies, Live: s.Live, Streams: streams, Push: s.Push, Payers: payers, Trial: session.Preview{HTTPS: https},
		}),
		PaymentQueue: staff.Payments(s.Payments),
		PayoutQueue:  staff.Payouts(s.Settlement),
		POS:          pos.New(s.Menus, s.Orders, s.Studio, turns, proxies, https),
		Push:         api.NewPush(s.Push, proxies),
		QR:           &demo.QR{Pool: s.Pool, Public: c.PublicURL, Demo: c.Demo},
		Receipt:      receipt.New(s.Receipts, s.Privacy, c.Provider.SupportMail, c.PublicURL, proxies),
		RefundQueue:  staff.Refunds(s.Payments),
		Sandbox:      demo.Sandbox(c.Sandbox),
		Shortlink:    &site.Shortlink{Links: s.Links},
		Site: site.New(site.Config{
			Pool: s.Pool, Nav: site.NewNav(s.Pool, c.Log), Menus: s.Menus, Provider: c.Provider,
			OpenDemo: c.OpenDemo, Live: !c.Demo, HTTPS: https,
			Waiting: staff.Waiting(queries, s.Payments, s.Settlement, c.Log), Health: s.Health, Log: c.Log,
		}),
		Holidays:       staff.Holidays{Shops: s.Shops},
		StaffFees:      staff.Fees{Rules: s.Settlement},
		StaffSite:      staff.NewSite(frontpage.New(s.Pool, s.Pictures), uploads),
		Socket:         demo.Socket(c.CRMSocketURL),
		TestGateway:    merchant.NewTestGateway(s.Merchants, sessions),
		UnmatchedQueue: staff.Unmatched(s.Settlement, s.Payments),
		TokenGen: &demo.Tokengen{
			Invites: s.Invites, Sessions: sessions, Log: c.Log, BatchURL: c.PublicURL.JoinPath("api", "batch").String(),
		},
	}
	sessions.Desk = built.Desk.Own
	return handlers.New(built)
}

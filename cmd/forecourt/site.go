package main

import (
	"net/url"

	"forecourt/app"
)

// site builds the site's configuration for an address from the settings.
func (c config) site(d *database, link *gatewayLink, public *url.URL) app.Config {
	wallets := c.wallets.google
	wallets.Simulated = c.GatewayURL == "" // the built-in sandbox
	return app.Config{
		Log: d.log, Pool: d.pool, Secret: c.Secret, Tracer: c.tracer,
		PublicURL: public, Origins: c.origins(), BridgeURL: c.BridgeURL, CRMSocketURL: c.CRMSocketURL,
		Demo: c.demo, OpenDemo: c.openDemo(), Provider: c.provider, Proxies: c.TrustedProxies, EmbedOrigins: c.EmbedOrigins,
		Gateway: link.client, Previous: link.previous, GatewayTimeout: c.GatewayTimeout,
		SettlementDays: c.SettlementDays, RedirectHosts: link.redirectHosts, Descriptor: c.descriptor,
		Sandbox: link.pages, Hosted: link.hostedDemo(c, public),
		Wallets: wallets, Apple: c.wallets.apple, AppleDomainFile: c.wallets.domainFile,
		PaymentLimits: c.limits, InviteLimits: c.inviteLimits, AccountLimits: c.accountLimits,
		UnpaidOrders: c.LimitOrders, Streams: c.LimitStreams, WalletSessions: c.LimitWallet,
		Push: c.pushConfig(), MailServer: c.MailServer, MailFrom: c.MailFrom, MailBcc: c.MailBcc,
	}
}

// origins returns the origins at which people reach the site according to the settings, or nil without FORECOURT_URL.
func (c config) origins() []string {
	if c.URL == nil {
		return nil
	}
	origins := []string{plainAddress(c.URL.String())}
	for _, other := range c.OtherURLs {
		origins = append(origins, plainAddress(other))
	}
	return origins
}

// commandSite returns the configuration for a command. A command serves no browsers, and reaches the gateway only through link, which may
// be nil.
func (c config) commandSite(d *database, link *gatewayLink) app.Config {
	cfg := app.Config{
		Log: d.log, Pool: d.pool, Secret: c.Secret, Demo: c.demo, MailServer: c.MailServer,
		PublicURL: c.siteURL(), Provider: c.provider, Descriptor: c.descriptor,
		GatewayTimeout: c.GatewayTimeout, SettlementDays: c.SettlementDays,
		PaymentLimits: c.limits, InviteLimits: c.inviteLimits, AccountLimits: c.accountLimits,
	}
	if link != nil {
		cfg.Gateway, cfg.Previous, cfg.RedirectHosts = link.client, link.previous, link.redirectHosts
	}
	return cfg
}

package main

import (
	"net/url"

	"forecourt/internal/app"
)

// site builds the site's configuration for an address from the settings.
func (c config) site(d *database, link *gatewayLink, public *url.URL) app.Config {
	wallets := c.wallets.google
	wallets.Simulated = c.GatewayURL == "" // the built-in sandbox
	return app.Config{
		Log: d.log, Pool: d.pool, Secret: c.Secret, PreviousSecrets: c.SecretPrevious, Erased: c.erasedList(d.folder), Tracer: c.tracer,
		PublicURL: public, Origins: c.origins(), BridgeURL: c.BridgeURL, CRMSocketURL: c.CRMSocketURL,
		Demo: c.demo, OpenDemo: c.openDemo(), Provider: c.provider, Proxies: c.TrustedProxies, EmbedOrigins: c.EmbedOrigins,
		Gateway: link.client, Previous: link.previous, GatewayTimeout: c.GatewayTimeout, SettlementDays: c.SettlementDays, RedirectHosts: link.redirectHosts, Descriptor: c.descriptor,
		Sandbox: link.pages, Hosted: link.hostedDemo(c, public),
		Wallets: wallets, Apple: c.wallets.apple, AppleDomainFile: c.wallets.domainFile,
		PaymentLimits: c.limits, InviteLimits: c.inviteLimits, AccountLimits: c.accountLimits, UnpaidOrders: c.LimitOrders, Streams: c.LimitStreams, WalletSessions: c.LimitWallet,
		Push: c.pushConfig(), MailServer: c.MailServer, MailFrom: c.MailFrom, MailBcc: c.MailBcc,
	}
}

// origins are those under which the settings say that people reach the site, nil without FORECOURT_URL.
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

// commandSite is what a command works with. It tells nobody's browser anything, and has a way to the gateway only where one is given.
func (c config) commandSite(d *database, link *gatewayLink) app.Config {
	cfg := app.Config{
		Log: d.log, Pool: d.pool, Secret: c.Secret, PreviousSecrets: c.SecretPrevious, Erased: c.erasedList(d.folder), Demo: c.demo, MailServer: c.MailServer, PublicURL: c.siteURL(), Provider: c.provider, Descriptor: c.descriptor,
		GatewayTimeout: c.GatewayTimeout, SettlementDays: c.SettlementDays, PaymentLimits: c.limits, InviteLimits: c.inviteLimits, AccountLimits: c.accountLimits,
	}
	if link != nil {
		cfg.Gateway, cfg.Previous, cfg.RedirectHosts = link.client, link.previous, link.redirectHosts
	}
	return cfg
}

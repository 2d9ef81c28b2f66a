package main

import (
	"net/url"

	paypage "forecourt/handlers/pay"
	"forecourt/internal/gateway"
)

// appleSessions validates merchants at our public address.
func (s *server) appleSessions(public *url.URL) *gateway.AppleSessions {
	cfg := s.wallets.apple
	cfg.Domain = public.Hostname()
	return gateway.NewAppleSessions(s.gateway.client, cfg)
}

// offeredWallets are simulated, too, where the gateway is the sandbox inside.
func (s *server) offeredWallets() paypage.Wallets {
	offered := s.wallets.google
	offered.Simulated = s.GatewayURL == ""
	return offered
}

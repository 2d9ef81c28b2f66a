package payment

import (
	"slices"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
)

// ErrElsewhere means that a payment or refund belongs to a gateway that cannot be asked, because it is neither the configured nor the
// previous one.
var ErrElsewhere = fault.New(fault.Conflict, "it was sent to a gateway that is not set up: set GATEWAY_PREVIOUS_URL")

// gateways returns the gateway that payments are sent to and, if there is one, the previous gateway.
func (p *Payments) gateways() []*gateway.Client {
	if p.cfg.Previous == nil {
		return []*gateway.Client{p.gateway}
	}
	return []*gateway.Client{p.gateway, p.cfg.Previous}
}

// gatewayIDs returns the names of gateways.
func (p *Payments) gatewayIDs() []string {
	ids := []string{p.gateway.ID()}
	if p.cfg.Previous != nil {
		ids = append(ids, p.cfg.Previous.ID())
	}
	return ids
}

// at returns the gateway that something was sent to, or nil if it is not configured. Rows from before the gateway's name was stored belong
// to the current gateway.
func (p *Payments) at(id *string) *gateway.Client {
	if id == nil {
		return p.gateway
	}
	all := p.gateways()
	if i := slices.IndexFunc(all, func(c *gateway.Client) bool { return c.ID() == *id }); i >= 0 {
		return all[i]
	}
	return nil
}

// Elsewhere reports whether the gateway whose name is stored with a row is not configured.
func (p *Payments) Elsewhere(id *string) bool { return p.at(id) == nil }

// GatewayAway reports whether the gateway is known to be unreachable just now, so that the page can warn a payer before they type. The
// payer may still try: a payment that cannot be sent is not charged.
func (p *Payments) GatewayAway() bool { return p.gateway.Away() }

// moment is the layout of times for people, in UTC.
const moment = "2 January 2006, 15:04 UTC"

// Why says why a person has to look at something: the stored reason or, without one, what is missing. since is when it began.
func (p *Payments) Why(gateway *string, stored string, since time.Time) string {
	switch {
	case p.Elsewhere(gateway):
		return "sent to " + *gateway + ", which is not set up"
	case stored != "":
		return stored
	}
	return "no outcome since " + since.UTC().Format(moment)
}

package payment

import (
	"slices"
	"time"

	"forecourt/internal/fault"
	"forecourt/internal/gateway"
)

// ErrElsewhere is a payment or refund of a gateway that nobody here can ask: neither the one that is set up nor the one before.
var ErrElsewhere = fault.New(fault.Conflict, "it was sent to a gateway that is not set up")

// gateways are the one that payments are sent to and, if there is one, the one before.
func (p *Payments) gateways() []*gateway.Client {
	if p.cfg.Previous == nil {
		return []*gateway.Client{p.gateway}
	}
	return []*gateway.Client{p.gateway, p.cfg.Previous}
}

// gatewayIDs are the names of gateways.
func (p *Payments) gatewayIDs() []string {
	ids := []string{p.gateway.ID()}
	if p.cfg.Previous != nil {
		ids = append(ids, p.cfg.Previous.ID())
	}
	return ids
}

// at is the gateway that something was sent to. What was sent before that was kept went to whatever gateway it is now; nil is a
// gateway that is not set up.
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

// Elsewhere tells whether something was sent to a gateway that is not set up, by the name stored with it.
func (p *Payments) Elsewhere(id *string) bool { return p.at(id) == nil }

// GatewayAway tells whether the gateway is known to be out of reach just now, so that a payer can be told before typing
// anything. A payment may be tried all the same: what cannot be sent is not charged.
func (p *Payments) GatewayAway() bool { return p.gateway.Away() }

// Why says why a person has to look at something: what was stored about that, or else what is missing. since is when it began.
func (p *Payments) Why(gateway *string, stored string, since time.Time) string {
	switch {
	case p.Elsewhere(gateway):
		return "sent to " + *gateway + ", which is not set up"
	case stored != "":
		return stored
	}
	return "no outcome since " + since.UTC().Format(time.RFC3339)
}

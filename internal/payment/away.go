package payment

// GatewayAway tells whether the gateway is known to be out of reach just now, so that a payer can be told before typing
// anything. A payment may be tried all the same: what cannot be sent is not charged.
func (p *Payments) GatewayAway() bool { return p.gateway.Away() }

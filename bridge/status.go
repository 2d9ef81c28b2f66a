// Package bridge is the terminal service on the merchant's own computer: its wire format, a simulated terminal, and the server that
// makes it available to pages of allowed origins.
package bridge

// Status is what the service answers to every call (BRIDGE-28). Amount is in whole units of the currency, as the terminal
// counts, not in minor units.
type Status struct {
	Connected bool    `json:"connected"`
	Status    string  `json:"status"`
	TrxRef    string  `json:"trxRef"`
	Currency  string  `json:"currency"`
	Amount    float64 `json:"amount"`
	Trx       *Trx    `json:"trx"` // nil until a payment has ended, and in the fallback
}

// Trx is a payment that has ended.
type Trx struct {
	Result  string `json:"result"`  // the status it ended with
	EndedAt string `json:"endedAt"` // RFC 3339, UTC
}

// The states of a terminal. A payment under way is Connecting or Processing; it ends as Approved, Declined, TimedOut or Cancelled.
// Busy answers a payment that arrives while another one is under way.
const (
	Ready      = "ready"
	Connecting = "connecting"
	Processing = "processing"
	Approved   = "approved"
	Declined   = "declined"
	TimedOut   = "timeout"
	Cancelled  = "cancelled"
	Busy       = "busy"
)

// Currency of every payment at the terminal.
const Currency = "AUD"

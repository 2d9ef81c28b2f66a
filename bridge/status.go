// Package bridge is the terminal service on the merchant's own computer: what it says over the wire.
package bridge

// Status is what the service answers to every call (BRIDGE-28). Amount is in whole units of the currency, as the terminal
// counts, not in minor units.
type Status struct {
	Connected bool    `json:"connected"`
	Status    string  `json:"status"`
	TrxRef    string  `json:"trxRef"`
	Currency  string  `json:"currency"`
	Amount    float64 `json:"amount"`
	Trx       any     `json:"trx"` // null in the fallback
}

// Fallback is what a client shows when the service does not answer (BRIDGE-25).
func Fallback() Status {
	return Status{Connected: true, Status: "ready", TrxRef: "abcxyz", Currency: "AUD", Amount: 3}
}

package gateway

import (
	"context"
	"errors"
	"strings"
	"time"

	"forecourt/internal/money"
	"forecourt/internal/printable"
)

// Payout is money paid to a merchant: charges less refunds and disputes (Gross), less fees (Net), both in minor units and possibly
// negative. References names the charges, refunds and disputes in it; a dispute has the reference of its charge.
type Payout struct {
	ID               string
	MerchantID       string
	Currency         string // in upper case
	TestMode         bool
	Gross, Fees, Net int64
	References       []string // in lower case
	At               time.Time
}

// Payouts reads the payouts from (included) to (excluded), oldest first. It may return ErrNotServed.
func (c *Client) Payouts(ctx context.Context, from, to time.Time) ([]Payout, error) {
	return readLedger(ctx, c, from, to, KindPayout, func(w entryWire) (Payout, error) {
		p := Payout{
			ID: string(w.ID), MerchantID: string(w.MerchantID), Currency: strings.ToUpper(string(w.Currency)),
			TestMode: w.TestMode != nil && bool(*w.TestMode), At: w.At,
		}
		if p.ID == "" {
			return p, errors.New("the gateway's ledger has a payout without an id")
		}
		for minor, text := range map[*int64]Text{&p.Gross: w.Gross, &p.Fees: w.Fees, &p.Net: w.Net} {
			sum, err := money.ParseTotal(string(text))
			if err != nil {
				return p, errLedgerAmount
			}
			*minor = sum
		}
		for _, reference := range w.References {
			p.References = append(p.References, strings.ToLower(printable.MakeLine(string(reference), maxText)))
		}
		return p, nil
	})
}

package gateway

import (
	"context"
	"strings"
	"time"

	"forecourt/internal/kit/money"
)

// Payout is money paid to a merchant: charges less refunds and disputes (Gross), less fees (Net), both in minor units and possibly
// negative. References names the charges, refunds and disputes in it; a dispute has the reference of its charge.
type Payout struct {
	Gateway          string // that listed it, as Client.ID
	ID               string
	MerchantID       string
	Currency         string // in upper case
	TestMode         bool
	Gross, Fees, Net int64
	References       []string // in lower case
	At               time.Time
	Odd              string // what is wrong with the entry itself, or ""; a figure is 0 if it is not readable
}

// Payouts reads the payouts from (included) to (excluded), oldest first. It may return ErrNotServed.
func (c *Client) Payouts(ctx context.Context, from, to time.Time) ([]Payout, error) {
	return readLedger(ctx, c, from, to, KindPayout, func(w entryWire) Payout {
		p := Payout{
			Gateway: c.ID(), ID: w.ID.line(), MerchantID: w.MerchantID.line(), Currency: strings.ToUpper(w.Currency.line()),
			TestMode: w.TestMode != nil && bool(*w.TestMode), At: w.At,
		}
		for minor, text := range map[*int64]Text{&p.Gross: w.Gross, &p.Fees: w.Fees, &p.Net: w.Net} {
			var err error
			if *minor, err = money.ParseTotal(string(text)); err != nil {
				p.Odd = oddAmount
			}
		}
		switch {
		case p.ID == "":
			p.Odd = "it has no id"
		case w.broken:
			p.Odd = "it is not readable"
		}
		for _, reference := range w.References {
			p.References = append(p.References, reference.reference())
		}
		return p
	})
}

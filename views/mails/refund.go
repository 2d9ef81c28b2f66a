package mails

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/views/desk"
)

// refund tells a payer, in the name of the business, that money comes back.
func (l Letters) refund(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[payment.RefundData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).RefundLetter(ctx, order.Refund)
	if err != nil || row.PayerEmail == "" {
		return nil, gone(err)
	}
	row.ClientName = printable.Unlinked(row.ClientName, receipt.MostBusiness)
	accent, onTop, err := brand.Solid(row.Accent)
	if err != nil {
		return nil, err
	}
	currency := strings.TrimSpace(row.Currency)
	amount := money.Label(row.AmountMinor, currency)
	facts := []Fact{
		{Name: "Refund", Value: amount}, {Name: "You paid", Value: money.Label(row.PaidMinor, currency)},
		{Name: "Business", Value: row.ClientName}, {Name: "Reference", Value: row.TransactionID},
	}
	if row.SettledAt != nil {
		facts = append(facts, Fact{Name: "Date", Value: clock.Day(*row.SettledAt, clock.Zone(row.TimeZone))})
	}
	letter, err := note(ctx, row.PayerEmail, Note{
		Sender: Sender{
			Name: row.ClientName, Accent: accent, OnTop: onTop,
			Foot: "You are receiving this email because you paid " + row.ClientName + " with this " +
				"address. " + l.Provider + " processes payments for " + row.ClientName + ".",
		},
		Subject: desk.RefundSubject(amount, row.ClientName), Heading: "Your refund is on its way",
		Lines: []string{desk.RefundText(amount, row.ClientName)},
		Facts: facts, Test: row.TestMode,
	})
	if err != nil {
		return nil, err
	}
	letter.Bcc = l.Bcc
	if !row.TestMode {
		letter.Payment = row.TransactionID
		return letter, nil
	}
	letter.Business = row.ClientCode
	return letter, hold(ctx, tx, letter, row.ClientCode)
}

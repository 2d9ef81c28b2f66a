package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/paylink"
)

// paylink asks a payer to pay, in the name of the business. It writes nothing about a link that is paid or over.
func (l Letters) paylink(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[paylink.LetterData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).PaylinkLetter(ctx, order.Transaction)
	if err != nil {
		return nil, gone(err)
	}
	t, business := row.Transaction, printable.Unlinked(row.PlName, receipt.MostBusiness)
	accent, onTop, err := brand.Solid(row.Client.Accent)
	if err != nil {
		return nil, err
	}
	amount := money.Label(t.AmountMinor, t.Currency)
	n := Note{
		Sender: Sender{
			Name: business, Accent: accent, OnTop: onTop,
			Foot: "You are receiving this email because " + business + " asked you to " +
				"pay. " + l.Provider + " processes the payments for " + business + ".",
		},
		Subject: business + " asks you to pay " + amount, Heading: "Pay " + amount + " to " + business, Test: t.TestMode,
		Facts:  []Fact{{Name: "Amount", Value: amount}},
		Button: &Button{Label: "See and pay", URL: l.page("pos", t.ClientCode, t.ID)},
		After:  []string{"If you do not expect this, ignore this email: nothing is charged until you pay."},
	}
	if t.Description != "" {
		n.Facts = append(n.Facts, Fact{Name: "For", Value: t.Description})
	}
	if t.ClientRef != "" {
		n.Facts = append(n.Facts, Fact{Name: "Reference", Value: t.ClientRef})
	}
	if t.ExpiresAt != nil {
		n.Facts = append(n.Facts, Fact{Name: "Pay by", Value: clock.End(*t.ExpiresAt, clock.Zone(row.Client.TimeZone))})
	}
	letter, err := note(ctx, order.To, n)
	if err == nil && t.TestMode {
		err = hold(ctx, tx, letter, t.ClientCode)
	}
	return letter, err
}

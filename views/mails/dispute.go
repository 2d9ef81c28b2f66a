package mails

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/run/mail"
)

// disputed tells a business that a payment is disputed, or how that ended.
func (l Letters) disputed(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[settlement.DisputeData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).DisputeLetter(ctx, order.Attempt)
	if err != nil || row.MerchantMail == "" {
		return nil, gone(err)
	}
	row.ClientName = printable.Unlinked(row.ClientName, receipt.MostBusiness)
	row.ClientRef = printable.Unlinked(row.ClientRef, receipt.MostTyped)
	amount := money.Label(row.AmountMinor, row.Currency)
	n := Note{
		Sender: l.provider("You are receiving this email because " + row.ClientName + " takes payments with " + l.Provider + "."),
		Facts: []Fact{
			{Name: "Disputed", Value: amount}, {Name: "Paid", Value: money.Label(row.PaidMinor, row.Currency)},
			{Name: "Business", Value: row.ClientName},
			{Name: "Reference", Value: row.TransactionID},
		},
		Test: row.TestMode,
	}
	if ours := strings.TrimSpace(row.ClientRef); ours != "" {
		n.Facts = append(n.Facts, Fact{Name: "Your reference", Value: ours})
	}
	if row.PaidAt != nil {
		n.Facts = append(n.Facts, Fact{Name: "Paid on", Value: clock.Day(*row.PaidAt, clock.Zone(row.TimeZone))})
	}
	switch order.State {
	case state.DisputeWon:
		n.Subject, n.Heading = "You won the dispute about "+amount, "You won a dispute"
		n.Lines = []string{"The payer's bank decided for you. You keep the money."}
	case state.DisputeLost:
		n.Subject, n.Heading = "The dispute about "+amount+" is lost", "You lost a dispute"
		n.Lines = []string{"The payer's bank decided for the payer. The money is taken from one of your next payouts."}
	default:
		n.Subject, n.Heading = "A payment of "+amount+" is disputed", "A payment is disputed"
		n.Lines = []string{
			"The cardholder asked their bank to give this payment back. Collect what shows that it was right: " +
				"the order, the receipt, who was served and when.",
			"Send it to " + l.Support + ". Do not refund the payment now: the money would go back twice.",
		}
		if row.DueAt != nil {
			n.Facts = append(n.Facts, Fact{Name: "Answer by", Value: clock.Day(*row.DueAt, clock.Zone(row.TimeZone))})
		}
	}
	letter, err := note(ctx, row.MerchantMail, n)
	if row.TestMode { // anybody can dispute a test payment; a business has to learn of each real dispute
		letter.Business = row.ClientCode
	}
	return letter, err
}

package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
)

// paymentDecided tells a member of staff what one of them has decided about a payment or a refund.
func (l Letters) paymentDecided(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[payment.DecidedData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).DecidedLetter(ctx, order.Of)
	if err != nil {
		return nil, gone(err)
	}
	amount, business := money.Label(row.AmountMinor, row.Currency), printable.Unlinked(row.ClientName, receipt.MostBusiness)
	what, path := "payment", "payments"
	if row.IsRefund {
		what, path = "refund", "refunds"
	}
	n := Note{
		Sender:  l.provider("You are receiving this email because you are on the staff of " + l.Provider + "."),
		Subject: "A " + what + " of " + amount + " was decided", Heading: "A " + what + " was decided",
		Lines: []string{"This is for your information. If the decision is wrong, talk to the person who made it."},
		Facts: []Fact{
			{Name: "Decision", Value: DecidedWords[string(order.End)]},
			{Name: "Decided by", Value: order.By}, {Name: "Reason", Value: order.Reason},
			{Name: "The gateway said", Value: order.Says}, {Name: "Amount", Value: amount}, {Name: "Business", Value: business},
			{Name: "Transaction", Value: row.TransactionID},
		},
		Button: &Button{Label: "See the " + what, URL: l.page("staff", path, order.Of.String())}, Test: row.TestMode,
	}
	if order.Overruled {
		n.Subject += " against the gateway"
		n.Heading += " against the gateway"
		n.Lines = []string{"The gateway did not confirm this decision. If it is wrong, talk to the person who made it."}
	}
	return note(ctx, order.To, n)
}

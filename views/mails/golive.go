package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
)

// whyOwner says why an owner gets a letter about going live.
const whyOwner = "You are receiving this email because you are an owner of the business."

// goLiveDecided tells an owner what staff decided about going live.
func (l Letters) goLiveDecided(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, business, err := goLiveOf(ctx, tx, data)
	if err != nil {
		return nil, gone(err)
	}
	n := Note{
		Sender: l.provider(whyOwner), Button: &Button{Label: "Open the page “Go live”", URL: l.page("desk", order.Code, "live")},
	}
	switch {
	case order.State == golive.Approved:
		n.Subject, n.Heading = business+" may go live", business+" may go live"
		n.Lines = []string{"We approved your request. " + business + " is still in test mode: switch to real payments when you are ready."}
		n.Button.Label = "Switch to real payments"
	case order.Ended:
		n.Subject, n.Heading = business+" is back in test mode", business+" is back in test mode"
		n.Lines = []string{
			"We took " + business + " back to test mode, so it no longer takes real payments. Payments " +
				"that were made stay as they are. This is why:",
		}
	default:
		n.Subject, n.Heading = "We need a little more before "+business+" goes live", "We need a little more"
		n.Lines = []string{"We looked at your request to take " + business + " live, and ask for this:"}
	}
	if order.Reason != "" {
		n.Lines = append(n.Lines, order.Reason)
	}
	return note(ctx, order.To, n)
}

// shopLive tells an owner that a business takes real payments.
func (l Letters) shopLive(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, business, err := goLiveOf(ctx, tx, data)
	if err != nil {
		return nil, gone(err)
	}
	return note(ctx, order.To, Note{
		Sender:  l.provider(whyOwner),
		Subject: "You can take payments: " + business + " is live", Heading: "You can take payments",
		Lines: []string{
			business + " takes real payments now. Your codes on the tables and the addresses of your menu stay the same.",
			"Unpaid test orders have ended. If something is not right, an owner can go back to test mode at once.",
		},
		Button: &Button{Label: "Open your desk", URL: l.page("desk", order.Code)},
	})
}

func goLiveOf(ctx context.Context, tx pgx.Tx, data json.RawMessage) (order golive.Letter, business string, err error) {
	if order, err = read[golive.Letter](data); err != nil {
		return order, "", err
	}
	client, err := db.New(tx).ClientGet(ctx, order.Code)
	return order, printable.Unlinked(client.Name, receipt.MostBusiness), err
}

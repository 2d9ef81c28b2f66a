package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// invitedAdmin asks a person to run a merchant. The link is made here, so that it waits in no queue.
func (l Letters) invitedAdmin(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[merchant.LetterData](data)
	if err != nil {
		return nil, err
	}
	invite, err := merchant.Sign(ctx, db.New(tx), order.Invite)
	if err != nil {
		return nil, gone(err)
	}
	invite.Merchant = printable.Unlinked(invite.Merchant, receipt.MostBusiness)
	return note(ctx, invite.Email, Note{
		Sender:  l.provider("You are receiving this email because " + invite.InvitedBy + " invited this address."),
		Subject: "Join " + invite.Merchant, Heading: "Join " + invite.Merchant,
		Lines: []string{
			invite.InvitedBy + " asks you to run " + invite.Merchant + " together: its credentials, its request log and its menu.",
			"Sign in or create an account with this address, then accept. The link works once, for " + clock.Spelled(account.InviteFor) + ".",
		},
		Button: &Button{Label: "See the invitation", URL: l.page("merchant", "join", invite.Token.Reveal())},
		After:  []string{"If you do not know the sender, ignore this email."},
	})
}

package letters

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/clock"
	"forecourt/internal/mail"
	"forecourt/internal/merchant"
	"forecourt/internal/printable"
	"forecourt/internal/receipt"
	view "forecourt/views/mail"
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
	return note(ctx, invite.Email, view.Note{
		Sender:  l.provider("You are receiving this email because " + invite.InvitedBy + " invited this address."),
		Subject: "Join " + invite.Merchant, Heading: "Join " + invite.Merchant,
		Lines: []string{
			invite.InvitedBy + " asks you to run " + invite.Merchant + " together: its credentials, its request log and its menu.",
			"Sign in or create an account with this address, then accept. The link works once, for " + clock.Spelled(account.InviteFor) + ".",
		},
		Button: &view.Button{Label: "See the invitation", URL: l.page("merchant", "join", invite.Token.Reveal())},
		After:  []string{"If you do not know the sender, ignore this email."},
	})
}

package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
	"forecourt/views/desk"
)

// invitedToTeam asks a person to join a business's team. The link is made here, so that it waits in no queue.
func (l Letters) invitedToTeam(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[shop.LetterData](data)
	if err != nil {
		return nil, err
	}
	invite, err := shop.Sign(ctx, db.New(tx), order.Invite)
	if err != nil {
		return nil, gone(err)
	}
	business := printable.Unlinked(invite.Business, receipt.MostBusiness)
	return note(ctx, invite.Email, Note{
		Sender:  l.provider("You are receiving this email because " + invite.InvitedBy + " invited this address."),
		Subject: "Join " + business, Heading: "Join " + business,
		Lines: []string{
			invite.InvitedBy + " invites you to the team of " + business + ", as " + desk.RoleName(invite.Role) + ".",
			"Open the invitation and choose a password, or sign in if you have an account. The link works " +
				"once, for " + clock.Spelled(account.InviteFor) + ".",
		},
		Button: &Button{Label: "See the invitation", URL: l.page("join", invite.Token.Reveal())},
		After:  []string{"If you do not know the sender, ignore this email."},
	})
}

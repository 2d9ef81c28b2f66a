package letters

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/clock"
	"forecourt/internal/mail"
	"forecourt/internal/printable"
	"forecourt/internal/receipt"
	"forecourt/internal/shop/shopstore"
	"forecourt/views/desk"
	view "forecourt/views/mail"
)

// invitedToTeam asks a person to join a business's team. The link is made here, so that it waits in no queue.
func (l Letters) invitedToTeam(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[shopstore.LetterData](data)
	if err != nil {
		return nil, err
	}
	invite, err := shopstore.Sign(ctx, db.New(tx), order.Invite)
	if err != nil {
		return nil, gone(err)
	}
	business := printable.Unlinked(invite.Business, receipt.MostBusiness)
	return note(ctx, invite.Email, view.Note{
		Sender:  l.provider("You are receiving this email because " + invite.InvitedBy + " invited this address."),
		Subject: "Join " + business, Heading: "Join " + business,
		Lines: []string{
			invite.InvitedBy + " invites you to the team of " + business + ", as " + desk.RoleName(invite.Role) + ".",
			"Open the invitation and choose a password, or sign in if you have an account. The link works " +
				"once, for " + clock.Spelled(account.InviteFor) + ".",
		},
		Button: &view.Button{Label: "See the invitation", URL: l.page("join", invite.Token.Reveal())},
		After:  []string{"If you do not know the sender, ignore this email."},
	})
}

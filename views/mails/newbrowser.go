package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// newBrowser lets people notice that somebody signed in to their account.
func (l Letters) newBrowser(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[account.NewBrowser](data)
	if err != nil {
		return nil, err
	}
	person, err := db.New(tx).AccountGet(ctx, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	return note(ctx, person.Email, Note{
		Sender:  l.provider("You are receiving this email because somebody signed in to your account."),
		Subject: "A new browser signed in to your account", Heading: "A new browser signed in to your account",
		Lines: []string{order.Browser + ", at " + order.Address + ", signed in to your account just now. We had not seen it before."},
		After: []string{
			"If it was you, there is nothing to do.",
			"If it was not you, choose a new password at " + l.page("reset") + " at once: that signs out every browser. " +
				"What else happened is at " + l.page("account", "security") + ".",
		},
	})
}

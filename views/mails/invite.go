package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
)

// invited sends an invited user a link to a bearer token. The user gets the secret key by another way, so that this letter alone opens
// nothing.
func (l Letters) invited(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[invite.LetterData](data)
	if err != nil {
		return nil, err
	}
	user, err := invite.Addressee(ctx, tx, order.DocID)
	if err != nil || user == "" {
		return nil, err
	}
	return note(ctx, user, Note{
		Sender:  l.provider("You are receiving this email because somebody invited you to generate a bearer token."),
		Subject: "Your link to a bearer token", Heading: "Generate your bearer token",
		Lines: []string{
			"You were invited to connect your own software. The link works once and for a limited time.",
			"It asks for a secret key, which you get separately.",
		},
		Button: &Button{Label: "Generate your token", URL: l.page("onboarding", "tokengen", order.DocID)},
	})
}

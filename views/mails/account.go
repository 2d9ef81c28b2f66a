package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// verifyAddress sends a link that verifies an address. The link is made here, so that it waits in no queue.
func (l Letters) verifyAddress(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[account.LetterData](data)
	if err != nil {
		return nil, err
	}
	queries := db.New(tx)
	person, err := queries.AccountGet(ctx, order.Account)
	if err != nil || person.VerifiedAt != nil {
		return nil, gone(err)
	}
	token, err := account.NewVerificationToken(ctx, queries, person.ID)
	if err != nil {
		return nil, err
	}
	return note(ctx, person.Email, Note{
		Sender:  l.provider("You are receiving this email because somebody created an account with this address."),
		Subject: "Confirm your email address", Heading: "Confirm your email address",
		Lines: []string{
			"Somebody created an account with this address. If it was you, confirm " +
				"within " + clock.Span(account.VerifyFor) + " that the address is yours.",
		},
		Button: &Button{Label: "Confirm this address", URL: l.page("verify", token.Reveal())},
		After:  []string{"If it was not you, do nothing: without this link the account cannot act in your name."},
	})
}

// resetPassword sends a link to a new password. The link is made here, so that it waits in no queue.
func (l Letters) resetPassword(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[account.LetterData](data)
	if err != nil {
		return nil, err
	}
	queries := db.New(tx)
	person, err := queries.AccountGet(ctx, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	token, err := account.NewResetToken(ctx, queries, person.ID)
	if err != nil {
		return nil, err
	}
	return note(ctx, person.Email, Note{
		Sender:  l.provider("You are receiving this email because somebody asked for a new password for this address."),
		Subject: "Choose a new password", Heading: "Choose a new password",
		Lines: []string{
			"Somebody asked for a new password for your account. If it was you, choose one within " + clock.Span(account.ResetFor) + ".",
		},
		Button: &Button{Label: "Choose a new password", URL: l.page("reset", token.Reveal())},
		After:  []string{"If it was not you, do nothing: your password does not change."},
	})
}

// passwordChanged lets people notice a change of their password that they did not make.
func (l Letters) passwordChanged(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[account.LetterData](data)
	if err != nil {
		return nil, err
	}
	person, err := db.New(tx).AccountGet(ctx, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	return note(ctx, person.Email, Note{
		Sender:  l.provider("You are receiving this email because the password of your account changed."),
		Subject: "Your password was changed", Heading: "Your password was changed",
		Lines: []string{"The password of your account was changed just now, and every other browser was signed out."},
		After: []string{"If it was not you, choose a new password at " + l.page("reset") + " at once."},
	})
}

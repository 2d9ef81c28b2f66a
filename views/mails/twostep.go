package mails

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
)

// twoStepOn lets people notice that somebody set up a second step.
func (l Letters) twoStepOn(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.warn(ctx, tx, data, "Two-step sign-in is on",
		"Two-step sign-in was set up for your account just now. From now on signing in takes your password "+
			"and a code. Every other browser was signed out.")
}

// twoStepMoved lets people notice that another app makes their codes.
func (l Letters) twoStepMoved(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.warn(ctx, tx, data, "Two-step sign-in moved to another app",
		"Two-step sign-in for your account was moved to another app just now. The codes of the previous app no "+
			"longer work, and every other browser was signed out.")
}

// twoStepOff lets people notice that somebody removed their second step.
func (l Letters) twoStepOff(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.warn(ctx, tx, data, "Two-step sign-in is off",
		"Two-step sign-in was removed from your account just now. From now on signing in takes only your password.")
}

// passkeyAdded lets people notice that somebody added a passkey.
func (l Letters) passkeyAdded(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.warnOfPasskey(ctx, tx, data, "A passkey was added", "was added to your account just now. It can sign in without your password.")
}

// passkeyRemoved lets people notice that somebody removed a passkey.
func (l Letters) passkeyRemoved(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.warnOfPasskey(ctx, tx, data, "A passkey was removed", "was removed from your account just now. It no longer signs you in.")
}

func (l Letters) warnOfPasskey(ctx context.Context, tx pgx.Tx, data json.RawMessage, subject, happened string) (*mail.Letter, error) {
	order, err := read[account.PasskeyLetter](data)
	if err != nil {
		return nil, err
	}
	return l.warn(ctx, tx, data, subject, "The passkey “"+order.Name+"” "+happened)
}

// recoveryUsed lets people notice that somebody used one of their recovery codes.
func (l Letters) recoveryUsed(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[account.LetterData](data)
	if err != nil {
		return nil, err
	}
	left, err := db.New(tx).RecoveryCodeLeft(ctx, order.Account)
	if err != nil {
		return nil, err
	}
	return l.warn(ctx, tx, data, "A recovery code was used",
		"One of your recovery codes was used just now. "+strconv.FormatInt(left, 10)+" of them are left.")
}

// warn tells the address of an account what happened to it.
func (l Letters) warn(ctx context.Context, tx pgx.Tx, data json.RawMessage, subject, happened string) (*mail.Letter, error) {
	order, err := read[account.LetterData](data)
	if err != nil {
		return nil, err
	}
	person, err := db.New(tx).AccountGet(ctx, order.Account)
	if err != nil {
		return nil, gone(err)
	}
	return note(ctx, person.Email, Note{
		Sender:  l.provider("You are receiving this email because the way to sign in to your account changed."),
		Subject: subject, Heading: subject,
		Lines: []string{happened},
		After: []string{"If it was not you, choose a new password at " + l.page("reset") + " at once, and write to " + l.Support + "."},
	})
}

package mails

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/upkeep/privacy"
)

// dataCopied tells people that a copy of their data was taken.
func (l Letters) dataCopied(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.aboutData(ctx, tx, data, Note{
		Subject: "A copy of your data was downloaded", Heading: "A copy of your data was downloaded",
		Lines: []string{"Somebody who signed in to your account, and confirmed that it is you, downloaded a copy of what is stored about you."},
		After: []string{"If it was not you, choose a new password at " + l.page("reset") + " at once."},
	})
}

// accountErasing tells people that their account is going to be erased, so that they can cancel it if somebody else ordered it.
func (l Letters) accountErasing(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[privacy.AccountLetter](data)
	if err != nil {
		return nil, err
	}
	return l.aboutData(ctx, tx, data, Note{
		Subject: "Your account will be erased", Heading: "Your account will be erased",
		Lines: []string{"You asked us to erase your account. That happens on " + clock.Text(order.Due, clock.Zone(clock.Home)) +
			". Until then you can cancel it. Every other browser was signed out."},
		Button: &Button{Label: "Keep the account", URL: l.page("account", "data")},
		After:  []string{"If it was not you, choose a new password at " + l.page("reset") + " at once, then keep the account."},
	})
}

// accountKept tells people that the erasure was cancelled.
func (l Letters) accountKept(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.aboutData(ctx, tx, data, Note{
		Subject: "Your account stays", Heading: "Your account stays",
		Lines: []string{"The erasure of your account was cancelled. Nothing was erased."},
	})
}

// accountHeld tells people that their account could not be erased.
func (l Letters) accountHeld(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	return l.aboutData(ctx, tx, data, Note{
		Subject: "Your account was not erased", Heading: "Your account was not erased",
		Lines: []string{"Your account was due to be erased today, but something has to be finished first. The page says what. " +
			"Nothing was erased."},
		Button: &Button{Label: "See what is missing", URL: l.page("account", "data")},
	})
}

// aboutData writes a note to the address of an account.
func (l Letters) aboutData(ctx context.Context, tx pgx.Tx, data json.RawMessage, n Note) (*mail.Letter, error) {
	order, err := read[privacy.AccountLetter](data)
	if err != nil {
		return nil, err
	}
	person, err := db.New(tx).AccountGet(ctx, order.Account)
	if err != nil || person.ErasedAt != nil {
		return nil, gone(err)
	}
	n.Sender = l.provider("You are receiving this email because it is about the data of your account.")
	return note(ctx, person.Email, n)
}

// accountErased is the last letter.
func (l Letters) accountErased(ctx context.Context, _ pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[privacy.LastLetter](data)
	if err != nil {
		return nil, err
	}
	return note(ctx, order.To, Note{
		Sender: l.provider("You are receiving this email because your account was erased. This is our last email to you, " +
			"and we do not keep your address."),
		Subject: "Your account is erased", Heading: "Your account is erased",
		Lines: []string{
			"Your account, and everything that belonged to it alone, is gone.",
			"The books of businesses stay, without your name. Applications that were decided and agreements that you signed stay for seven years, " +
				"because the law requires it.",
		},
		After: []string{
			"Older backups are deleted in time. If one is restored, we erase your account again. Questions? Write to " + l.Support + ".",
		},
	})
}

// payerErasing sends the link that confirms the erasure of a payer. The link is made here, so that it waits in no queue.
func (l Letters) payerErasing(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[privacy.PayerLetter](data)
	if err != nil {
		return nil, err
	}
	queries := db.New(tx)
	r, err := receipt.Read(ctx, queries, order.Transaction)
	if errors.Is(err, receipt.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, to := range r.Payers() {
		if to.Role != order.Role {
			continue
		}
		token, err := privacy.NewPayerToken(ctx, queries, order.Ask)
		if err != nil {
			return nil, gone(err)
		}
		business := printable.Unlinked(r.Business, receipt.MostBusiness)
		letter, err := note(ctx, to.Address, Note{
			Sender: l.provider("You are receiving this email because somebody who has the receipt of your payment to " + business +
				" asked for it."),
			Subject: "Remove your details from a payment?", Heading: "Remove your details from a payment?",
			Lines: []string{"Somebody asked us to remove your name and address from your payment to " + business +
				". If it was you, confirm it within " + clock.Spelled(privacy.ConfirmFor) + ". The amount, the time and the receipt stay."},
			Button: &Button{Label: "Look and confirm", URL: l.page("receipt", r.Token, "erase") + "?code=" + token.Reveal()},
			After:  []string{"If it was not you, do nothing: nothing is removed."},
			Test:   r.Test,
		})
		if err == nil && r.Test {
			err = hold(ctx, tx, letter, r.Client.Code)
		}
		return letter, err
	}
	return nil, nil
}

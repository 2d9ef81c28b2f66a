// Package letters writes the mails that rules queue, with the words and looks of the views.
package letters

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/a-h/templ"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/account"
	"forecourt/internal/compliance"
	"forecourt/internal/form/formstore"
	"forecourt/internal/invite"
	"forecourt/internal/mail"
	"forecourt/internal/merchant"
	"forecourt/internal/notice/noticestore"
	"forecourt/internal/payment"
	"forecourt/internal/privacy"
	"forecourt/internal/receipt"
	"forecourt/internal/settlement"
	"forecourt/internal/shop/shopbooks"
	"forecourt/internal/shop/shoplinks"
	"forecourt/internal/shop/shopstore"
	view "forecourt/views/mail"
)

// Desk writes the letters.
type Desk struct {
	Provider string   // the provider's name
	Support  string   // the address for questions
	Public   *url.URL // where people reach the site
	Bcc      string   // gets a copy of each letter to a payer; empty for nobody
	// Compliance draws the copy of a signed agreement.
	Compliance *compliance.Records
}

// Writers returns the writer of each kind of letter.
func (d Desk) Writers() map[string]mail.Writer {
	return map[string]mail.Writer{
		account.LetterVerify:       d.verifyAddress,
		account.LetterReset:        d.resetPassword,
		account.LetterChanged:      d.passwordChanged,
		account.LetterTwoStepOn:    d.twoStepOn,
		account.LetterTwoStepOff:   d.twoStepOff,
		account.LetterTwoStepMoved: d.twoStepMoved,
		account.LetterPasskeyAdded: d.passkeyAdded, account.LetterPasskeyRemoved: d.passkeyRemoved,
		account.LetterNewBrowser:   d.newBrowser,
		account.LetterRecoveryUsed: d.recoveryUsed,
		invite.Letter:              d.invited,
		payment.LetterRefund:       d.refund,
		settlement.LetterDispute:   d.disputed,
		formstore.LetterSubmitted:  d.formSubmitted,
		formstore.LetterDecided:    d.formDecided,

		compliance.LetterOpened:   d.recordOpened,
		compliance.LetterSigned:   d.agreementSigned,
		compliance.LetterDecided:  d.identityDecided,
		receipt.Letter:            d.receipt,
		merchant.Letter:           d.invitedAdmin,
		shopstore.LetterInvite:    d.invitedToTeam,
		shopstore.LetterDecided:   d.launchDecided,
		shopstore.LetterLive:      d.shopLive,
		shoplinks.Letter:          d.paylink,
		noticestore.Letter:        d.told,
		noticestore.LetterSummary: d.summed,

		privacy.LetterReady:    d.copyReady,
		privacy.LetterErasing:  d.accountErasing,
		privacy.LetterKept:     d.accountKept,
		privacy.LetterHeld:     d.accountHeld,
		privacy.LetterErased:   d.accountErased,
		privacy.LetterPayer:    d.payerErasing,
		shopbooks.LetterExport: d.exported,
	}
}

// provider returns the provider as a sender; foot says why the recipient gets the letter.
func (d Desk) provider(foot string) view.Sender {
	return view.Sender{Name: d.Provider, Accent: "#2347c5", OnTop: "#ffffff", Foot: foot}
}

func (d Desk) page(path ...string) string { return d.Public.JoinPath(path...).String() }

// note makes a letter with a short text to one address.
func note(ctx context.Context, to string, n view.Note) (*mail.Letter, error) {
	html, err := render(ctx, n.HTML())
	return &mail.Letter{To: to, Subject: n.Subject, Plain: n.Plain(), HTML: html, Test: n.Test}, err
}

func render(ctx context.Context, page templ.Component) (string, error) {
	var html bytes.Buffer
	err := page.Render(ctx, &html)
	return html.String(), err
}

// read reads the data of a queued mail.
func read[T any](data json.RawMessage) (T, error) {
	var value T
	err := json.Unmarshal(data, &value)
	return value, err
}

// gone returns nil for a missing row, about which there is nothing to write.
func gone(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}

// Package mails writes the mails that rules queue, with the words and looks of the views.
package mails

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/a-h/templ"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/privacy"
)

// Letters writes the letters.
type Letters struct {
	Provider string   // the provider's name
	Support  string   // the address for questions
	Public   *url.URL // where people reach the site
	Bcc      string   // gets a copy of each letter to a payer; empty for nobody
	// Compliance draws the copy of a signed agreement.
	Compliance *compliance.Records
}

// Writers returns the writer of each kind of letter.
func (l Letters) Writers() map[string]mail.Writer {
	return map[string]mail.Writer{
		account.LetterVerify:       l.verifyAddress,
		account.LetterReset:        l.resetPassword,
		account.LetterChanged:      l.passwordChanged,
		account.LetterTwoStepOn:    l.twoStepOn,
		account.LetterTwoStepOff:   l.twoStepOff,
		account.LetterTwoStepMoved: l.twoStepMoved,
		account.LetterPasskeyAdded: l.passkeyAdded, account.LetterPasskeyRemoved: l.passkeyRemoved,
		account.LetterNewBrowser:   l.newBrowser,
		account.LetterRecoveryUsed: l.recoveryUsed,
		invite.Letter:              l.invited,
		payment.LetterRefund:       l.refund,
		payment.LetterDecided:      l.paymentDecided,
		settlement.LetterDispute:   l.disputed,
		form.LetterSubmitted:       l.formSubmitted,
		form.LetterDecided:         l.formDecided,

		compliance.LetterOpened:  l.recordOpened,
		compliance.LetterSigned:  l.agreementSigned,
		compliance.LetterDecided: l.identityDecided,
		receipt.Letter:           l.receipt,
		merchant.Letter:          l.invitedAdmin,
		shop.LetterInvite:        l.invitedToTeam,
		golive.LetterDecided:     l.goLiveDecided,
		golive.LetterLive:        l.shopLive,
		paylink.Letter:           l.paylink,
		notice.Letter:            l.notice,
		notice.LetterSummary:     l.summary,

		privacy.LetterCopied:  l.dataCopied,
		privacy.LetterErasing: l.accountErasing,
		privacy.LetterKept:    l.accountKept,
		privacy.LetterHeld:    l.accountHeld,
		privacy.LetterErased:  l.accountErased,
		privacy.LetterPayer:   l.payerErasing,
		books.LetterExport:    l.exported,
	}
}

// provider returns the provider as a sender; foot says why the recipient gets the letter.
func (l Letters) provider(foot string) Sender {
	return Sender{Name: l.Provider, Accent: "#2347c5", OnTop: "#ffffff", Foot: foot}
}

func (l Letters) page(path ...string) string { return l.Public.JoinPath(path...).String() }

// note makes a letter with a short text to one address.
func note(ctx context.Context, to string, n Note) (*mail.Letter, error) {
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

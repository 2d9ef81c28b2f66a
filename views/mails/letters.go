// Package mails writes the mails that rules queue, with the words and looks of the views.
package mails

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/pay/settlement"
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
	all := map[string]mail.Writer{
		invite.Letter:            writer(l, l.invited),
		payment.LetterRefund:     writer(l, l.refund),
		payment.LetterDecided:    writer(l, l.paymentDecided),
		settlement.LetterDispute: writer(l, l.disputed),
		settlement.LetterCases:   writer(l, l.newCases),
		form.LetterSubmitted:     writer(l, l.form),
		form.LetterDecided:       writer(l, l.form),
		compliance.LetterOpened:  writer(l, l.recordOpened),
		compliance.LetterSigned:  writer(l, l.agreementSigned),
		compliance.LetterDecided: writer(l, l.identityDecided),
		compliance.LetterAccount: writer(l, l.payoutAccount),
		receipt.Letter:           writer(l, l.receipt),
		merchant.Letter:          writer(l, l.invitedAdmin),
		shop.LetterInvite:        writer(l, l.invitedToTeam),
		golive.LetterDecided:     writer(l, l.goLive),
		golive.LetterLive:        writer(l, l.goLive),
		paylink.Letter:           writer(l, l.paylink),
		notice.Letter:            writer(l, l.notice),
		notice.LetterSummary:     writer(l, l.summary),
		privacy.LetterErased:     writer(l, l.accountErased),
		privacy.LetterPayer:      writer(l, l.payerErasing),
		books.LetterExport:       writer(l, l.exported),
	}
	for kind := range l.accountNotes(accountData{}) {
		all[kind] = writer(l, l.toAccount(kind))
	}
	return all
}

// writer returns a Writer that reads the data of a request and sends the note that write makes of it. There is nothing to write to nobody,
// and about a row that is gone.
func writer[T any](l Letters, write func(ctx context.Context, queries *db.Queries, data T) (Note, error)) mail.Writer {
	return func(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
		var value T
		if err := json.Unmarshal(data, &value); err != nil {
			return nil, err
		}
		queries := db.New(tx)
		n, err := write(ctx, queries, value)
		switch {
		case errors.Is(err, pgx.ErrNoRows), errors.Is(err, receipt.ErrMissing), err == nil && n.To == "":
			return nil, nil
		case err != nil:
			return nil, err
		}
		return l.letter(ctx, queries, n)
	}
}

// letter makes a letter of a note.
func (l Letters) letter(ctx context.Context, queries *db.Queries, n Note) (*mail.Letter, error) {
	if n.Name == "" {
		n.Sender = Sender{Name: l.Provider, Accent: "#2347c5", OnTop: "#ffffff"}
	}
	n.Heading, n.Why = cmp.Or(n.Heading, n.Subject), "You are receiving this email because "+n.Why
	var html bytes.Buffer
	if err := n.HTML().Render(ctx, &html); err != nil {
		return nil, err
	}
	letter := &mail.Letter{
		To: n.To, Bcc: n.Bcc, Subject: n.Subject, Plain: n.Plain(), HTML: html.String(), Test: n.Test, File: n.File,
		Business: n.Counts, Payment: n.Payment,
	}
	if n.Hold == "" {
		return letter, nil
	}
	admin, err := queries.ShopHasMember(ctx, n.Hold, n.To)
	if !admin {
		letter.Held = mail.HeldForTeam
	}
	return letter, err
}

func (l Letters) page(path ...string) string { return l.Public.JoinPath(path...).String() }

// unlinked returns the name of a business for a sentence, such that no mail program makes a link of it.
func unlinked(business string) string {
	return printable.Isolated(printable.Unlinked(business, receipt.MostBusiness))
}

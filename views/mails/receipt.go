package mails

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	paper "forecourt/views/receipt"
)

// receipt sends the receipt of a payment to one of its recipients, in the name of the business.
func (l Letters) receipt(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[receipt.LetterData](data)
	if err != nil {
		return nil, err
	}
	r, err := receipt.Read(ctx, db.New(tx), order.Transaction)
	if errors.Is(err, receipt.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, to := range r.Recipients() {
		if to.Role != order.Role {
			continue
		}
		letter, err := l.receiptTo(ctx, to, r.ForMail())
		if err != nil {
			return nil, err
		}
		if r.Test && !order.Again {
			letter.Business = r.Client.Code
		}
		if r.Test && to.Role != receipt.Merchant {
			err = hold(ctx, tx, letter, r.Client.Code)
		}
		return letter, err
	}
	return nil, nil
}

// hold keeps a letter about test money in the outbox, unless it goes to an admin of the business: in test mode anybody can pay and name
// anybody's address.
func hold(ctx context.Context, tx pgx.Tx, l *mail.Letter, client string) error {
	admin, err := db.New(tx).ClientHasAdmin(ctx, client, l.To)
	l.Held = !admin
	return err
}

func (l Letters) receiptTo(ctx context.Context, to receipt.Recipient, r receipt.Receipt) (*mail.Letter, error) {
	accent, onTop, err := brand.Solid(r.Client.Accent)
	if err != nil {
		return nil, err
	}
	document := Document(r)
	v := Receipt{
		Sender: Sender{
			Name: r.Business, Accent: accent, OnTop: onTop,
			Foot: "You are receiving this email because you paid " + r.Business + " with this " +
				"address. " + l.Provider + " processes payments for " + r.Business + ".",
		},
		Subject: document.Heading + " for " + document.Amount + " from " + r.Business, Lead: "Thank you for your payment to " + r.Business + ".",
		Document: document, URL: l.page(paper.Path(r.Token)),
	}
	bcc := l.Bcc
	if to.Role == receipt.Merchant {
		v.Subject, v.Lead, bcc = "Payment of "+document.Amount+" received", "A customer paid you. This is their receipt.", ""
		v.Foot = "You are receiving this email because " + l.Provider + " processes payments for " + r.Business + "."
		for _, fact := range []paper.Fact{{Name: "Customer’s address", Value: r.CustomerEmail}, {Name: "Merchant", Value: r.Client.Code}} {
			if fact.Value != "" {
				v.Facts = append(v.Facts, fact)
			}
		}
	}
	html, err := render(ctx, v.HTML())
	return &mail.Letter{To: to.Address, Bcc: bcc, Subject: v.Subject, Plain: v.Plain(), HTML: html, Test: r.Test}, err
}

package paylink

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
)

// Letter is the kind of letter that takes a pay link to its payer; its data is LetterData.
const Letter = "pay link"

// LetterData is what the letter needs to know.
type LetterData struct {
	Transaction string `json:"transaction"`
	To          string `json:"to"`
}

// ErrMail means that a text is not an email address.
var ErrMail = fault.New(fault.Invalid, "not an email address")

// LettersPerDay is how many pay links a shop may mail in a day, and TestLettersPerDay how many of them one person may order while
// the shop is not live.
const (
	LettersPerDay     = 100
	TestLettersPerDay = 20
)

var (
	ofShop   = throttle.Limit{Subject: "pay link letters", Most: LettersPerDay, Window: 24 * time.Hour}
	ofPerson = throttle.Limit{Subject: "pay link letters of person", Most: TestLettersPerDay, Window: 24 * time.Hour}
)

// Send mails an open pay link to its payer. In test mode only the shop's own people get the letter; held reports that it stays in the
// outbox. Errors: ErrMail, ErrMissing, ErrDone, account.ErrUnverified, *throttle.Error, shop.ErrMissing, shop.ErrRole.
func (l *Links) Send(ctx context.Context, by shop.Person, one shop.Shop, id, to string) (held bool, err error) {
	if to = mailaddr.Normal(to); !mailaddr.Valid(to) {
		return false, ErrMail
	}
	if err := l.rule.Check(ctx, l.queries, by.ID); err != nil {
		return false, err
	}
	link, err := l.Find(ctx, one, id)
	if err == nil && !link.Payable() {
		err = ErrDone
	}
	if err != nil {
		return false, err
	}
	if link.Test {
		own, err := l.queries.ClientHasAdmin(ctx, one.Code, to)
		if err != nil {
			return false, err
		}
		held = !own
	}
	counts := []throttle.Count{{Limit: mail.ToAddress, What: mail.Mailbox(one.Code, to)}, {Limit: ofShop, What: one.Code}}
	if !one.Live {
		counts = append(counts, throttle.Count{Limit: ofPerson, What: one.Code + " " + by.ID.String()})
	}
	if err := l.limits.TakeAll(ctx, counts); err != nil {
		return false, err
	}
	return held, l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		if err := db.New(tx).PaylinkMailed(ctx, db.PaylinkMailedParams{PayerMail: to, Sent: !held, ID: id, ClientCode: one.Code}); err != nil {
			return shop.Change{}, err
		}
		letter := mail.Request{Kind: Letter, Key: "pay link/" + id + "/" + rand.Text(), Data: LetterData{id, to}}
		action := "pay link mailed"
		if held {
			action = "pay link letter held"
		}
		return shop.Change{Action: action, Detail: id}, l.mail.Add(ctx, tx, letter)
	})
}

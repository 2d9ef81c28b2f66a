package paylink

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
)

// Link is a pay link as the desk shows it, with times in the shop's zone.
type Link struct {
	db.PaylinkGetRow
	State LinkState
}

// LinkState is the state of a pay link.
type LinkState string

// The states.
const (
	LinkNew       LinkState = "new"        // nobody has opened it
	LinkOpened    LinkState = "opened"     // the payer has seen it
	LinkPaying    LinkState = "paying"     // a payment is under way
	LinkDeclined  LinkState = "declined"   // the last try was declined; the payer may try again
	LinkPaid      LinkState = "paid"       // money moved
	LinkRefunded  LinkState = "refunded"   // all of it was refunded
	LinkExpired   LinkState = "expired"    // its time is over
	LinkEnded     LinkState = "ended"      // the business ended it
	LinkClosed    LinkState = "closed"     // nobody knows whether it was charged, so nobody can pay it any more
	LinkOtherMode LinkState = "other mode" // the shop has changed between test and live
)

// Open reports whether the link can still be ended: it can be paid, now or once the shop is back in the link's mode.
func (l Link) Open() bool {
	return l.State == LinkNew || l.State == LinkOpened || l.State == LinkDeclined || l.State == LinkOtherMode
}

// Payable reports whether the link is worth sharing.
func (l Link) Payable() bool { return l.Open() && l.State != LinkOtherMode }

// The kinds of links that a list can show.
const (
	AllLinks   = ""
	OpenLinks  = "open"
	PaidLinks  = "paid"
	EndedLinks = "ended" // also expired and closed
)

// Errors about a pay link.
var (
	// ErrMissing means that the shop has no such pay link.
	ErrMissing = fault.New(fault.NotFound, "no such pay link of this shop")
	// ErrDone means that the link was paid, has ended or is being paid, so it cannot be ended or sent.
	ErrDone = fault.New(fault.Conflict, "the pay link is no longer open")
)

// OnPage is how many pay links a page lists.
const OnPage = 50

// Links are the pay links of all shops.
type Links struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shop.Shops
	mail    *mail.Queue
	rule    account.Verification
	limits  *throttle.Throttle
}

// NewLinks returns the pay links kept in pool. rule says who may mail them; key hashes what the limits count by.
func NewLinks(pool *pgxpool.Pool, shops *shop.Shops, letters *mail.Queue, rule account.Verification, key secret.Key) *Links {
	queries := db.New(pool)
	return &Links{pool, queries, shops, letters, rule, throttle.New(queries, key)}
}

// Filter says which pay links a list has. The zero value is all.
type Filter struct {
	Show  string // one of AllLinks, OpenLinks, PaidLinks, EndedLinks
	Find  string // part of a reference or a description
	Batch string // id of the batch that they were made in
}

// List returns a page of the pay links of a shop, the newest first, and where the next page begins, "" on the last.
func (l *Links) List(ctx context.Context, one shop.Shop, f Filter, before string) (list []Link, next string, err error) {
	if !printable.Line(f.Find, MaxDescription) || !printable.Line(f.Batch, 64) {
		return nil, "", nil // no pay link can contain such a text
	}
	from := shop.ReadCursor(before).Newest()
	rows, err := l.queries.PaylinkList(ctx, db.PaylinkListParams{
		ShopCode: one.Code, BeforeAt: from.At, BeforeID: from.ID, Find: f.Find, Show: f.Show, Batch: f.Batch, AtMost: OnPage + 1,
	})
	rows, next = shop.Page(rows, OnPage, func(r db.PaylinkListRow) shop.Cursor {
		return shop.Cursor{At: r.Transaction.CreatedAt, ID: r.Transaction.ID}
	})
	for _, row := range rows {
		list = append(list, read(one, db.PaylinkGetRow(row)))
	}
	return list, next, err
}

// Find returns a pay link of a shop. Errors: ErrMissing.
func (l *Links) Find(ctx context.Context, one shop.Shop, id string) (Link, error) {
	return find(ctx, l.queries, one, id)
}

func find(ctx context.Context, queries *db.Queries, one shop.Shop, id string) (Link, error) {
	row, err := queries.PaylinkGet(ctx, id, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return Link{}, ErrMissing
	}
	return read(one, row), err
}

func read(one shop.Shop, row db.PaylinkGetRow) Link {
	t, p := &row.Transaction, row.Paylink
	clock.Local(one.Zone(), &t.CreatedAt, t.ExpiresAt, t.PaidAt, p.OpenedAt, p.EndedAt, p.MailedAt)
	return Link{row, stateOf(one, row)}
}

func stateOf(one shop.Shop, row db.PaylinkGetRow) LinkState {
	t := row.Transaction
	switch {
	case t.ApprovedAttempt != nil && row.Position.RefundedMinor >= row.Position.Amount():
		return LinkRefunded
	case t.ApprovedAttempt != nil:
		return LinkPaid
	case t.Status == state.Processing, row.InQuestion:
		return LinkPaying
	case t.Status == state.Expired && t.ErrorMsg == payment.SaidUnconfirmed:
		return LinkClosed
	case t.Status == state.Expired && row.Paylink.EndedAt != nil:
		return LinkEnded
	case t.Status == state.Expired, row.Overdue:
		return LinkExpired
	case t.TestMode == one.Live:
		return LinkOtherMode
	case t.Status == state.Error:
		return LinkDeclined
	case row.Paylink.OpenedAt != nil:
		return LinkOpened
	default:
		return LinkNew
	}
}

// formID is an id that a form may give its link.
var formID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// Make makes a pay link and returns its id. The id is made of the form's and of what it says, so that posting a form twice makes one link,
// and posting it with other words another one; made is false if there is such a link. Errors: paylink.Problems, ErrTestLinks,
// shop.ErrMissing, shop.ErrRole.
func (l *Links) Make(ctx context.Context, by shop.Person, one shop.Shop, link Wanted) (id string, made bool, err error) {
	link.Shop = one.Code
	if !formID.MatchString(link.ID) {
		link.ID = rand.Text()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", link))
	link.ID = base32.StdEncoding.EncodeToString(sum[:])[:26]
	err = l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		if _, err := find(ctx, db.New(tx), one, link.ID); !errors.Is(err, ErrMissing) {
			return shop.Change{}, err
		}
		if err := capped(ctx, tx, one.Code, 1); err != nil {
			return shop.Change{}, err
		}
		links, err := Create(ctx, tx, []Wanted{link})
		if err != nil {
			return shop.Change{}, err
		}
		made = true
		return shop.Change{Action: "pay link made", Detail: link.ID + " " + money.Label(links[0].Amount, links[0].Currency)}, nil
	})
	if db.IsTaken(err) { // the form was posted twice at once
		made = false
		_, err = l.Find(ctx, one, link.ID)
	}
	return link.ID, made && err == nil, err
}

// MakeMany makes a pay link for each row, or none. Calling it again with the same
// key and rows returns the same batch. Errors: those of Create, shop.ErrMissing, shop.ErrRole.
func (l *Links) MakeMany(ctx context.Context, by shop.Person, one shop.Shop, key string, rows []Row) (id string, err error) {
	err = l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		made, again, err := l.CreateIn(ctx, tx, one.Code, key, rows)
		if err != nil {
			return shop.Change{}, err
		}
		id = made.ID
		if again {
			return shop.Change{}, nil
		}
		return shop.Change{Action: "pay links made", Detail: made.ID + " " + strconv.Itoa(len(made.Rows)) + " links"}, nil
	})
	return id, err
}

// End ends a pay link: nobody can pay it any more. Ending it again does nothing. Errors: ErrMissing, ErrDone if it was paid, is
// being paid or has expired, shop.ErrMissing, shop.ErrRole.
func (l *Links) End(ctx context.Context, by shop.Person, one shop.Shop, id string) error {
	return l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		queries := db.New(tx)
		n, err := queries.PaylinkEnd(ctx, id, one.Code)
		if err != nil || n > 0 {
			return shop.Change{Action: "pay link ended", Detail: id}, err
		}
		found, err := find(ctx, queries, one, id)
		if err == nil && found.State != LinkEnded {
			err = ErrDone
		}
		return shop.Change{}, err
	})
}

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
	if to = typed.Email(to); !typed.IsEmail(to) {
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
	if link.Transaction.TestMode {
		own, err := l.queries.ShopHasMember(ctx, one.Code, to)
		if err != nil {
			return false, err
		}
		held = !own
	}
	counts := []throttle.Count{{Limit: ofShop, What: one.Code}}
	if !one.Live {
		counts = append(counts, throttle.Count{Limit: ofPerson, What: one.Code + " " + by.ID.String()})
	}
	counts = append(counts, throttle.Count{Limit: mail.ToAddress, What: mail.Mailbox(one.Code, to)})
	if err := l.limits.TakeAll(ctx, counts); err != nil {
		return false, err
	}
	return held, l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		if err := db.New(tx).PaylinkMailed(ctx, db.PaylinkMailedParams{PayerMail: to, Sent: !held, ID: id, ShopCode: one.Code}); err != nil {
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

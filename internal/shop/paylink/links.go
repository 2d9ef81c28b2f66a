package paylink

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/secret"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
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

// Config is what Links works with.
type Config struct {
	Pool    *pgxpool.Pool
	Shops   *shop.Shops
	Batches *Batches
	Mail    *mail.Queue
	Rule    account.Verification // who may send mail
	Key     secret.Key           // hashes what the limits count by
}

// Links are the pay links of all shops.
type Links struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shop.Shops
	batches *Batches
	mail    *mail.Queue
	rule    account.Verification
	limits  *throttle.Throttle
}

// NewLinks returns the pay links kept in the configured database.
func NewLinks(c Config) *Links {
	queries := db.New(c.Pool)
	return &Links{c.Pool, queries, c.Shops, c.Batches, c.Mail, c.Rule, throttle.New(queries, c.Key)}
}

// Cursor is where a page of the list begins: after this link. The zero value is the beginning.
type Cursor struct {
	Made time.Time
	ID   string
}

// Filter says which pay links a list has. The zero value is all.
type Filter struct {
	Show  string // one of shop.AllLinks, OpenLinks, PaidLinks, EndedLinks
	Find  string // part of a reference or a description
	Batch string // id of the batch that they were made in
}

// List returns a page of the pay links of a shop, the newest first, and where the next page begins. more is false on the last page.
func (l *Links) List(ctx context.Context, one shop.Shop, f Filter, from Cursor) (list []Link, next Cursor, more bool, err error) {
	if from.Made.IsZero() {
		from.Made = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if !printable.Line(f.Find, MaxDescription) || !printable.Line(f.Batch, 64) {
		return nil, next, false, nil // no pay link can contain such a text
	}
	rows, err := l.queries.PaylinkList(ctx, db.PaylinkListParams{
		ClientCode: one.Code, BeforeAt: from.Made, BeforeID: from.ID, Find: f.Find, Show: f.Show, Batch: f.Batch, AtMost: OnPage + 1,
	})
	if err != nil {
		return nil, next, false, err
	}
	for _, row := range rows[:min(len(rows), OnPage)] {
		list = append(list, read(one, db.PaylinkGetRow(row)))
		next = Cursor{row.Transaction.CreatedAt, row.Transaction.ID}
	}
	return list, next, len(rows) > OnPage, nil
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

// Batch returns the pay links that were made together. Errors: batch.ErrMissing.
func (l *Links) Batch(ctx context.Context, one shop.Shop, id string) (Batch, error) {
	return l.batches.Get(ctx, one.Code, id)
}

func read(one shop.Shop, row db.PaylinkGetRow) Link {
	t, p := row.Transaction, row.Paylink
	moment := func(at *time.Time) time.Time {
		if at == nil {
			return time.Time{}
		}
		return at.In(one.Zone())
	}
	return Link{
		ID: t.ID, State: stateOf(one, row), Amount: t.AmountMinor, Refunded: row.RefundsDoneMinor, Currency: t.Currency, Reference: t.ClientRef,
		Description: t.Description, Test: t.TestMode, Made: t.CreatedAt.In(one.Zone()), Expires: moment(t.ExpiresAt), Opened: moment(p.OpenedAt),
		Paid: moment(t.PaidAt), Ended: moment(p.EndedAt), Mailed: moment(p.MailedAt), PayerMail: p.PayerMail, ReceiptMail: p.PlMerchantEmail,
	}
}

func stateOf(one shop.Shop, row db.PaylinkGetRow) LinkState {
	t := row.Transaction
	switch {
	case t.ApprovedAttempt != nil && row.RefundsDoneMinor >= t.Captured():
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

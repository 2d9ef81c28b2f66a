package payment

import (
	"context"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
)

// ours is a movement as the database records it.
type ours struct {
	kind    gateway.Kind
	trx     string
	book    Book
	state   string
	amount  int64
	gateway *string // where it was sent; nil: to the configured one
	moved   bool    // money moved, by our books
	final   bool    // it will not change any more
	began   time.Time
	settled *time.Time // when the money moved, by our books; nil: it did not
}

// listed returns what we know of entries, by reference.
func (p *Payments) listed(ctx context.Context, entries []gateway.Entry) (map[string]ours, error) {
	var ids []uuid.UUID
	for _, e := range entries {
		if id, err := uuid.Parse(e.Reference); err == nil {
			ids = append(ids, id)
		}
	}
	return p.byID(ctx, ids)
}

func (p *Payments) byID(ctx context.Context, ids []uuid.UUID) (map[string]ours, error) {
	attempts, err := p.queries.AttemptListByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	refunds, err := p.queries.RefundListByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := make(map[string]ours, len(attempts)+len(refunds))
	for _, a := range attempts {
		known[a.ID.String()] = captureOf(a)
	}
	for _, r := range refunds {
		known[r.ID.String()] = refundOf(r)
	}
	return known, nil
}

func captureOf(a db.AttemptListByIDRow) ours {
	mine := ours{
		kind: gateway.KindCapture, trx: a.TransactionID,
		book: Book{a.ShopCode, a.Currency, a.TestMode}, state: string(a.State), gateway: a.Gateway,
		amount: a.AmountMinor, moved: a.Moved, final: a.State.Refused(), began: a.CreatedAt,
	}
	if a.State == state.AttemptApproved {
		mine.settled = a.SettledAt
	}
	return mine
}

func refundOf(r db.RefundListByIDRow) ours {
	mine := ours{
		kind: gateway.KindRefund, trx: r.TransactionID,
		book: Book{r.ShopCode, r.Currency, r.TestMode}, state: string(r.State), gateway: r.Gateway,
		amount: r.AmountMinor, moved: r.State == state.RefundDone, final: r.State == state.RefundDeclined, began: r.CreatedAt,
	}
	if mine.moved {
		mine.settled = r.SettledAt
	}
	return mine
}

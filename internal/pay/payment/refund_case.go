package payment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/money"
	"forecourt/internal/people/review"
)

// RefundPart is a part of the queue of refunds that are not done; "" means the whole queue.
type RefundPart string

// The parts.
const (
	RefundsWaiting  RefundPart = "waiting"   // for a person
	RefundsUnderWay RefundPart = "under_way" // at the gateway, which still has time
	RefundsDeclined RefundPart = "declined"  // by the gateway or a person
)

// RefundQueue returns a page of a part of the queue and how many refunds each part has. Pages count from 1.
func (p *Payments) RefundQueue(
	ctx context.Context, part RefundPart, page int,
) (rows []db.RefundQueueRow, more bool, counts map[RefundPart]int, err error) {
	skipped, atMost := review.Window(page)
	rows, err = p.queries.RefundQueue(ctx, db.RefundQueueParams{
		Part: string(part), Gateways: p.gatewayIDs(), Skipped: skipped, AtMost: atMost,
	})
	if err != nil {
		return nil, false, nil, err
	}
	rows, more = review.Page(rows)
	n, err := p.queries.RefundQueueCount(ctx, p.gatewayIDs())
	return rows, more, map[RefundPart]int{
		RefundsWaiting: int(n.Waiting), RefundsUnderWay: int(n.UnderWay), RefundsDeclined: int(n.Declined),
	}, err
}

// WaitingRefunds returns how many refunds wait for a person.
func (p *Payments) WaitingRefunds(ctx context.Context) (int, error) {
	n, err := p.queries.RefundQueueCount(ctx, p.gatewayIDs())
	return int(n.Waiting), err
}

// RefundCase is a refund as staff see it.
type RefundCase struct {
	db.RefundCaseRow
	Waits   bool   // for a person
	Why     string // why it is not done
	History []review.Event
}

// RefundCase returns a refund with its history. Errors: ErrMissing.
func (p *Payments) RefundCase(ctx context.Context, refund uuid.UUID) (*RefundCase, error) {
	row, err := p.queries.RefundCase(ctx, refund)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	c := &RefundCase{RefundCaseRow: row, Why: p.WhyRefund(row.State, row.Gateway, row.ErrorMsg, row.CreatedAt)}
	if c.Waits, err = p.queries.RefundWaits(ctx, refund, p.gatewayIDs()); err != nil {
		return nil, err
	}
	c.History, err = review.History(ctx, p.queries, refund.String())
	return c, err
}

// WhyRefund says why a refund is not done.
func (p *Payments) WhyRefund(now state.Refund, gateway *string, stored string, since time.Time) string {
	switch {
	case now == state.RefundDeclined:
		return "declined"
	case now == state.RefundPending && stored == "" && !p.Elsewhere(gateway):
		return "with the gateway since " + since.UTC().Format(moment)
	}
	return p.Why(gateway, stored, since)
}

// LookForRefund says whether the gateway's ledger lists a refund, and reads it for that. Errors: ErrElsewhere.
func (p *Payments) LookForRefund(ctx context.Context, c *RefundCase) (string, error) {
	if err := p.readLedger(ctx, c.Gateway, c.CreatedAt); err != nil {
		return "", err
	}
	e, err := p.queries.RefundListed(ctx, c.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "not done so far", nil
	case err != nil:
		return "", err
	}
	return "done, " + cmp.Or(e.Odd, money.Wire(e.AmountMinor)+" "+e.Currency), nil
}

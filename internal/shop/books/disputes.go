package books

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// Dispute is a payment whose payer asked their bank for the money back, with times in the shop's zone.
type Dispute = db.DeskDisputeGetRow

// MostOpen is how many open disputes a page lists.
const MostOpen = 100

// ErrNoDispute means that the shop has no such dispute.
var ErrNoDispute = fault.New(fault.NotFound, "no such dispute of this shop")

// OpenDisputes lists the open disputes of a shop, at most MostOpen, the nearest deadline first.
func (b *Books) OpenDisputes(ctx context.Context, one shop.Shop, test bool) (list []Dispute, more bool, err error) {
	rows, err := b.queries.DeskDisputesOpen(ctx, one.Code, test, MostOpen+1)
	for _, row := range rows[:min(len(rows), MostOpen)] {
		list = append(list, dispute(Dispute(row), one.Zone()))
	}
	return list, len(rows) > MostOpen, err
}

// EndedDisputes lists the ended disputes of a shop before a cursor, the latest first, and returns the next page's cursor, "" on the last.
func (b *Books) EndedDisputes(
	ctx context.Context, one shop.Shop, test bool, before string,
) (list []Dispute, next string, err error) {
	from := shop.ReadCursor(before)
	id, err := uuid.Parse(from.ID)
	if err != nil {
		from = shop.Cursor{}
	}
	rows, err := b.queries.DeskDisputesEnded(ctx, db.DeskDisputesEndedParams{
		ShopCode: one.Code, TestMode: test, BeforeAt: from.Newest().At, BeforeID: id, AtMost: OnPage + 1,
	})
	rows, next = shop.Page(rows, OnPage, func(r db.DeskDisputesEndedRow) shop.Cursor {
		return shop.Cursor{At: *r.EndedAt, ID: r.AttemptID.String()}
	})
	for _, row := range rows {
		list = append(list, dispute(Dispute(row), one.Zone()))
	}
	return list, next, err
}

// Dispute returns a dispute of a shop, with the refunds of its payment that are done. Errors: ErrNoDispute, also for a dispute of another
// shop.
func (b *Books) Dispute(ctx context.Context, one shop.Shop, id uuid.UUID) (d Dispute, refunds []Refunded, err error) {
	row, err := b.queries.DeskDisputeGet(ctx, id, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, nil, ErrNoDispute
	}
	if err != nil {
		return d, nil, err
	}
	refunds, err = b.queries.RefundDoneList(ctx, row.TransactionID)
	for i := range refunds {
		clock.Local(one.Zone(), &refunds[i].SettledAt)
	}
	return dispute(row, one.Zone()), refunds, err
}

// Refunded is a refund that is done, by the gateway's name for it.
type Refunded = db.RefundDoneListRow

func dispute(row Dispute, zone *time.Location) Dispute {
	row.Currency = strings.TrimSpace(row.Currency)
	clock.Local(zone, row.PaidAt, &row.OpenedAt, row.DueAt, row.EndedAt)
	return row
}

package books

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// MostOpen is how many open disputes a page lists.
const MostOpen = 100

// ErrNoDispute means that the shop has no such dispute.
var ErrNoDispute = fault.New(fault.NotFound, "no such dispute of this shop")

// OpenDisputes lists the open disputes of a shop, at most MostOpen, the nearest deadline first.
func (b *Books) OpenDisputes(ctx context.Context, one shop.Shop) (list []Dispute, more bool, err error) {
	rows, err := b.queries.DeskDisputesOpen(ctx, one.Code, !one.Live, MostOpen+1)
	for _, row := range rows[:min(len(rows), MostOpen)] {
		list = append(list, dispute(db.DeskDisputeGetRow(row), one.Zone()))
	}
	return list, len(rows) > MostOpen, err
}

// EndedDisputes lists the ended disputes of a shop, the latest first.
func (b *Books) EndedDisputes(ctx context.Context, one shop.Shop, from Cursor) (list []Dispute, more bool, err error) {
	id, err := uuid.Parse(from.ID)
	if err != nil {
		from = Cursor{}
	}
	rows, err := b.queries.DeskDisputesEnded(ctx, db.DeskDisputesEndedParams{
		ShopCode: one.Code, TestMode: !one.Live, BeforeAt: from.newest().At, BeforeID: id, AtMost: OnPage + 1,
	})
	for _, row := range rows[:min(len(rows), OnPage)] {
		list = append(list, dispute(db.DeskDisputeGetRow(row), one.Zone()))
	}
	return list, len(rows) > OnPage, err
}

// Dispute returns a dispute of a shop. Errors: ErrNoDispute, also for a dispute of another shop.
func (b *Books) Dispute(ctx context.Context, one shop.Shop, id uuid.UUID) (Dispute, error) {
	row, err := b.queries.DeskDisputeGet(ctx, id, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return Dispute{}, ErrNoDispute
	}
	return dispute(row, one.Zone()), err
}

func dispute(row db.DeskDisputeGetRow, zone *time.Location) Dispute {
	return Dispute{
		ID: row.AttemptID, Payment: row.TransactionID, State: row.State, Amount: row.AmountMinor, Currency: strings.TrimSpace(row.Currency),
		Method: row.Method, Brand: row.CardBrand, LastFour: row.CardLastFour, Test: row.TestMode, Paid: moment(row.PaidAt, zone),
		Opened: row.OpenedAt.In(zone), Due: moment(row.DueAt, zone), Ended: moment(row.EndedAt, zone),
	}
}

package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// refundBefore returns the refund that an earlier request with the same id made.
func (p *Payments) refundBefore(ctx context.Context, asked RefundRequest) (r db.Refund, found bool, err error) {
	if asked.ID == uuid.Nil {
		return r, false, nil
	}
	r, err = p.queries.RefundGet(ctx, asked.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return r, false, nil
	case err == nil && r.TransactionID != asked.TransactionID:
		return db.Refund{}, false, ErrOtherRefund
	}
	return r, err == nil, err
}

// priceLines returns the amount of a request: the price of its lines if it names any. Errors: ErrLines.
func (p *Payments) priceLines(ctx context.Context, asked RefundRequest, shop string) (int64, error) {
	if len(asked.Lines) == 0 {
		return asked.Amount, nil
	}
	lines, err := p.queries.OrderLineList(ctx, asked.TransactionID, shop)
	if err != nil {
		return 0, err
	}
	prices := map[int]int64{}
	for _, line := range lines {
		prices[int(line.LineNo)] = line.PriceMinor
	}
	var amount int64
	for _, line := range asked.Lines {
		price, ok := prices[line.No]
		if !ok || line.Qty < 1 || line.Qty > maxQty {
			return 0, ErrLines
		}
		amount += price * int64(line.Qty)
	}
	return amount, nil
}

// maxQty is the greatest quantity of a line.
const maxQty = 99

// addLines stores the lines that a refund is for. Errors: ErrLines.
func addLines(ctx context.Context, queries *db.Queries, asked RefundRequest) error {
	for _, line := range asked.Lines {
		rows, err := queries.RefundLineAdd(ctx, db.RefundLineAddParams{
			RefundID: asked.ID, TransactionID: asked.TransactionID,
			Qty: int32(line.Qty), LineNo: int32(line.No), //nolint:gosec // priceLines found both in the order
		})
		switch {
		case db.IsTaken(err), err == nil && rows == 0: // named twice, or refunded before
			return ErrLines
		case err != nil:
			return err
		}
	}
	return nil
}

package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// refundBefore returns the refund that an earlier order with the same id made.
func (p *Payments) refundBefore(ctx context.Context, order RefundOrder) (r db.Refund, found bool, err error) {
	if order.ID == uuid.Nil {
		return r, false, nil
	}
	r, err = p.queries.RefundGet(ctx, order.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return r, false, nil
	case err == nil && r.TransactionID != order.TransactionID:
		return db.Refund{}, false, ErrOtherRefund
	}
	return r, err == nil, err
}

// priceLines returns the amount of an order: the price of its lines if it names any. Errors: ErrLines.
func (p *Payments) priceLines(ctx context.Context, order RefundOrder, client string) (int64, error) {
	if len(order.Lines) == 0 {
		return order.Amount, nil
	}
	lines, err := p.queries.OrderLineList(ctx, order.TransactionID, client)
	if err != nil {
		return 0, err
	}
	prices := map[int]int64{}
	for _, line := range lines {
		prices[int(line.LineNo)] = line.PriceMinor
	}
	var amount int64
	for _, line := range order.Lines {
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
func addLines(ctx context.Context, queries *db.Queries, order RefundOrder) error {
	for _, line := range order.Lines {
		rows, err := queries.RefundLineAdd(ctx, db.RefundLineAddParams{
			RefundID: order.ID, Qty: int32(line.Qty), TransactionID: order.TransactionID, LineNo: int32(line.No), //nolint:gosec // priceLines found it among the order's
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

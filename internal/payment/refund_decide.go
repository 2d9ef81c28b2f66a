package payment

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
)

// ErrRefundDecided means that the refund is decided, or that its gateway still has time to decide it.
var ErrRefundDecided = fault.New(fault.Conflict, "the refund does not wait for a decision")

// UndecidedRefunds lists the undecided refunds, oldest first. A person may decide the late ones: those that wait for a person,
// those without any answer for 5 minutes and those that the gateway has had for a day.
func (p *Payments) UndecidedRefunds(ctx context.Context) ([]db.RefundListUndecidedRow, error) {
	return p.queries.RefundListUndecided(ctx, p.gatewayIDs())
}

// DecideRefund ends a refund that is late, and records who did it and why. Errors: ErrRefundDecided.
func (p *Payments) DecideRefund(ctx context.Context, id uuid.UUID, done bool, by, reason string) error {
	var refund db.Refund
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		late, err := queries.RefundLate(ctx, id, p.gatewayIDs())
		if err != nil {
			return err
		}
		if !late {
			return ErrRefundDecided
		}
		var rows int64
		action := "decide refund declined"
		if done {
			action = "decide refund done"
			rows, err = p.finishRefund(ctx, tx, id, "", true)
		} else {
			rows, err = p.declineRefund(ctx, tx, id, true)
		}
		if err != nil {
			return err
		}
		if rows == 0 {
			return ErrRefundDecided
		}
		if refund, err = queries.RefundGet(ctx, id); err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: id.String(), Reason: reason})
	})
	if err != nil {
		return err
	}
	p.announce(refund.ClientCode, refund.TransactionID)
	return nil
}

package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/gateway"
)

// giveBackOther gives back a capture in another currency, all of it. The attempt waits for a person until the gateway has made the
// refund, and is not charged then. Errors: ErrNotManual, ErrOtherCurrency if the amount is not known, ErrOtherRefund if it is being
// given back already, ErrGiveBackDeclined.
func (p *Payments) giveBackOther(ctx context.Context, a db.Attempt, d Decision, answer gateway.Answer) error {
	at := p.at(a.Gateway)
	switch {
	case answer.Amount == 0:
		return ErrOtherCurrency
	case at == nil:
		return ErrElsewhere
	}
	var r db.Refund
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		var err error
		r, err = queries.RefundOtherCurrency(ctx, db.RefundOtherCurrencyParams{
			ID: uuid.New(), AttemptID: a.ID, AmountMinor: answer.Amount, Currency: answer.Currency, Transactionid: answer.TransactionID,
			RequestedBy: d.By, LeaseSeconds: p.lease(), Gateway: at.ID(),
		})
		if err != nil {
			return err
		}
		rows, err := record(ctx, queries, d, "decide "+string(d.End), Says(answer))
		if err == nil && rows == 0 {
			return ErrNotManual
		}
		return err
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotManual
	case db.IsTaken(err):
		return ErrOtherRefund
	case err != nil:
		return err
	}
	if r, err = p.sendRefund(ctx, r); err == nil && r.State == state.RefundDeclined {
		return ErrGiveBackDeclined
	}
	return err // the sweep goes on with what is open
}

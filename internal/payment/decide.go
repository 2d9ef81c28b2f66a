package payment

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/fault"
	"forecourt/internal/receipt"
)

// ErrNotManual is an attempt that no person has to decide, or that somebody decided first.
var ErrNotManual = fault.New(fault.Conflict, "the attempt does not wait for a decision")

// Undecided lists the attempts without an outcome that somebody has to look at, the oldest first: those that wait for a person, those
// older than 5 minutes and those of a gateway that is not set up.
func (p *Payments) Undecided(ctx context.Context) ([]db.AttemptListUndecidedRow, error) {
	return p.queries.AttemptListUndecided(ctx, p.gatewayIDs())
}

// Decide ends an attempt that only a person can judge, and writes down who did and why. Errors: ErrNotManual.
func (p *Payments) Decide(ctx context.Context, attempt uuid.UUID, approved bool, by, reason string) error {
	var decided db.Attempt
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		var rows int64
		var err error
		action := "decide not_charged"
		if approved {
			action = "decide approved"
			rows, err = queries.AttemptApprove(ctx, db.AttemptApproveParams{ID: attempt, ByPerson: true})
		} else {
			rows, err = queries.AttemptRefuse(ctx, db.AttemptRefuseParams{ID: attempt, State: state.AttemptNotCharged, ByPerson: true})
		}
		if err != nil {
			return err
		}
		if rows == 0 {
			return ErrNotManual
		}
		if decided, err = queries.AttemptGet(ctx, attempt); err != nil {
			return err
		}
		if approved {
			if err := receipt.Make(ctx, tx, p.cfg.Mail, attempt, p.cfg.Descriptor(decided.ClientCode)); err != nil {
				return err
			}
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: action, Subject: attempt.String(), Reason: reason})
	})
	if err != nil {
		return err
	}
	p.announce(decided.ClientCode, decided.TransactionID)
	return nil
}

package payment

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
)

// settleUndecided closes the payments that a gateway has accepted but not decided, so that no charge from before a restore can succeed once
// payments are open. It adds to done those that the gateway still has not decided then.
func (p *Payments) settleUndecided(ctx context.Context, at *gateway.Client, done *Import) error {
	undecided, err := p.undecided(ctx, at)
	if errors.Is(err, gateway.ErrNotServed) {
		done.Silent = append(done.Silent, at.ID())
		return nil
	}
	if err != nil || len(undecided) == 0 {
		return err
	}
	for _, e := range undecided {
		answer := at.Resolve(ctx, gateway.Want{
			Reference: e.Reference, MerchantID: e.MerchantID, TestMode: e.TestMode != nil && *e.TestMode,
			Amount: e.Amount, Currency: e.Currency,
		})
		p.log.InfoContext(
			ctx, "closed a payment that the restore lost", "reference", e.Reference, "transaction", e.TrxID, "outcome", answer.Outcome,
		)
	}
	// How to read the answers depends on the method, which the ledger does not name. So list again what is left.
	if undecided, err = p.undecided(ctx, at); err != nil {
		return err
	}
	for _, e := range undecided {
		_, err := p.queries.CaseTransaction(ctx, e.TrxID)
		switch {
		case err == nil:
			done.Undecided = append(done.Undecided, fmt.Sprintf("%-8s %s  %s  the gateway has not decided it", e.Kind, e.Reference, e.TrxID))
		case !errors.Is(err, pgx.ErrNoRows): // of one without a transaction, nobody can pay it again
			return err
		}
	}
	return nil
}

// undecided lists the payments that a gateway has accepted but not decided. It leaves out attempts that are open here, because the sweep
// decides those and their transactions cannot be paid meanwhile.
func (p *Payments) undecided(ctx context.Context, at *gateway.Client) ([]gateway.Entry, error) {
	listed, err := at.Open(ctx)
	if err != nil {
		return nil, err
	}
	var unknown []gateway.Entry
	for _, e := range listed {
		held, err := p.holds(ctx, e)
		if err != nil {
			return nil, err
		}
		if !held {
			unknown = append(unknown, e)
		}
	}
	return unknown, nil
}

// holds reports whether an open attempt has the reference of an entry.
func (p *Payments) holds(ctx context.Context, e gateway.Entry) (bool, error) {
	id, err := uuid.Parse(e.Reference)
	if err != nil {
		return false, nil //nolint:nilerr // not a reference of ours
	}
	a, err := p.queries.AttemptGet(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return a.State != state.AttemptApproved && !a.State.Refused(), err
}

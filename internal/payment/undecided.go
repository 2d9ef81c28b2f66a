package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"forecourt/internal/gateway"
)

// settleUndecided closes at a gateway what it has accepted and not decided, so that no charge of before a restore can succeed
// once payments are open. It returns how many the gateway still has not decided; known is false when it does not tell.
func (p *Payments) settleUndecided(ctx context.Context, at *gateway.Client) (open int, known bool, err error) {
	undecided, err := at.Open(ctx)
	if errors.Is(err, gateway.ErrNotServed) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	asked := false
	for _, e := range undecided {
		held, err := p.holds(ctx, e)
		switch {
		case err != nil:
			return 0, false, err
		case held:
			continue // the sweep decides it, and the transaction cannot be paid meanwhile
		}
		asked = true
		answer := at.Resolve(ctx, gateway.ResolveRequest{
			Reference: e.Reference, MerchantID: e.MerchantID, TestMode: e.TestMode != nil && *e.TestMode,
			Amount: e.Amount, Currency: e.Currency,
		})
		p.log.InfoContext(ctx, "closing what a restore forgot", "reference", e.Reference, "transaction", e.TrxID, "outcome", answer.Outcome)
	}
	if !asked {
		return 0, true, nil
	}
	// What the answers meant depends on how it was paid, which the ledger does not tell: look which are left.
	if undecided, err = at.Open(ctx); err != nil {
		return 0, false, err
	}
	for _, e := range undecided {
		held, err := p.holds(ctx, e)
		if err != nil {
			return 0, false, err
		}
		if !held {
			open++
		}
	}
	return open, true, nil
}

// holds reports whether an attempt that is open here has the reference of an entry.
func (p *Payments) holds(ctx context.Context, e gateway.Entry) (bool, error) {
	id, err := uuid.Parse(e.Reference)
	if err != nil {
		return false, nil //nolint:nilerr // it is none of ours
	}
	rows, err := p.queries.AttemptListByID(ctx, []uuid.UUID{id})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	switch rows[0].State {
	case "approved", "declined", "not_charged":
		return false, nil
	}
	return true, nil
}

package settlement

import (
	"context"
	"fmt"
	"time"

	"forecourt/internal/kit/money"
)

// Finding is a problem with payouts that a person has to look at.
type Finding struct {
	Kind      string // of a movement, or payout
	Reference string // of the movement, or the payout's id
	TrxID     string // "" where it is not known
	Problem   string
}

func (f Finding) String() string {
	return fmt.Sprintf("%-8s %s  %s  %s", f.Kind, f.Reference, f.TrxID, f.Problem)
}

// Findings lists movements that should not be in a payout, payouts that do not add up or whose id came twice, and overdue movements that
// are in no payout.
func (s *Settlement) Findings(ctx context.Context) ([]Finding, error) {
	doubts, err := s.queries.PayoutListDoubt(ctx, 0)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for _, d := range doubts {
		all = append(all, Finding{Kind: "payout", Reference: d.Payout.ID, Problem: problemOf(d)})
	}
	late, err := s.queries.OwedLate(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range late {
		all = append(all, Finding{u.Kind, u.Reference, u.TransactionID, fmt.Sprintf("%s %s of %s is in no payout", money.Wire(u.AmountMinor),
			u.Currency, u.MovedAt.UTC().Format(time.DateOnly))})
	}
	return all, nil
}

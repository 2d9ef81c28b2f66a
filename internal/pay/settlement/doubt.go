package settlement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/people/review"
)

// Payout is money that was paid to a business, with the problems that a person has to look at. Amounts are in minor units.
type Payout struct {
	ID, Business           string // Business is its name, or what the gateway calls one that is not known here
	Currency               string
	TestMode               bool
	Gross, Fees, Net, Held int64 // Held is what its lines come to by our books
	PaidAt                 time.Time
	Accepted               bool           // staff accepted it as it is
	Problems               []string       // none: it agrees with our books, or is accepted
	History                []review.Event // set only by Payout
}

// InDoubt lists the payouts that a person has to look at, oldest first: those that the view payout_in_doubt calls wrong.
func (s *Settlement) InDoubt(ctx context.Context) ([]Payout, error) {
	rows, err := s.queries.PayoutListDoubt(ctx)
	if err != nil {
		return nil, err
	}
	var all []Payout
	for _, d := range rows {
		if last := len(all) - 1; last >= 0 && all[last].ID == d.ID {
			all[last].Problems = append(all[last].Problems, problemOf(d))
			continue
		}
		all = append(all, Payout{
			ID: d.ID, Business: d.Business, Currency: d.Currency, TestMode: d.TestMode, Gross: d.GrossMinor, Fees: d.FeesMinor, Net: d.NetMinor,
			Held: d.HeldMinor, PaidAt: d.PaidAt, Problems: []string{problemOf(d)},
		})
	}
	return all, nil
}

// Payout returns a payout with its history. Errors: fault.NotFound.
func (s *Settlement) Payout(ctx context.Context, id string) (Payout, error) {
	row, err := s.queries.PayoutGet(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return Payout{}, fault.New(fault.NotFound, "no such payout")
	}
	if err != nil {
		return Payout{}, err
	}
	p := Payout{
		ID: row.ID, Business: row.Business, Currency: row.Currency, TestMode: row.TestMode,
		Gross: row.GrossMinor, Fees: row.FeesMinor, Net: row.NetMinor,
		Held: row.HeldMinor, PaidAt: row.PaidAt, Accepted: row.AcceptedAt != nil,
	}
	doubts, err := s.queries.PayoutListDoubt(ctx)
	if err != nil {
		return p, err
	}
	for _, d := range doubts {
		if d.ID == id {
			p.Problems = append(p.Problems, problemOf(d))
		}
	}
	p.History, err = review.History(ctx, s.queries, id)
	return p, err
}

// repeated is the doubt about a payout whose id was listed again with other figures.
const repeated = "repeated"

// problemOf describes a doubt about a payout.
func problemOf(d db.PayoutListDoubtRow) string {
	figures := fmt.Sprintf("gross %s, fees %s, net %s", money.Wire(d.GrossMinor), money.Wire(d.FeesMinor), money.Wire(d.NetMinor))
	switch d.Kind {
	case string(state.MovedUnknown):
		return "it holds " + d.Reference + ", which is not a movement of " + d.ShopCode + " in " + d.Currency + " here"
	case string(state.MovedAgain):
		return "it holds " + d.Reference + " once more"
	case repeated:
		return figures + " " + d.Currency + ", but its id came again with " + d.Repeated
	default:
		return figures + "; what it holds comes to " + money.Wire(d.HeldMinor) + " " + d.Currency + " here"
	}
}

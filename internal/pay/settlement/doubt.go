package settlement

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/people/review"
)

// Payout is money that was paid to a business, with the problems that a person has to look at.
type Payout struct {
	db.Payout
	Business string         // its name, or what the gateway calls one that is not known here
	Problems []string       // none: it agrees with our books, or is accepted
	History  []review.Event // set only by Payout
}

// InDoubt lists the payouts that a person has to look at, oldest first: those that the view payout_in_doubt calls wrong.
func (s *Settlement) InDoubt(ctx context.Context) ([]Payout, error) {
	rows, err := s.queries.PayoutListDoubt(ctx, 0)
	if err != nil {
		return nil, err
	}
	var all []Payout
	for _, d := range rows {
		if last := len(all) - 1; last >= 0 && all[last].Number == d.Payout.Number {
			all[last].Problems = append(all[last].Problems, problemOf(d))
			continue
		}
		all = append(all, Payout{Payout: d.Payout, Business: d.Business, Problems: []string{problemOf(d)}})
	}
	return all, nil
}

// PayoutByNumber returns a payout with its history. Errors: fault.NotFound.
func (s *Settlement) PayoutByNumber(ctx context.Context, number int64) (Payout, error) {
	row, err := s.queries.PayoutGet(ctx, number)
	if errors.Is(err, pgx.ErrNoRows) {
		return Payout{}, fault.New(fault.NotFound, "no such payout")
	}
	if err != nil {
		return Payout{}, err
	}
	p := Payout{Payout: row.Payout, Business: row.Business}
	doubts, err := s.queries.PayoutListDoubt(ctx, number)
	if err != nil {
		return p, err
	}
	for _, d := range doubts {
		p.Problems = append(p.Problems, problemOf(d))
	}
	p.History, err = review.History(ctx, s.queries, subjectOf(p.Payout))
	return p, err
}

// subjectOf names a payout in the audit log: by the gateway's id, and by its number if another payout has that id.
func subjectOf(p db.Payout) string {
	if p.Repeated {
		return fmt.Sprintf("%s (%d)", p.ID, p.Number)
	}
	return p.ID
}

// problemOf describes a doubt about a payout.
func problemOf(d db.PayoutListDoubtRow) string {
	p := d.Payout
	figures := fmt.Sprintf("gross %s, fees %s, net %s", money.Wire(p.GrossMinor), money.Wire(p.FeesMinor), money.Wire(p.NetMinor))
	switch d.Kind {
	case string(state.MovedUnknown):
		return "it holds " + d.Reference + ", which is not a movement of " + p.ShopCode + " in " + p.Currency + " here"
	case string(state.MovedAgain):
		return "it holds " + d.Reference + " once more"
	case "repeated":
		return "the gateway had given its id to another payout: " + figures + " " + p.Currency + " to " + p.ShopCode
	case "fees":
		return "deducted " + money.Label(p.FeesMinor, p.Currency) + ", agreed fees come to " + money.Label(*p.RatedMinor, p.Currency)
	default:
		return figures + "; what it holds comes to " + money.Wire(p.HeldMinor) + " " + p.Currency + " here"
	}
}

package staff

import (
	"context"
	"errors"
	"hash/crc32"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/people/review"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// These are the states of a payout.
const (
	inDoubt  = "doubt"
	accepted = "accepted"
	inOrder  = "order"
)

// Payouts is the queue of payouts that do not agree with our books, /staff/payouts/{id}, by their numbers.
func Payouts(rules *settlement.Settlement) Queue {
	k := Kind{
		Path: "/staff/payouts", Title: "Payouts in doubt", ToQueue: true,
		States:  []State{stand(inDoubt, "In doubt", ui.Warning)},
		Outside: []State{stand(accepted, "Accepted", ui.Good), stand(inOrder, "In order", ui.Good)},
		Waiting: view.Empty{Title: "No payout is in doubt", Text: "Payouts that differ from our books appear here within minutes."},
		Other:   view.Empty{Title: "No payout is in doubt", Text: "Payouts that differ from our books appear here within minutes."},
		Decisions: []ui.Option{{
			Value: accepted, Label: "Accept it as it is", Hint: "It is no longer listed. No money moves, and our books stay as they are",
		}},
		Hint:      "For the audit log: what the gateway or the bank said.",
		Overtaken: "Somebody else accepted this payout, or something new was found in it",
		Actions:   map[string]string{"accept payout": "accepted it"},
	}
	k.List = func(ctx context.Context, p Part) (list Listing, err error) {
		all, err := rules.InDoubt(ctx)
		if err != nil {
			return list, err
		}
		skipped, atMost := review.Window(p.Page)
		rest := all[min(int(skipped), len(all)):]
		page, more := review.Page(rest[:min(int(atMost), len(rest))])
		for _, o := range page {
			list.Rows = append(list.Rows, view.Row{
				URL: k.Path + "/" + strconv.FormatInt(o.Number, 10), Name: o.Business, What: money.Label(o.GrossMinor, o.Currency) + mode(o.TestMode),
				From: o.Problems[0], At: o.PaidAt, State: stateOf(k, inDoubt),
			})
		}
		return Listing{list.Rows, more, map[string]int{inDoubt: len(all)}}, nil
	}
	k.Load = func(r *http.Request) (*Case, error) {
		o, err := payoutOf(r, rules)
		if err != nil {
			return nil, err
		}
		c := &Case{Path: strconv.FormatInt(o.Number, 10), State: standing(o), Version: seenOf(o), History: o.History, Case: view.Case{
			What: "Payout", Title: money.Label(o.GrossMinor, o.Currency) + " to " + o.Business, Since: "Paid", At: o.PaidAt,
			Facts: payoutFacts(o),
		}}
		for _, problem := range o.Problems {
			c.Facts = append([]view.Fact{{Name: "In doubt", Value: problem}}, c.Facts...)
		}
		return c, nil
	}
	k.Decide = func(r *http.Request, d Decision) error {
		proof := session.Who(r).Proof
		if err := proof.Check(); err != nil {
			return err
		}
		o, err := payoutOf(r, rules)
		if err != nil {
			return err
		}
		reason, err := review.Check([]review.Choice[string]{{State: accepted, Why: "Say why"}}, d.State, d.Reason)
		switch {
		case err != nil:
			return err
		case standing(o) != inDoubt, d.Version != seenOf(o):
			return review.ErrDecided
		}
		if err := rules.AcceptPayout(r.Context(), o.Number, d.By, reason, proof); !errors.Is(err, settlement.ErrNoDoubt) {
			return err
		}
		return review.ErrDecided
	}
	return Queue{k}
}

func payoutOf(r *http.Request, rules *settlement.Settlement) (settlement.Payout, error) {
	number, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return settlement.Payout{}, fault.New(fault.NotFound, "no such payout")
	}
	return rules.PayoutByNumber(r.Context(), number)
}

func standing(o settlement.Payout) string {
	switch {
	case len(o.Problems) > 0:
		return inDoubt
	case o.AcceptedAt != nil:
		return accepted
	}
	return inOrder
}

// seenOf identifies a set of problems, so that a person accepts only what they have read.
func seenOf(o settlement.Payout) int {
	return int(crc32.ChecksumIEEE([]byte(strings.Join(o.Problems, "\n"))) >> 1)
}

func payoutFacts(o settlement.Payout) []view.Fact {
	amount := func(minor int64) string { return money.Label(minor, o.Currency) }
	facts := []view.Fact{
		{Name: "Gross", Value: amount(o.GrossMinor)}, {Name: "Fees", Value: amount(o.FeesMinor)}, {Name: "Net", Value: amount(o.NetMinor)},
		{Name: "By our books", Value: amount(o.HeldMinor)}, {Name: "At the gateway", Value: o.ID},
	}
	if o.TestMode {
		facts = append(facts, view.Fact{Name: "Mode", Value: "Test"})
	}
	return facts
}

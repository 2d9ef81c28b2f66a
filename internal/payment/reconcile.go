package payment

import (
	"context"
	"fmt"
	"time"

	"forecourt/db/state"
	"forecourt/internal/gateway"
	"forecourt/internal/money"
)

// slack is how far apart the gateway's and our own time of the same movement may lie.
const slack = 24 * time.Hour

// Difference is something that only one side knows, or that the sides know differently.
type Difference struct {
	Kind      string // capture or refund
	Reference string
	TrxID     string
	Problem   string
}

func (d Difference) String() string {
	return fmt.Sprintf("%-8s %s  %s  %s", d.Kind, d.Reference, d.TrxID, d.Problem)
}

// Comparison is what Reconcile found.
type Comparison struct {
	Captures, Refunds int   // movements on both sides
	Total             int64 // captured less refunded by the ledger, minor units of whatever currencies
	Differences       []Difference
}

// ours is a movement as the database has it.
type ours struct {
	kind, trx, currency, state string
	amount                     int64
	moved                      bool // money moved, by our books
	refused                    bool // none moved and none will
	inWindow                   bool
}

// Reconcile holds the database against the gateway's ledger for movements from (included) to (excluded). What is still
// open on our side is not a difference: the sweep will decide it.
func (p *Payments) Reconcile(ctx context.Context, from, to time.Time) (Comparison, error) {
	entries, err := p.gateway.Ledger(ctx, from.Add(-slack), to.Add(slack))
	if err != nil {
		return Comparison{}, err
	}
	known, err := p.movements(ctx, from, to)
	if err != nil {
		return Comparison{}, err
	}
	var c Comparison
	told := map[string]bool{}
	for _, e := range entries {
		mine, found := known[e.Reference]
		inWindow := !e.At.Before(from) && e.At.Before(to)
		if !inWindow && (!found || !mine.inWindow) {
			told[e.Reference] = true
			continue
		}
		c.count(e)
		if problem := problemOfEntry(e, mine, found, told[e.Reference]); problem != "" {
			c.Differences = append(c.Differences, Difference{e.Kind, e.Reference, e.TrxID, problem})
		}
		told[e.Reference] = true
	}
	for reference, mine := range known {
		if mine.inWindow && mine.moved && !told[reference] {
			c.Differences = append(c.Differences, Difference{mine.kind, reference, mine.trx, "the gateway does not know it"})
		}
	}
	return c, nil
}

func (c *Comparison) count(e gateway.Entry) {
	if e.Kind == "refund" {
		c.Refunds++
		c.Total -= e.Amount
		return
	}
	c.Captures++
	c.Total += e.Amount
}

func problemOfEntry(e gateway.Entry, mine ours, found, again bool) string {
	switch {
	case again:
		return "the gateway moved money twice for one reference"
	case !found:
		return "we do not know it"
	case mine.kind != e.Kind:
		return "it is a " + mine.kind + " here"
	case e.Kind == "capture" && e.Arrivals > 1:
		return fmt.Sprintf("the reference arrived %d times", e.Arrivals)
	case mine.amount != e.Amount || mine.currency != e.Currency:
		return fmt.Sprintf("%s %s there, %s %s here", money.Wire(e.Amount), e.Currency, money.Wire(mine.amount), mine.currency)
	case mine.trx != e.TrxID:
		return "it belongs to transaction " + mine.trx + " here"
	case mine.refused:
		return "it is " + mine.state + " here"
	}
	return ""
}

// movements returns our attempts and refunds around the window by reference.
func (p *Payments) movements(ctx context.Context, from, to time.Time) (map[string]ours, error) {
	attempts, err := p.queries.AttemptListForLedger(ctx, from.Add(-slack), to.Add(slack))
	if err != nil {
		return nil, err
	}
	refunds, err := p.queries.RefundListForLedger(ctx, from.Add(-slack), to.Add(slack))
	if err != nil {
		return nil, err
	}
	known := make(map[string]ours, len(attempts)+len(refunds))
	in := func(t *time.Time) bool { return t != nil && !t.Before(from) && t.Before(to) }
	for _, a := range attempts {
		known[a.ID.String()] = ours{
			"capture", a.TransactionID, a.Currency, string(a.State), a.AmountMinor,
			a.State == state.AttemptApproved, a.State.Refused(), in(a.SettledAt),
		}
	}
	for _, r := range refunds {
		known[r.ID.String()] = ours{
			"refund", r.TransactionID, r.Currency, string(r.State), r.AmountMinor,
			r.State == state.RefundDone, r.State == state.RefundDeclined, in(r.SettledAt),
		}
	}
	return known, nil
}

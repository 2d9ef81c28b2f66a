package payment

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

const (
	// lately is how far back the frequent comparison looks. It leaves out justNow, which the next comparison covers.
	lately  = time.Hour
	justNow = time.Minute // the newest part, which the next comparison covers
)

// CompareLately compares the last hour of the gateway's ledger with the database. It stores movements that are unknown here, above all a
// second charge, as unmatched, and reports each once. It returns the number of new ones.
func (p *Payments) CompareLately(ctx context.Context) (found int, err error) {
	if closed, err := p.queries.RestoreClosed(ctx); err != nil || closed {
		return 0, err // the import records what the ledger has
	}
	now := time.Now()
	// The daily comparison reports what the gateway lacks, once the gateway has had time to list it.
	c, err := p.reconcile(ctx, span{now.Add(-lately), now.Add(-justNow)}, false)
	if err != nil {
		return 0, err
	}
	for _, d := range c.Differences {
		added, err := p.addUnmatched(ctx, *d.entry, d.Problem)
		if err != nil {
			return found, err
		}
		if added {
			found++
		}
	}
	return found, nil
}

// addUnmatched stores a movement that matches no record here, and reports it once.
func (p *Payments) addUnmatched(ctx context.Context, e gateway.Entry, problem string) (added bool, err error) {
	rows, err := p.queries.UnmatchedAdd(ctx, db.UnmatchedAddParams{
		Kind: string(e.Kind), Reference: label(e), TrxID: e.TrxID, Transactionid: e.TransactionID,
		AmountMinor: e.Amount, Currency: e.Currency, MovedAt: e.At, Problem: problem,
	})
	if rows > 0 {
		p.log.ErrorContext(
			ctx, "the gateway's ledger differs", "kind", e.Kind, "reference", e.Reference, "transaction", e.TrxID, "problem", problem,
		)
	}
	return rows > 0, err
}

// label returns the reference under which an entry is stored. One that is not of our making may stand for many entries, such as "console".
func label(e gateway.Entry) string {
	if _, err := uuid.Parse(e.Reference); err == nil {
		return e.Reference
	}
	return strings.Join([]string{e.Reference, e.TransactionID, e.TrxID, money.Wire(e.Amount), e.At.UTC().Format(time.RFC3339)}, " ")
}

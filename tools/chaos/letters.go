package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// delivered is how long letters may take after the last kill: one that a kill interrupted is begun again after 40 s, and one
// that failed several times waits longer each time.
const delivered = 4 * time.Minute

// awaitLetters returns when every letter that was ordered has been sent, or given up, or after limit.
func (w *world) awaitLetters(ctx context.Context, limit time.Duration) error {
	conn, err := pgx.Connect(ctx, w.database.DSN(embedded.Database))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	open := 1
	for end := time.Now().Add(limit); open > 0 && time.Now().Before(end) && ctx.Err() == nil; {
		err := conn.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE kind = 'mail' AND finalized_at IS NULL`).Scan(&open)
		if err != nil {
			return err
		}
		pause(ctx, 200*time.Millisecond)
	}
	return ctx.Err()
}

// about is what a letter is about and to whom.
type about struct {
	trx, to string
	refund  bool
}

// judgeLetters holds the letters that arrived against what was paid and given back.
func judgeLetters(b books, letters []letter) []promise {
	stored, done := map[string]bool{}, map[string]int{}
	for _, t := range b.transactions {
		stored[t.ID] = true
	}
	for _, r := range b.refunds {
		if r.State == "done" {
			done[r.TrxID]++
		}
	}
	arrived, seen, again := map[about]map[string]bool{}, map[string]bool{}, 0
	for _, l := range letters {
		if seen[l.id] {
			again++
		}
		seen[l.id] = true
		for _, trx := range l.mentions {
			if !stored[trx] {
				continue
			}
			a := about{trx, l.to, l.refund}
			if arrived[a] == nil {
				arrived[a] = map[string]bool{}
			}
			arrived[a][l.id] = true
		}
	}
	wanted, hasReceipt := map[about]int{}, map[string]bool{}
	for _, r := range b.receipts {
		hasReceipt[r.TrxID] = true
		if r.Merchant != "" {
			wanted[about{r.TrxID, r.Merchant, false}] = 1
		}
		if to := mailboxOf(r.TrxID); to != "" {
			wanted[about{r.TrxID, to, false}] = 1
			if done[r.TrxID] > 0 {
				wanted[about{r.TrxID, to, true}] = done[r.TrxID]
			}
		}
	}
	var receipts, refunds, wantedReceipts, wantedRefunds, stray int
	for a, n := range wanted {
		if a.refund {
			wantedRefunds += n
			refunds += count(len(arrived[a]) != n)
		} else {
			wantedReceipts++
			receipts += count(len(arrived[a]) != n)
		}
	}
	for a := range arrived {
		if wanted[a] == 0 {
			stray++
		}
	}
	for _, t := range b.transactions {
		receipts += count(t.Approved != "" && !hasReceipt[t.ID])
	}
	return []promise{
		{"receipts", receipts, fmt.Sprintf("receipts (%d for %d payments) missing, or there under two Message-IDs", wantedReceipts, len(b.receipts))},
		{"refund mails", refunds, fmt.Sprintf("payers without one letter for each of their refunds, of %d letters", wantedRefunds)},
		{"strays", stray, fmt.Sprintf("letters (%d, %d of them again under their Message-ID) about what was not paid, or to somebody else", len(letters), again)},
	}
}

package main

import (
	"context"
	"fmt"
	"time"
)

// delivered is how long letters may take after the last kill. A letter that a kill interrupted is retried after 40 s, and one
// that failed several times waits longer each time.
const delivered = 4 * time.Minute

// awaitLetters returns when every queued letter has been sent or given up, or after limit.
func (w *world) awaitLetters(ctx context.Context, limit time.Duration) error {
	conn, err := w.connect(ctx)
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

// about says what a letter is about and who gets it.
type about struct {
	trx, to string
	kind    letterKind
}

// judgeLetters compares the letters that arrived with what was paid, given back and disputed. It looks at live payments only, because test mode
// promises no letters.
func judgeLetters(b books, letters []letter) []promise {
	stored, done, disputed := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, t := range b.transactions {
		if !t.Test {
			stored[t.ID] = true
		}
	}
	for _, d := range b.disputes {
		disputed[d.TrxID] = 1 + count(d.State != "opened") // one about its beginning, and one about its end
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
		if l.kind == aNotice {
			continue
		}
		for _, trx := range l.mentions {
			if !stored[trx] {
				continue
			}
			a := about{trx, l.to, l.kind}
			if arrived[a] == nil {
				arrived[a] = map[string]bool{}
			}
			arrived[a][l.id] = true
		}
	}
	wanted, hasReceipt := map[about]int{}, map[string]bool{}
	for _, r := range b.receipts {
		if !stored[r.TrxID] {
			continue
		}
		hasReceipt[r.TrxID] = true
		if r.Merchant != "" {
			wanted[about{r.TrxID, r.Merchant, aReceipt}] = 1
			if n := disputed[r.TrxID]; n > 0 {
				wanted[about{r.TrxID, r.Merchant, aDispute}] = n
			}
		}
		if to := mailboxOf(r.TrxID); to != "" {
			wanted[about{r.TrxID, to, aReceipt}] = 1
			if done[r.TrxID] > 0 {
				wanted[about{r.TrxID, to, aRefund}] = done[r.TrxID]
			}
		}
	}
	var asked, missed [3]int
	stray := 0
	for a, n := range wanted {
		asked[a.kind] += n
		missed[a.kind] += count(len(arrived[a]) != n)
	}
	for a := range arrived {
		if wanted[a] == 0 {
			stray++
		}
	}
	for _, t := range b.transactions {
		missed[aReceipt] += count(!t.Test && t.Approved != "" && !hasReceipt[t.ID])
	}
	return []promise{
		{"receipts", missed[aReceipt], fmt.Sprintf("receipts (%d for %d live payments) missing, or there under two Message-IDs", asked[aReceipt], len(hasReceipt))},
		{"refund mails", missed[aRefund], fmt.Sprintf("payers without one letter for each of their refunds, of %d letters", asked[aRefund])},
		{"dispute mails", missed[aDispute], fmt.Sprintf("disputed payments without a letter at either end, of %d letters", asked[aDispute])},
		{"strays", stray, fmt.Sprintf("letters (%d, %d of them again under their Message-ID) about what was not paid, or to somebody else", len(letters), again)},
	}
}

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// judgeRefunds compares the gateway's refunds with the database, and both with the output of the refund commands.
func judgeRefunds(b books, heard map[string]refunded) []promise {
	done, captured, paid := map[string]refund{}, map[string]int64{}, map[string]transaction{}
	given, taken := totals{}, totals{}
	var open int
	back, held := map[string]int64{}, map[string]int64{} // held by open refunds
	for _, r := range b.refunds {
		switch r.State {
		case "done":
			done[r.ID] = r
			given[book{r.Merchant, r.Currency, r.Test}] += cents(r.Amount)
			back[r.TrxID] += cents(r.Amount)
		case "open", "pending", "manual":
			held[r.TrxID] += cents(r.Amount)
		}
		open += count(r.State != "done" && r.State != "declined" || r.Seconds > stuckAfter)
	}
	for _, c := range b.ledger {
		captured[c.TrxID] += cents(c.Amount)
	}
	for _, t := range b.transactions {
		paid[t.ID] = t
	}
	moved, theirs := map[string]int{}, map[string]int64{}
	var lost, ghost, differ, over, misled int
	for _, c := range b.back {
		moved[c.Reference]++
		taken[c.book()] += cents(c.Amount)
		theirs[c.TrxID] += cents(c.Amount)
		r, known := done[c.Reference]
		switch {
		case !known, moved[c.Reference] > 1:
			lost++
		case r.TrxID != c.TrxID || r.Amount != c.Amount || r.Currency != c.Currency || paid[r.TrxID].TransactionID != c.TransactionID,
			r.Merchant != c.MerchantID || r.Test != c.TestMode || r.Gateway != c.Gateway:
			differ++
		}
	}
	for id := range done {
		ghost += count(moved[id] == 0)
	}
	for trx, t := range paid {
		over += count(back[trx] > captured[trx] || theirs[trx] > captured[trx])
		differ += count(cents(t.Refunded) != back[trx]+held[trx])
		told := heard[trx]
		want := told.cents
		if told.all {
			want = cents(t.Amount)
		}
		misled += count(told.nothing || back[trx] != want)
	}
	apart, all := differing(given, taken)
	return []promise{
		{"lost refunds", lost, fmt.Sprintf("refunds in the gateway's ledger (%d) and not in the database", len(b.back))},
		{"ghost refunds", ghost, fmt.Sprintf("refunds done in the database (%d) and not in the ledger", len(done))},
		{"refunds differ", differ, "refunds or sums of a payment with another amount, currency or charge on either side"},
		{"refund sums", apart, fmt.Sprintf("books (%d) whose sum given back differs: database %s, ledger %s", all, given, taken)},
		{"refunds over", over, fmt.Sprintf("payments (%d) of which more was given back than was captured", len(heard))},
		{"refunds open", open, fmt.Sprintf("refunds (%d, %d of them declined) open, or open for more than %d s", len(b.refunds), declinedCount(b), stuckAfter)},
		{"refunds told", misled, fmt.Sprintf("payments (%d asked for back) of which something else was given back than the command told", len(heard))},
	}
}

// slowestRefund returns the longest time in seconds that a refund took to be settled.
func slowestRefund(b books) (seconds float64) {
	for _, r := range b.refunds {
		seconds = max(seconds, r.Seconds)
	}
	return seconds
}

func declinedCount(b books) (n int) {
	for _, r := range b.refunds {
		n += count(r.State == "declined")
	}
	return n
}

// cents reads an amount with two decimals, as both sides print it.
func cents(amount string) int64 {
	n, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func decimal(cents int64) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }

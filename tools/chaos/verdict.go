package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// stuckAfter is how many seconds an unknown outcome may stay unknown.
const stuckAfter = 60

// promise is one line of the result: a promise, and how often it was broken.
type promise struct {
	name   string
	broken int
	detail string
}

// judge holds the ledger against the database, both against what the payers were told.
func judge(b books, heard map[string]shown) []promise {
	approved, paid, stored := map[string]attempt{}, map[string]transaction{}, map[string]bool{}
	var open, late, stuck int
	for _, a := range b.attempts {
		switch a.State {
		case "approved":
			approved[a.ID] = a
		case "submitting", "redirected", "unknown", "manual":
			open++
		}
		if a.Seconds > stuckAfter {
			late++
		}
	}
	for _, t := range b.transactions {
		stored[t.ID] = true
		if t.Approved != "" {
			paid[t.ID] = t
		}
		if t.Status == "processing" {
			stuck++
		}
	}
	charges, references := map[string]int{}, map[string]bool{}
	var lost, ghost, differ, repeated int
	for _, c := range b.ledger {
		charges[c.TrxID]++
		references[c.Reference] = true
		a, known := approved[c.Reference]
		switch {
		case !known:
			lost++
		case a.TrxID != c.TrxID || a.TransactionID != c.TransactionID || a.Amount != c.Amount || a.Currency != c.Currency,
			a.Merchant != c.MerchantID || a.Test != c.TestMode || a.Gateway != c.Gateway,
			paid[c.TrxID].Approved != c.Reference, paid[c.TrxID].TransactionID != c.TransactionID, paid[c.TrxID].Amount != c.Amount:
			differ++
		}
		if c.Arrivals != 1 {
			repeated++
		}
	}
	for id := range approved {
		if !references[id] {
			ghost++
		}
	}
	forgotten := 0
	for trx := range heard {
		if !stored[trx] {
			forgotten++
		}
	}
	double := 0
	for _, n := range charges {
		if n > 1 {
			double++
		}
	}
	ours, theirs := sums(b)
	apart, all := differing(ours, theirs)
	return []promise{
		{"double", double, fmt.Sprintf("double charges in %d payments", len(b.transactions))},
		{"repeated", repeated, fmt.Sprintf("references that reached the gateway more than once among %d charges", len(b.ledger))},
		{"lost", lost, fmt.Sprintf("charges lost: in the gateway's ledger (%d) and not in the database", len(b.ledger))},
		{"ghost", ghost, fmt.Sprintf("ghosts: paid in the database (%d) and not in the ledger", len(paid))},
		{"differ", differ + count(len(approved) != len(paid)), "charges with another id, amount or transaction on either side"},
		{"sums", apart, fmt.Sprintf("books (%d, by business, currency and mode) whose sum differs: database %s, ledger %s", all, ours, theirs)},
		{"stuck", open + late + stuck, fmt.Sprintf("payments stuck for more than %d s among %d attempts", stuckAfter, len(b.attempts))},
		{"told", misled(heard, paid, charges), fmt.Sprintf("payers (%d) told something else than the books say", len(heard))},
		{"orders", forgotten, fmt.Sprintf("orders (%d) acknowledged and then forgotten", len(heard))},
		{"discrepancies", b.discrepancies, "contradictions between the gateway's answers"},
	}
}

// misled counts payers who were told wrongly, or nothing.
func misled(heard map[string]shown, paid map[string]transaction, charges map[string]int) int {
	n := 0
	for trx, what := range heard {
		_, isPaid := paid[trx]
		if what == shownNothing || what == shownPaid && !isPaid || what == shownFailed && (isPaid || charges[trx] > 0) {
			n++
		}
	}
	return n
}

// book identifies amounts that may be added up.
type book struct {
	merchant, currency string
	test               bool
}

// totals are cents by book.
type totals map[book]int64

func (t totals) String() string {
	byCurrency := map[string]int64{}
	for b, sum := range t {
		byCurrency[b.currency] += sum
	}
	var words []string
	for _, currency := range slices.Sorted(maps.Keys(byCurrency)) {
		words = append(words, strings.TrimSpace(decimal(byCurrency[currency])+" "+currency))
	}
	return strings.Join(words, " + ")
}

// differing counts the books in which the two sides' sums differ, and all books.
func differing(ours, theirs totals) (apart, all int) {
	for b, sum := range ours {
		apart += count(sum != theirs[b])
	}
	for b, sum := range theirs {
		if _, both := ours[b]; !both {
			all++
			apart += count(sum != 0)
		}
	}
	return apart, all + len(ours)
}

// sums returns what was captured on each side.
func sums(b books) (ours, theirs totals) {
	ours, theirs = totals{}, totals{}
	for _, t := range b.transactions {
		if t.Approved != "" {
			ours[book{t.Merchant, t.Currency, t.Test}] += cents(t.Amount)
		}
	}
	for _, c := range b.ledger {
		theirs[c.book()] += cents(c.Amount)
	}
	return ours, theirs
}

func (c capture) book() book { return book{c.MerchantID, c.Currency, c.TestMode} }

func count(broken bool) int {
	if broken {
		return 1
	}
	return 0
}

// report prints a line per promise, those that are broken last, and returns the names of these.
func report(out io.Writer, promises []promise) []string {
	var broken []string
	var last strings.Builder
	for _, p := range promises {
		if p.broken > 0 {
			broken = append(broken, p.name)
			fmt.Fprintf(&last, "BROKEN %-14s %d %s\n", p.name, p.broken, p.detail)
			continue
		}
		fmt.Fprintf(out, "kept   %-14s %d %s\n", p.name, p.broken, p.detail)
	}
	fmt.Fprint(out, last.String())
	return slices.Clip(broken)
}

// slowest returns the longest time in seconds that an attempt took to be settled, and how many attempts the sweep had to resolve.
func slowest(b books) (seconds float64, swept int) {
	for _, a := range b.attempts {
		seconds = max(seconds, a.Seconds)
		if a.Checks > 0 {
			swept++
		}
	}
	return seconds, swept
}

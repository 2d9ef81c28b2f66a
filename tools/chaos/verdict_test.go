package main

import (
	"io"
	"slices"
	"testing"
)

// sound are books that agree: one payment paid, one declined.
func sound() (books, map[string]shown) {
	return books{
		ledger: []capture{{Reference: "a1", TrxID: "t1", TransactionID: "g1", Amount: "12.50", Currency: "AUD", Arrivals: 1}},
		attempts: []attempt{
			{ID: "a1", TrxID: "t1", State: "approved", TransactionID: "g1", Amount: "12.50", Currency: "AUD", Seconds: 1},
			{ID: "a2", TrxID: "t2", State: "declined", Amount: "5.00", Currency: "AUD", Seconds: 2},
		},
		transactions: []transaction{
			{ID: "t1", Status: "success", Approved: "a1", TransactionID: "g1", Amount: "12.50", Currency: "AUD"},
			{ID: "t2", Status: "error", Amount: "5.00", Currency: "AUD"},
		},
	}, map[string]shown{"t1": shownPaid, "t2": shownFailed}
}

func TestWhatBreaksAPromise(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*books, map[string]shown)
		broken []string
	}{
		{"nothing", func(*books, map[string]shown) {}, nil},
		{"a second charge under another reference", func(b *books, _ map[string]shown) {
			b.ledger = append(b.ledger, capture{Reference: "a9", TrxID: "t1", TransactionID: "g9", Amount: "12.50", Currency: "AUD", Arrivals: 1})
		}, []string{"double", "lost", "sums"}},
		{"a reference that arrived twice", func(b *books, _ map[string]shown) { b.ledger[0].Arrivals = 2 }, []string{"repeated"}},
		{"a charge of what was declined", func(b *books, _ map[string]shown) {
			b.ledger = append(b.ledger, capture{Reference: "a2", TrxID: "t2", TransactionID: "g2", Amount: "5.00", Currency: "AUD", Arrivals: 1})
		}, []string{"lost", "sums", "told"}},
		{"a charge that the gateway does not know", func(b *books, _ map[string]shown) { b.ledger = nil }, []string{"ghost", "sums"}},
		{"another gateway id", func(b *books, _ map[string]shown) { b.ledger[0].TransactionID = "g7" }, []string{"differ"}},
		{"another currency", func(b *books, _ map[string]shown) { b.ledger[0].Currency = "USD" }, []string{"differ", "sums"}},
		{"another business", func(b *books, _ map[string]shown) { b.ledger[0].MerchantID = "n" }, []string{"differ", "sums"}},
		{"another mode", func(b *books, _ map[string]shown) { b.ledger[0].TestMode = true }, []string{"differ", "sums"}},
		{"a charge at another gateway", func(b *books, _ map[string]shown) { b.ledger[0].Gateway = "second" }, []string{"differ"}},
		{"another amount", func(b *books, _ map[string]shown) { b.ledger[0].Amount = "12.51" }, []string{"differ", "sums"}},
		{"an approval that its transaction does not show", func(b *books, _ map[string]shown) {
			b.transactions[0] = transaction{ID: "t1", Status: "error", Amount: "12.50"}
		}, []string{"differ", "sums", "told"}},
		{"an attempt that stays open", func(b *books, _ map[string]shown) { b.attempts[1].State = "unknown" }, []string{"stuck"}},
		{"an attempt that a person has to decide", func(b *books, _ map[string]shown) { b.attempts[1].State = "manual" }, []string{"stuck"}},
		{"an attempt that took more than a minute", func(b *books, _ map[string]shown) { b.attempts[1].Seconds = 61 }, []string{"stuck"}},
		{"a transaction that stays processing", func(b *books, _ map[string]shown) { b.transactions[1].Status = "processing" }, []string{"stuck"}},
		{"a payer who was told that it failed", func(_ *books, h map[string]shown) { h["t1"] = shownFailed }, []string{"told"}},
		{"a payer who was told that it is paid", func(_ *books, h map[string]shown) { h["t2"] = shownPaid }, []string{"told"}},
		{"a payer who was told nothing", func(_ *books, h map[string]shown) { h["t2"] = shownNothing }, []string{"told"}},
		{"an order that is gone", func(_ *books, h map[string]shown) { h["t3"] = shownFailed }, []string{"orders"}},
		{"a contradiction", func(b *books, _ map[string]shown) { b.discrepancies = 1 }, []string{"discrepancies"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, heard := sound()
			tt.change(&b, heard)
			if broken := report(io.Discard, judge(b, heard)); !slices.Equal(broken, tt.broken) {
				t.Errorf("broken: %q, want %q", broken, tt.broken)
			}
		})
	}
}

func TestSumsAreExactAndByBook(t *testing.T) {
	t.Parallel()
	var b books
	for range 1000 {
		b.ledger = append(b.ledger, capture{Amount: "0.10", MerchantID: "m", Currency: "AUD"})
		b.transactions = append(b.transactions,
			transaction{Approved: "a", Amount: "0.10", Merchant: "m", Currency: "AUD"}, transaction{Amount: "7.00", Merchant: "m", Currency: "AUD"})
	}
	ours, theirs := sums(b)
	if apart, all := differing(ours, theirs); apart != 0 || all != 1 || ours.String() != "100.00 AUD" {
		t.Errorf("%d of %d differ, %s and %s", apart, all, ours, theirs)
	}
	// The total stays the same, but a dollar of it is in another book each time.
	for name, change := range map[string]func(*capture){
		"business": func(c *capture) { c.MerchantID = "n" }, "currency": func(c *capture) { c.Currency = "USD" }, "mode": func(c *capture) { c.TestMode = true },
	} {
		moved := books{transactions: b.transactions, ledger: slices.Clone(b.ledger)}
		change(&moved.ledger[0])
		if apart, all := differing(sums(moved)); apart != 2 || all != 2 {
			t.Errorf("another %s: %d of %d differ, want both", name, apart, all)
		}
	}
}

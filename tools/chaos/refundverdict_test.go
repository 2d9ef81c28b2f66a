package main

import (
	"io"
	"slices"
	"testing"
)

// givenUp are books with a refund of 1.00 and one that was declined, of a payment of 12.50.
func givenUp() (books, map[string]refunded) {
	b, _ := sound()
	b.transactions[0].Refunded = "1.00"
	b.back = []capture{{Kind: "refund", Reference: "r1", TrxID: "t1", TransactionID: "g1", Amount: "1.00", Currency: "AUD", Arrivals: 2}}
	b.refunds = []refund{
		{ID: "r1", TrxID: "t1", State: "done", Amount: "1.00", Currency: "AUD", Seconds: 1},
		{ID: "r2", TrxID: "t1", State: "declined", Amount: "0.50", Currency: "AUD", Seconds: 1},
	}
	return b, map[string]refunded{"t1": {cents: 100}}
}

func TestWhatBreaksAPromiseAboutRefunds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*books, map[string]refunded)
		broken []string
	}{
		{"nothing", func(*books, map[string]refunded) {}, nil},
		{"a refund under a reference that we do not have", func(b *books, _ map[string]refunded) {
			b.back = append(b.back, capture{Reference: "r9", TrxID: "t1", TransactionID: "g1", Amount: "1.00", Currency: "AUD"})
		}, []string{"lost refunds", "refund sums"}},
		{"a reference that moved money twice", func(b *books, _ map[string]refunded) { b.back = append(b.back, b.back[0]) }, []string{"lost refunds", "refund sums"}},
		{"money back for what was declined", func(b *books, _ map[string]refunded) {
			b.back = append(b.back, capture{Reference: "r2", TrxID: "t1", TransactionID: "g1", Amount: "0.50", Currency: "AUD"})
		}, []string{"lost refunds", "refund sums"}},
		{"a refund that the gateway does not know", func(b *books, _ map[string]refunded) { b.back = nil }, []string{"ghost refunds", "refund sums"}},
		{"another amount", func(b *books, _ map[string]refunded) { b.back[0].Amount = "1.01" }, []string{"refunds differ", "refund sums"}},
		{"another currency", func(b *books, _ map[string]refunded) { b.back[0].Currency = "NZD" }, []string{"refunds differ", "refund sums"}},
		{"another charge", func(b *books, _ map[string]refunded) { b.back[0].TransactionID = "g7" }, []string{"refunds differ"}},
		{"a sum of the payment that is not its refunds'", func(b *books, _ map[string]refunded) { b.transactions[0].Refunded = "2.00" }, []string{"refunds differ"}},
		{"more than was captured", func(b *books, h map[string]refunded) {
			b.back[0].Amount, b.refunds[0].Amount, b.transactions[0].Refunded = "12.51", "12.51", "12.51"
			h["t1"] = refunded{cents: 1251}
		}, []string{"refunds over"}},
		{"one that stays open", func(b *books, _ map[string]refunded) {
			b.refunds[1].State, b.transactions[0].Refunded = "open", "1.50"
		}, []string{"refunds open"}},
		{"one that took more than a minute", func(b *books, _ map[string]refunded) { b.refunds[1].Seconds = 61 }, []string{"refunds open"}},
		{"an equal one made twice", func(b *books, _ map[string]refunded) {
			b.refunds = append(b.refunds, refund{ID: "r3", TrxID: "t1", State: "done", Amount: "1.00", Currency: "AUD"})
			b.back = append(b.back, capture{Reference: "r3", TrxID: "t1", TransactionID: "g1", Amount: "1.00", Currency: "AUD"})
			b.transactions[0].Refunded = "2.00"
		}, []string{"refunds told"}},
		{"a command that was told that all is back", func(_ *books, h map[string]refunded) { h["t1"] = refunded{all: true} }, []string{"refunds told"}},
		{"a command that was told nothing", func(_ *books, h map[string]refunded) { h["t1"] = refunded{cents: 100, nothing: true} }, []string{"refunds told"}},
		{"a refund that nobody asked for", func(_ *books, h map[string]refunded) { delete(h, "t1") }, []string{"refunds told"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, heard := givenUp()
			tt.change(&b, heard)
			if broken := report(io.Discard, judgeRefunds(b, heard)); !slices.Equal(broken, tt.broken) {
				t.Errorf("broken: %q, want %q", broken, tt.broken)
			}
		})
	}
}

func TestReadingTheRefundCommandsOutput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said, amount string
		want         outcome
	}{
		{"Refunded 1.00 AUD of T.\n", "1.00", backDone},
		{"forecourt: an equal refund was already made; --again makes another one\n", "1.00", backDone},
		{"forecourt: that is more than is left of the payment\n", "", backDone},
		{"forecourt: that is more than is left of the payment\n", "1.00", backUnknown},
		{"The gateway declined the refund of 1.00 AUD of T.\nforecourt: nothing was refunded\n", "1.00", backDeclined},
		{"The refund of 1.00 AUD of T is not decided yet; the program goes on asking.\n", "1.00", backUnknown},
		{"forecourt: another refund of this transaction came first or is not decided yet\n", "1.00", backUnknown},
		{"The refund of 1.00 AUD of T waits for a person: see forecourt payments.\nforecourt: the payment is disputed: its bank holds the money or has taken it\n", "1.00", backManual},
		{"", "", backUnknown},
	} {
		if got := readRefund(tt.said, tt.amount); got != tt.want {
			t.Errorf("%q of %q is read as %d, want %d", tt.said, tt.amount, got, tt.want)
		}
	}
}

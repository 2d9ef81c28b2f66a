package main

import "testing"

func TestEachChangeHasOneEvent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*books)
		want   int
	}{
		"nothing":                       {func(*books) {}, 0},
		"one sent twice":                {func(b *books) { b.events[1].Times = 2 }, 1},
		"one not sent":                  {func(b *books) { b.events = b.events[:2] }, 1},
		"one sent, but rolled back":     {func(b *books) { b.attempts[1].State = "unknown" }, 1},
		"another outcome than was sent": {func(b *books) { b.attempts[1].State = "approved" }, 2},
		"a refund without an event":     {func(b *books) { b.refunds = []refund{{ID: "r1", State: "done"}} }, 1},
		"a pay link, and a kitchen that made an order twice": {func(b *books) {
			b.transactions = append(b.transactions, transaction{ID: "t3"})
			b.events = append(b.events, event{"order.done", "t1", 2})
		}, 0},
	} {
		b, _ := sound()
		b.events = []event{{"order.made", "t1", 1}, {"payment.succeeded", "a1", 1}, {"payment.failed", "a2", 1}}
		tt.change(&b)
		if got := judgeEvents(b).broken; got != tt.want {
			t.Errorf("%s: %d broken, want %d", name, got, tt.want)
		}
	}
}

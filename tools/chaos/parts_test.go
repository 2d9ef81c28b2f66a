package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAProcessIsFoundByItsParent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text        string
		pid, parent int
		ok          bool
	}{
		{"12 (postgres) S 7 12 12 0", 12, 7, true},
		{"12 (a (strange) name) S 7 12", 12, 7, true},
		{"12 (postgres", 0, 0, false},
		{"", 0, 0, false},
		{"x (postgres) S y 1", 0, 0, false},
	} {
		if pid, parent, ok := parseStat(tt.text); pid != tt.pid || parent != tt.parent || ok != tt.ok {
			t.Errorf("%q: %d, %d, %t", tt.text, pid, parent, ok)
		}
	}
}

func TestDrawnCardsHaveTheirShares(t *testing.T) {
	t.Parallel()
	drawn, total := map[string]int{}, 0
	for _, c := range mix() {
		total += c.share
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		drawn[draw(r, true)]++
		if draw(r, false) == chargedLate {
			t.Fatal("drew a late charge although none is wanted")
		}
	}
	for _, c := range mix() {
		if n := drawn[c.card]; n < 60*c.share || n > 140*c.share {
			t.Errorf("%s was drawn %d times in 100,000; its share is %d in 1,000", c.card, n, c.share)
		}
	}
	if total >= 500 || drawn[approves] < 50_000 {
		t.Error("fewer than half of the cards approve")
	}
}

func TestPagesAreReadAsAReaderSeesThem(t *testing.T) {
	t.Parallel()
	const form = `<section id="payment" class="pay" data-state="form" data-client="x"><form><input type="hidden" name="key" value="K1">`
	const bank = `<section id="payment" class="pay" data-state="waiting"><a class="button wide" href="http://127.0.0.1:1/3ds/r" rel="noreferrer">`
	if first(stateOf, form) != "form" || first(keyOf, form) != "K1" || first(bankOf, form) != "" {
		t.Error("the form was not read")
	}
	if first(stateOf, bank) != "waiting" || first(keyOf, bank) != "" || !strings.HasSuffix(first(bankOf, bank), "/3ds/r") {
		t.Error("the waiting page was not read")
	}
}

func TestEachFaultHasItsShareOfThePayments(t *testing.T) {
	t.Parallel()
	var order []string
	started, shares := 0, make(chan struct{}, 1)
	happens := func(name string) cut {
		return cut{name, func(context.Context) error { order = append(order, name); started += 10; return nil }}
	}
	f := &faults{list: []cut{happens("kill"), happens("database kill"), happens("gateway down")}, done: map[string]int{}}
	done := make(chan error)
	go func() { done <- f.strike(t.Context(), shares, func() int { return started + 10 }, 10) }()
	taken := 0
	for range shares {
		taken++
	}
	if err := <-done; err != nil || taken != 3 || !slices.Equal(order, []string{"kill", "database kill", "gateway down"}) {
		t.Errorf("%v, %d shares, %q", err, taken, order)
	}
	if kills, databaseKills, cuts := f.counts(); kills != 1 || databaseKills != 1 || cuts != 1 {
		t.Errorf("counts are %d, %d, %d; want 1, 1, 1", kills, databaseKills, cuts)
	}
	failing := &faults{list: []cut{{"x", func(context.Context) error { return errors.New("broken tool") }}}, done: map[string]int{}}
	if err := failing.strike(t.Context(), make(chan struct{}, 1), func() int { return 9 }, 1); err == nil {
		t.Error("no error for a fault that could not be caused")
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"nothing"}, {"load", "--no-such"}, {"load", "extra"}} {
		var out strings.Builder
		if code := run(t.Context(), args, &out, &out); code != 2 {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}

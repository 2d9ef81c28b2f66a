package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// tapedKinds are the kinds of requests whose times are printed, in this order. A kind with a colon is a part of the one before the colon.
var tapedKinds = []string{
	"menu page", "payment page", "kitchen page", "desk page", "desk page: today", "desk page: payments", "desk page: payouts", "desk page: refund",
	"order", "payment", "tap in the kitchen", "refund",
}

// tape records requests and errors. It is safe for concurrent use.
type tape struct {
	mu     sync.Mutex
	taken  map[string][]time.Duration
	counts map[string]int
	failed []string // the first errors
	errors int      // all of them
	slow   []error  // kinds of pages with the part in which they took too long
}

func (t *tape) time(kind string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken == nil {
		t.taken = map[string][]time.Duration{}
	}
	t.taken[kind] = append(t.taken[kind], took)
	if whole, _, part := strings.Cut(kind, ":"); part {
		t.taken[whole] = append(t.taken[whole], took)
	}
}

func (t *tape) count(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[what]++
}

func (t *tape) fail(err error) {
	t.count("error")
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errors++
	if len(t.failed) < 10 {
		t.failed = append(t.failed, err.Error())
	}
}

// next returns what was recorded since the last call.
func (t *tape) next() (taken map[string][]time.Duration, counts map[string]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken, counts, t.taken, t.counts = t.taken, t.counts, nil, nil
	return taken, counts
}

// waited notes how many milliseconds the slowest of a hundred pages of a kind took in the part of a trade that ended at a time.
func (t *tape) waited(kind string, at time.Duration, p99 float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p99 > mostWait {
		t.slow = append(t.slow, fmt.Errorf("p99 of the %s is %.0f ms in the part until %s", kind, p99, at))
	}
}

// verdict returns an error if anything failed or a page was slow.
func (t *tape) verdict() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	slow := errors.Join(t.slow...)
	if t.errors == 0 {
		return slow
	}
	return errors.Join(errors.New(fmt.Sprintf("%d errors, among them:\n  ", t.errors)+strings.Join(t.failed, "\n  ")), slow)
}

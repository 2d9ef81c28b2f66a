package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// tapedKinds are the kinds of requests whose times are printed, in this order.
var tapedKinds = []string{"menu page", "payment page", "kitchen page", "desk page", "order", "payment", "tap in the kitchen", "refund"}

// tape records requests and errors. It is safe for concurrent use.
type tape struct {
	mu     sync.Mutex
	taken  map[string][]time.Duration
	counts map[string]int
	failed []string // the first errors
	errors int      // all of them
}

func (t *tape) time(kind string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken == nil {
		t.taken = map[string][]time.Duration{}
	}
	t.taken[kind] = append(t.taken[kind], took)
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

// verdict returns an error if anything failed.
func (t *tape) verdict() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.errors == 0 {
		return nil
	}
	return errors.New(fmt.Sprintf("%d errors, among them:\n  ", t.errors) + strings.Join(t.failed, "\n  "))
}

package apptest

import (
	"testing"
	"time"
)

// Eventually asks until holds says yes; it fails the test after ten seconds of no.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(10 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("after 10 s still not: %s", what)
		}
	}
}

package main

import (
	"math"
	"testing"
)

func TestStolenTimeIsTheEighthFigure(t *testing.T) {
	t.Parallel()
	before, err := parseCPUTime("cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1 2 3")
	if err != nil {
		t.Fatal(err)
	}
	after, err := parseCPUTime("cpu  150 0 100 850 10 0 0 90 9 0\n")
	if got := after.stolenSince(before); err != nil || math.Abs(got-0.25) > 1e-9 {
		t.Errorf("the share is %v, %v; want 0.25", got, err)
	}
	if got := after.stolenSince(after); got != 0 {
		t.Errorf("no time has passed, and others took %v of it", got)
	}
	for _, bad := range []string{"", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8 9", "cpu a b c d e f g h"} {
		if got, err := parseCPUTime(bad); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

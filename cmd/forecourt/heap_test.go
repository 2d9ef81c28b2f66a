package main

import (
	"testing"
	"time"
)

func TestASmallHeapOfABusyProgramIsCollectedLessOften(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		live  uint64
		after time.Duration
		want  int
	}{
		{"before the first collection", 0, 0, 100},
		{"busy, 5 MB", 5 << 20, time.Second, 300},
		{"busy, 13 MB grow to 40", 13_981_013, 4 * time.Second, 200},
		{"busy, 20 MB double", 20 << 20, time.Millisecond, 100},
		{"busy, what is large doubles, too", 400 << 20, time.Second, 100},
		{"quiet, 5 MB double", 5 << 20, 6 * time.Second, 100},
		{"nothing happened for minutes", 5 << 20, 2 * time.Minute, 100},
	} {
		if got := growth(c.live, c.after); got != c.want {
			t.Errorf("%s: it grows by %d %%, not %d", c.name, got, c.want)
		}
	}
}

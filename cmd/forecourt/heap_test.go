package main

import "testing"

func TestASmallHeapIsCollectedLessOften(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		live uint64
		want int
	}{
		{"before the first collection", 0, 300},
		{"after a start, 5 MB", 5 << 20, 300},
		{"13 MB grow to 40", 13_981_013, 200},
		{"20 MB double", 20 << 20, 100},
		{"what is large doubles, too", 400 << 20, 100},
	} {
		if got := growth(c.live); got != c.want {
			t.Errorf("%s: the heap grows by %d %%, want %d %%", c.name, got, c.want)
		}
	}
}

package review_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt/internal/people/review"
)

type state string

func TestCheck(t *testing.T) {
	t.Parallel()
	choices := []review.Choice[state]{{State: "approved"}, {State: "declined", Why: true}}
	for name, tt := range map[string]struct {
		state        state
		reason, want string
		err          error
	}{
		"an approval without a reason":               {"approved", " \n", "", nil},
		"a refusal without a reason":                 {"declined", " \n", "", review.ErrNoReason},
		"a refusal with unprintable characters only": {"declined", "\x00\xff", "", review.ErrNoReason},
		"a reason":           {"declined", " No\x00t a\xff shop ", "Not a shop", nil},
		"the longest reason": {"approved", strings.Repeat("é", 2000), strings.Repeat("é", 2000), nil},
		"a longer reason":    {"approved", strings.Repeat("é", 2001), "", review.ErrLongReason},
		"no decision":        {"", "because", "", review.ErrNoDecision},
		"another decision":   {"sold", "because", "", review.ErrNoDecision},
	} {
		if got, err := review.Check(choices, tt.state, tt.reason); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, err, tt.want, tt.err)
		}
	}
}

func TestPagesOfAQueue(t *testing.T) {
	t.Parallel()
	for page, want := range map[int]int32{-3: 0, 0: 0, 1: 0, 2: 25, 1 << 40: (1<<20 - 1) * 25} {
		if skip, atMost := review.Window(page); skip != want || atMost != 26 {
			t.Errorf("page %d has %d rows after %d", page, atMost, skip)
		}
	}
	for rows, more := range map[int]bool{0: false, 25: false, 26: true} {
		if page, got := review.Page(make([]int, rows)); len(page) != min(rows, 25) || got != more {
			t.Errorf("for %d rows, a page shows %d, more: %t", rows, len(page), got)
		}
	}
}

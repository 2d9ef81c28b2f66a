package review_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
)

type state string

func TestCheck(t *testing.T) {
	t.Parallel()
	choices := []review.Choice[state]{{State: "approved"}, {State: "declined", Why: "Say why"}}
	for name, tt := range map[string]struct {
		state        state
		reason, want string
		problem      string
	}{
		"an approval without a reason":               {"approved", " \n", "", ""},
		"a refusal without a reason":                 {"declined", " \n", "", "reason: Say why"},
		"a refusal with unprintable characters only": {"declined", "\x00\u200b", "", "reason: Say why"},
		"a reason":           {"declined", " No\x00t a\u202e shop ", "Not a shop", ""},
		"the longest reason": {"approved", strings.Repeat("é", 2000), strings.Repeat("é", 2000), ""},
		"a longer reason":    {"approved", strings.Repeat("é", 2001), strings.Repeat("é", 2001), "reason: Use at most 2,000 characters for the reason."},
		"a card number":      {"declined", "exp 12/31, 45391488/03436467", "exp 12/31, 45391488/03436467", "reason: This looks like a card number. Leave it out."},
		"no decision":        {"", "because", "", "decision: Choose a decision"},
		"another decision":   {"sold", "because", "", "decision: Choose a decision"},
	} {
		var problems fault.Problems
		got, err := review.Check(choices, tt.state, tt.reason)
		if errors.As(err, &problems); got != tt.want || problems.Sentences() != tt.problem {
			t.Errorf("%s: %q, %q; want %q, %q", name, got, problems.Sentences(), tt.want, tt.problem)
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

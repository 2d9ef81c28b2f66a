package staff

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/people/review"
)

func TestTheHistoryMergesLooksInARow(t *testing.T) {
	t.Parallel()
	k := Kind{
		Actions: map[string]string{"thing approved": "approved it"},
		Looks:   []Look{{"thing viewed", "the thing"}, {"front viewed", "its front"}, {"back viewed", "its back"}},
	}
	start := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	at := func(minutes int, actor, action string) review.Event {
		return review.Event{At: start.Add(time.Duration(minutes) * time.Minute), Actor: actor, Action: action}
	}
	told := k.history([]review.Event{
		at(0, "ann", "thing viewed"), at(1, "bob", "thing viewed"), at(2, "bob", "back viewed"), at(3, "bob", "front viewed"),
		at(4, "bob", "thing approved"), at(5, "bob", "back viewed"), at(66, "bob", "thing viewed"), at(67, "operator", "thing sold"),
	})
	var got []string
	for _, e := range told {
		got = append(got, e.Actor+" "+e.Action)
	}
	want := []string{
		"operator thing sold", "bob looked at the thing", "bob looked at its back", "bob approved it",
		"bob looked at the thing, its front and its back", "ann looked at the thing",
	}
	check.List(t, got, want, "the history")
}

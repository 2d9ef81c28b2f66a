package staff

import (
	"net/url"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/people/review"
	"forecourt/views/ui"
)

// A queue's address says which part of the queue to show. A wrong value in it means the default.
func TestTheAddressOfAPartOfAQueue(t *testing.T) {
	t.Parallel()
	k := Kind{
		Path: "/staff/things", States: []State{{Name: "waiting"}, {Name: "done"}},
		Sort: &Sort{Param: "kind", Options: []ui.Option{{Value: "a"}}},
	}
	for query, tt := range map[string]struct {
		want    Part
		address string
	}{
		"":                             {Part{"waiting", "", "", 1}, "/staff/things"},
		"state=waiting":                {Part{"waiting", "", "", 1}, "/staff/things"},
		"state=done&page=2":            {Part{"done", "", "", 2}, "/staff/things?page=2&state=done"},
		"state=all&kind=a":             {Part{"", "a", "", 1}, "/staff/things?kind=a&state=all"},
		"state=gone&kind=b&page=-3":    {Part{"waiting", "", "", 1}, "/staff/things"},
		"state=&page=x&kind=":          {Part{"waiting", "", "", 1}, "/staff/things"},
		"page=99999999999999999999999": {Part{"waiting", "", "", 1}, "/staff/things"},
	} {
		values, err := url.ParseQuery(query)
		check.Must(t, err)
		part := k.part(values)
		if part != tt.want || k.address(part) != tt.address {
			t.Errorf("%q is %+v at %s, want %+v at %s", query, part, k.address(part), tt.want, tt.address)
		}
	}
}

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

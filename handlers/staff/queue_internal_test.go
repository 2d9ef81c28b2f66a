package staff

import (
	"net/url"
	"testing"

	"forecourt/internal/kit/must"
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
		"":                             {Part{"waiting", "", 1}, "/staff/things"},
		"state=waiting":                {Part{"waiting", "", 1}, "/staff/things"},
		"state=done&page=2":            {Part{"done", "", 2}, "/staff/things?page=2&state=done"},
		"state=all&kind=a":             {Part{"", "a", 1}, "/staff/things?kind=a&state=all"},
		"state=gone&kind=b&page=-3":    {Part{"waiting", "", 1}, "/staff/things"},
		"state=&page=x&kind=":          {Part{"waiting", "", 1}, "/staff/things"},
		"page=99999999999999999999999": {Part{"waiting", "", 1}, "/staff/things"},
	} {
		values, err := url.ParseQuery(query)
		must.NoError(t, err)
		part := k.part(values)
		if part != tt.want || k.address(part) != tt.address {
			t.Errorf("%q is %+v at %s, want %+v at %s", query, part, k.address(part), tt.want, tt.address)
		}
	}
}

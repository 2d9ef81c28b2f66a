package legal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
)

func TestParse(t *testing.T) {
	t.Parallel()
	fallback := legal.Document{Title: "Terms"}
	got := legal.Parse("# Our terms\r\n\r\nIn short:\nwe pay.\n\n## First\nA line\nand another.\n\n- this\n- that\n\n## Second\n\n- not\na list\n", fallback)
	want := legal.Document{Title: "Our terms", Summary: "In short: we pay.", Sections: []legal.Section{
		{ID: "s1", Title: "First", Blocks: []legal.Block{{Text: "A line and another."}, {List: []string{"this", "that"}}}},
		{ID: "s2", Title: "Second", Blocks: []legal.Block{{Text: "- not a list"}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := legal.Parse("Only words.", fallback); got.Title != "Terms" || got.Summary != "Only words." || len(got.Sections) != 0 {
		t.Errorf("a text without structure: %+v", got)
	}
	got = legal.Parse("", fallback)
	check.Equal(t, got.Title, "Terms", "an empty text: %+v", got)
}

package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// told is a test that keeps what it is told.
type told struct {
	testing.TB
	text string
}

func (t *told) Helper()                   {}
func (t *told) Error(args ...any)         { t.text = fmt.Sprint(args...) }
func (t *told) Errorf(f string, a ...any) { t.text = fmt.Sprintf(f, a...) }

func TestAFailureSaysWhatWasCompared(t *testing.T) {
	t.Parallel()
	missing := errors.New("missing")
	for _, tt := range []struct {
		want string
		ok   func(t *told) bool
	}{
		{"", func(t *told) bool { return Equal(t, 303, 303, "inviting") }},
		{"inviting ann: got 303, want 200", func(t *told) bool { return Equal(t, 303, 200, "inviting %s", "ann") }},
		{`a name: got "A\n", want ""`, func(t *told) bool { return Equal(t, "A\n", "", "a name") }},
		{"", func(t *told) bool { return List(t, []int{1}, []int{1}, "numbers") }},
		{`names: got ["a b"], want ["a" "b"]`, func(t *told) bool { return List(t, []string{"a b"}, []string{"a", "b"}, "names") }},
		{"", func(t *told) bool { return Empty(t, []int(nil), "numbers") }},
		{"numbers: got 1, want none: [7]", func(t *told) bool { return Empty(t, []int{7}, "numbers") }},
		{"", func(t *told) bool { return NoError(t, nil) }},
		{"missing", func(t *told) bool { return NoError(t, missing) }},
		{"row 2: missing", func(t *told) bool { return NoError(t, missing, "row %d", 2) }},
		{"", func(t *told) bool { return Error(t, missing, "a wrong code") }},
		{"a wrong code: no error", func(t *told) bool { return Error(t, nil, "a wrong code") }},
		{"", func(t *told) bool { return ErrorIs(t, fmt.Errorf("it is %w", missing), missing, "a row") }},
		{"", func(t *told) bool { return ErrorIs(t, nil, nil, "a row") }},
		{"a row: got the error <nil>, want missing", func(t *told) bool { return ErrorIs(t, nil, missing, "a row") }},
		{"", func(t *told) bool { return Contains(t, "the page", "page", "a page") }},
		{`a page: "x" is missing in "the page"`, func(t *told) bool { return Contains(t, "the page", "x", "a page") }},
		{"", func(t *told) bool { return Lacks(t, "the page", "x", "a page") }},
		{`a page: "end" is in "` + strings.Repeat("a", 100) + `end"`, func(t *told) bool { return Lacks(t, strings.Repeat("a", 200)+"end", "end", "a page") }},
	} {
		got := &told{}
		if ok := tt.ok(got); got.text != tt.want || ok != (tt.want == "") {
			t.Errorf("%t, said %q, want %q", ok, got.text, tt.want)
		}
	}
	long := &told{}
	Equal(long, strings.Repeat("a", 9000), "", "a long text")
	if len(long.text) > 2100 {
		t.Errorf("a long text is told in %d characters", len(long.text))
	}
}

package printable_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", true},
		{"a name", "Zoë Wójcik 李", true},
		{"a family of emoji", "👩\u200d👩\u200d👧", true},
		{"a no-break space", "a\u00a0b", true},
		{"the maximum length", strings.Repeat("é", 64), true},
		{"one character more", strings.Repeat("é", 65), false},
		{"a new line", "a\r\nb", false},
		{"a tab", "a\tb", false},
		{"NUL", "a\x00b", false},
		{"an escape", "a\x1b[31mb", false},
		{"DEL", "a\x7fb", false},
		{"a C1 control", "a\u0085b", false},
		{"a line separator", "a\u2028b", false},
		{"a paragraph separator", "a\u2029b", false},
		{"a right-to-left override", "a\u202eb", false},
		{"an isolate", "a\u2067b", false},
		{"broken UTF-8", "a\xffb", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, printable.Line(tt.text, 64), tt.want, "%q", tt.text)
		})
	}
}

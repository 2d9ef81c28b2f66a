package printable_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestLineAndLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text  string
		line, lines bool
	}{
		{"nothing", "", true, true},
		{"a name", "Zoë Wójcik 李", true, true},
		{"a family of emoji", "👩\u200d👩\u200d👧", true, true},
		{"a no-break space", "a\u00a0b", true, true},
		{"the maximum length", strings.Repeat("é", 64), true, true},
		{"one character more", strings.Repeat("é", 65), false, false},
		{"a new line", "a\r\nb", false, true},
		{"a tab", "a\tb", false, true},
		{"NUL", "a\x00b", false, false},
		{"an escape", "a\x1b[31mb", false, false},
		{"DEL", "a\x7fb", false, false},
		{"a C1 control", "a\u0085b", false, false},
		{"a line separator", "a\u2028b", false, false},
		{"a paragraph separator", "a\u2029b", false, false},
		{"a right-to-left override", "a\u202eb", false, false},
		{"an isolate", "a\u2067b", false, false},
		{"broken UTF-8", "a\xffb", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if line, lines := printable.Line(tt.text, 64), printable.Lines(tt.text, 64); line != tt.line || lines != tt.lines {
				t.Errorf("%q: Line is %t, Lines is %t", tt.text, line, lines)
			}
		})
	}
}

func TestMakeLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Bar \r\n\t 4": "Bar 4", " \x00a\x1b[31m ": "a [31m", "a\xffb": "ab", "a\u2028\u202eb": "a b", "a\u00a0b": "a b", "Zoë 李": "Zoë 李",
		"123456789": "123456789", "123456789é": "123456789é", "1234567890é": "1234567890", "123456789 1": "123456789",
	} {
		if got := printable.MakeLine(text, 10); got != want || !printable.Line(got, 10) {
			t.Errorf("MakeLine(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMakeLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "\x00": "", " The licence is blurred.\r\n\tSend it again. ": "The licence is blurred.\r\n\tSend it again.", "a\x1b\u202e\xffb": "ab",
	} {
		check.Equal(t, printable.MakeLines(text), want, "MakeLines(%q)", text)
	}
}

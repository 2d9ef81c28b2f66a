package printable_test

import (
	"testing"

	"forecourt/internal/printable"
)

func TestUnlinkedTextsLeadNowhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Table by the window":       "Table by the window",
		"St. Kilda, 12.50":          "St. Kilda, 12.50",
		"see http://evil.example/x": "see http evil. example/x",
		"www.evil.example":          "www. evil. example",
		"evil.example":              "evil. example",
		"evil。example evil．example": "evil。 example evil． example",
		"evil.1a.example":           "evil.1a. example",
		"evil.\u200bexample":        "evil. example",
		"a\nb\x00c":                 "a b c",
		"evil.пример":               "evil. пример",
	} {
		if got := printable.Unlinked(text, 60); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := printable.Unlinked("aaaa.bbbb", 6); got != "aaaa." {
		t.Errorf("cut to %q", got)
	}
}

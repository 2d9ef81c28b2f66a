package printable_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestUnlinkedTextHasNoLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Table by the window":        "Table by the window",
		"St. Kilda, 12.50":           "St. Kilda, 12.50",
		"see http://evil.example/x":  "see http evil. example/x",
		"www.evil.example":           "www. evil. example",
		"evil.example":               "evil. example",
		"evil。example evil．example":  "evil。 example evil． example",
		"evil.1a.example":            "evil.1a. example",
		"evil.\u200bexample":         "evil. example",
		"a\nb\x00c":                  "a bc",
		"pay at 203.0.113.7/x":       "pay at 203. 0. 113. 7/x",
		"http://203．0．113．7:8080":    "http 203． 0． 113． 7:8080",
		"[::1]/x":                    "[: : 1]/x",
		"[2001:db8::1]:80":           "[2001: db8: : 1]:80",
		"[::ffff:203.0.113.7]/":      "[: : ffff: 203. 0. 113. 7]/",
		"fe80::1/x":                  "fe80: : 1/x",
		"localhost/x LocalHost:80":   "localhost /x LocalHost: 80",
		"tel:+61400 and MAILTO:a":    "tel: +61400 and MAILTO: a",
		"javascript:alert(1)":        "javascript: alert(1)",
		"Table:4":                    "Table: 4",
		"at 12:30, 1.50 or 22.11.26": "at 12:30, 1.50 or 22.11.26",
		"Table 4: by the window":     "Table 4: by the window",
		"evil.пример":                "evil. пример",
	} {
		check.Equal(t, printable.Unlinked(text, 60), want, "%q becomes", text)
	}
	check.Equal(t, printable.Unlinked("aaaa.bbbb", 6), "aaaa.", "truncated to")
}

// Package printable defines the rule for texts that are stored and shown, whether a person types them, a caller sends them or a gateway
// answers with them.
package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line reports whether text is valid UTF-8 on a single line, with at most most characters and no unprintable ones.
func Line(text string, most int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unprintable)
}

// unprintable reports whether a rune controls a terminal, breaks a line or turns the direction of what follows it, so that a
// text could pass for another. Other invisible runes stay: emoji and many scripts need joiners.
func unprintable(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.In(r, unicode.Zl, unicode.Zp):
		return true
	default: // embeddings, overrides and isolates
		return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
	}
}

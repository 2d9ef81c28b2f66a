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

// Lines is like Line, but allows tabs and line breaks.
func Lines(text string, most int) bool {
	odd := func(r rune) bool { return unprintable(r) && !layout(r) }
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, odd)
}

// MakeLine returns text as a single line of at most most characters. Each run of spaces, line breaks and invisible characters becomes one
// space; at the ends it is removed.
func MakeLine(text string, most int) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	line := strings.Join(words, " ")
	if utf8.RuneCountInString(line) > most {
		line = strings.TrimSpace(string([]rune(line)[:most]))
	}
	return line
}

// MakeLines returns text without unprintable characters and without space around it. Tabs and line breaks inside stay.
func MakeLines(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unprintable(r) && !layout(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "")))
}

// layout reports whether a rune is a control character that lays out a text of several lines.
func layout(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

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

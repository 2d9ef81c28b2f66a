package merchant

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/printable"
)

// Limits on names, in characters (ADMIN-08).
const (
	LeastName  = 2
	MostName   = 100 // of a person
	MostTrade  = 200 // of a business
	mostCode   = 40
	emptyStart = "shop"
)

// Names are the answers to the first step.
type Names struct{ First, Last, Business string }

// Trim returns the names without the space around them, runs of space inside made one.
func (n Names) Trim() Names {
	one := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return Names{one(n.First), one(n.Last), one(n.Business)}
}

// NameCheck says what is wrong with a name; all false is right. A card number counts as unprintable.
type NameCheck struct{ Short, Long, Unprintable bool }

// OK reports whether nothing is wrong.
func (c NameCheck) OK() bool { return c == NameCheck{} }

// CheckName checks a trimmed name: LeastName characters at least, most at most.
func CheckName(name string, most int) NameCheck {
	n := utf8.RuneCountInString(name)
	return NameCheck{Short: n < LeastName, Long: n > most, Unprintable: !printable.Line(name, n) || card.HoldsNumber(name)}
}

// OK reports whether the trimmed names may go on (ADMIN-08).
func (n Names) OK() bool {
	return CheckName(n.First, MostName).OK() && CheckName(n.Last, MostName).OK() && CheckName(n.Business, MostTrade).OK()
}

// ShortCode derives a code from a business's name (ADMIN-41): the first two words in lower case, joined, without anything
// but letters and digits. Accents are taken off. It is "" for a name without any of them.
func ShortCode(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = words[:2]
	}
	code := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFKD.String(strings.ToLower(strings.Join(words, ""))))
	return code[:min(len(code), mostCode)]
}

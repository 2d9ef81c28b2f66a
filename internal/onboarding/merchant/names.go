package merchant

import (
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
)

// Limits on names, in characters (ADMIN-08).
const (
	leastName  = 2
	mostName   = 100 // of a person
	mostTrade  = 200 // of a business
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

// checkName checks a trimmed name: leastName characters at least, most at most. It returns "" for nothing wrong.
func checkName(name string, most int, short string) string {
	n := utf8.RuneCountInString(name)
	switch {
	case n < leastName:
		return short
	case n > most:
		return "Use at most " + strconv.Itoa(most) + " characters."
	case !printable.Line(name, n) || card.HoldsNumber(name):
		return "Use printable characters only, and no card number."
	}
	return ""
}

// Check returns what is wrong with trimmed names (ADMIN-08), by the fields firstName, lastName and name.
func (n Names) Check() fault.Problems {
	problems := fault.Problems{
		"firstName": checkName(n.First, mostName, "Enter your first name, with two characters or more."),
		"lastName":  checkName(n.Last, mostName, "Enter your last name, with two characters or more."),
		"name":      checkName(n.Business, mostTrade, "Enter the name of your business, with two characters or more."),
	}
	maps.DeleteFunc(problems, func(_, problem string) bool { return problem == "" })
	return problems
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

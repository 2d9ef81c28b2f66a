package printable

import (
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/card"
)

// Fault is the reason to refuse a line that a person typed into a field.
type Fault string

// The faults.
const (
	Missing Fault = "missing"
	Long    Fault = "long"
	Unfit   Fault = "unfit" // not a Line
	Card    Fault = "card"  // it holds a card number
)

// Tidy returns a line that a person typed, with single spaces between its words, and its fault, "" for none: the line is required but
// empty, is longer than most characters, or contains unprintable characters or a card number.
func Tidy(text string, most int, required bool) (string, Fault) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case required && text == "":
		return text, Missing
	case utf8.RuneCountInString(text) > most:
		return text, Long
	case !Line(text, most):
		return text, Unfit
	case card.HoldsCard(text):
		return text, Card
	}
	return text, ""
}

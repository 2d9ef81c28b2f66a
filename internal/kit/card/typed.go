package card

import (
	"unicode"

	"forecourt/internal/kit/secret"
)

// Typed is a card's number or code as it was typed or sent, not yet checked. Like Number and CVC, it prints as "[redacted]".
// Reveal is for ParseNumber and ParseCVC only. The zero value means that nothing was typed.
type Typed struct{ secret.Text }

// Type hides what was typed.
func Type(text string) Typed { return Typed{secret.New(text)} }

// UnmarshalText implements encoding.TextUnmarshaler, and with it JSON; it never fails.
func (t *Typed) UnmarshalText(text []byte) error {
	*t = Type(string(text))
	return nil
}

// MayHoldNumber reports whether a text that is not meant to hold a card number has enough digits for one, whatever separates them
// and whatever script they belong to.
func MayHoldNumber(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= minDigits
}

package card

import (
	"unicode"

	"forecourt/internal/secret"
)

// Typed is what somebody typed or sent for a card's number or code, not yet checked. It prints "[redacted]" like what it
// is checked into. Reveal is for ParseNumber and
// ParseCVC only. The zero value is nothing typed.
type Typed struct{ secret.Text }

// Type hides what was typed.
func Type(text string) Typed { return Typed{secret.New(text)} }

// UnmarshalText implements encoding.TextUnmarshaler, and with it JSON; it never fails.
func (t *Typed) UnmarshalText(text []byte) error {
	*t = Type(string(text))
	return nil
}

// MayHoldNumber tells whether a text that is not meant to hold a card number has the digits for one, whatever stands
// between them and whatever script they are of.
func MayHoldNumber(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= minDigits
}

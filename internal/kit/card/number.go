// Package card holds the card details that a customer types. Number and CVC print as "[redacted]" wherever they are printed, logged
// or marshalled, and refuse to be stored. Reveal returns the bare digits for the one call to the gateway.
package card

import (
	"strings"

	"forecourt/internal/kit/secret"
)

// Number is a card number of 12 to 20 digits with a correct check digit. The zero value means no number.
type Number struct{ secret.Text }

const minDigits, maxDigits = 12, 20

// ParseNumber reads a card number in ASCII digits alone; typed.Digits makes them of what a person types. Errors: Missing, BadText,
// Checksum.
func ParseNumber(s string) (Number, error) {
	switch {
	case s == "":
		return Number{}, Missing
	case len(s) < minDigits || len(s) > maxDigits || strings.Trim(s, "0123456789") != "":
		return Number{}, BadText
	case !luhn([]byte(s)):
		return Number{}, Checksum
	}
	return Number{secret.New(s)}, nil
}

// LastFour returns the last four digits, which may be stored and shown; "" of the zero value.
func (n Number) LastFour() string {
	digits := n.Reveal()
	return digits[max(0, len(digits)-4):]
}

// luhn checks the last digit. It rejects all zeros, which would pass the sum although no such card exists.
func luhn(digits []byte) bool {
	sum, nonzero := 0, false
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		nonzero = nonzero || d > 0
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return nonzero && sum%10 == 0
}

// Package card holds the card details that a customer types. Number and CVC print as "[redacted]" wherever they are printed, logged
// or marshalled, and refuse to be stored. Reveal returns the bare digits for the one call to the gateway.
package card

import (
	"strings"
	"unicode"

	"forecourt/internal/kit/secret"
)

// Number is a card number of 12 to 20 digits with a correct check digit. The zero value means no number.
type Number struct{ secret.Text }

const minDigits, maxDigits = 12, 20

// ParseNumber reads a card number; spaces and dashes between the ASCII digits are ignored. Errors: Missing, BadText,
// Checksum.
func ParseNumber(s string) (Number, error) {
	digits := make([]byte, 0, maxDigits)
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if len(digits) <= maxDigits {
				digits = append(digits, byte(r))
			}
		case r != '-' && !unicode.IsSpace(r):
			return Number{}, BadText
		}
	}
	switch {
	case strings.TrimSpace(s) == "":
		return Number{}, Missing
	case len(digits) < minDigits || len(digits) > maxDigits:
		return Number{}, BadText
	case !luhn(digits):
		return Number{}, Checksum
	}
	return Number{secret.New(string(digits))}, nil
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

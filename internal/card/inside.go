package card

import (
	"regexp"
	"slices"
	"strings"

	"forecourt/internal/secret"
)

// HoldsNumber reports whether a text into which somebody may type a card number by mistake holds one: 13 to 19 digits with a
// correct check digit, ignoring spaces and dashes between them. Adjacent digits are taken as a whole; neighbouring groups, such as
// a table or an expiry, may belong to the number or not. Use MayHoldNumber for texts that need no long numbers.
func HoldsNumber(text string) bool {
	return holds(text, func(digits string) bool { return luhn([]byte(digits)) })
}

func holds(text string, number func(digits string) bool) bool {
	for _, run := range runs.FindAllString(text, -1) {
		groups := digitGroups.FindAllString(run, -1)
		for i := range groups {
			for digits, rest := "", groups[i:]; len(rest) > 0 && len(digits) < maxInside; rest = rest[1:] {
				digits += rest[0]
				if len(digits) >= minInside && len(digits) <= maxInside && number(digits) {
					return true
				}
			}
		}
	}
	return false
}

// HoldsCard is HoldsNumber for a text that is meant to hold long numbers, such as a reference or a time in milliseconds: it asks
// for first digits and a length of a known scheme too, and takes a point or a line below for a dash. A UUID holds no card number.
func HoldsCard(text string) bool {
	return !uuidForm.MatchString(text) && holds(strings.NewReplacer(".", "-", "_", "-").Replace(text), func(digits string) bool {
		brand := Number{secret.New(digits)}.Brand()
		return luhn([]byte(digits)) && slices.Contains(lengths[brand], len(digits))
	})
}

// lengths are how many digits the numbers of a scheme have.
var lengths = map[string][]int{
	Visa: {13, 16, 19}, Mastercard: {16}, Amex: {15}, Discover: {16, 17, 18, 19}, JCB: {16, 17, 18, 19}, Diners: {14, 15, 16, 17, 18, 19},
	UnionPay: {16, 17, 18, 19}, Maestro: {13, 14, 15, 16, 17, 18, 19},
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$`)

const minInside, maxInside = 13, 19

var (
	runs        = regexp.MustCompile(`[0-9](?:[\s\v\x{85}\p{Z}\p{Pd}]*[0-9])*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)
)

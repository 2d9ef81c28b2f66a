package card

import "regexp"

// HoldsNumber reports whether a text into which somebody may type a card number by mistake holds one: 13 to 19 digits with a
// correct check digit, ignoring spaces and dashes between them. Adjacent digits are taken as a whole; neighbouring groups, such as
// a table or an expiry, may belong to the number or not. Use MayHoldNumber for texts that need no long numbers.
func HoldsNumber(text string) bool {
	for _, run := range runs.FindAllString(text, -1) {
		groups := digitGroups.FindAllString(run, -1)
		for i := range groups {
			for number, rest := "", groups[i:]; len(rest) > 0 && len(number) < maxInside; rest = rest[1:] {
				number += rest[0]
				if len(number) >= minInside && len(number) <= maxInside && luhn([]byte(number)) {
					return true
				}
			}
		}
	}
	return false
}

const minInside, maxInside = 13, 19

var (
	runs        = regexp.MustCompile(`[0-9](?:[\s\v\x{85}\p{Z}\p{Pd}]*[0-9])*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)
)

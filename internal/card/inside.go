package card

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"forecourt/internal/secret"
)

// HoldsNumber reports whether a text holds a card number, perhaps typed there by mistake: 13 to 19 digits of any script
// with a correct check digit, ignoring spaces and dashes between them and characters that nobody sees. Adjacent digits are taken as
// a whole; neighbouring groups, such as a table or an expiry, may belong to the number or not. What HoldsCard finds counts as well.
// Use MayHoldNumber for texts that need no long numbers.
func HoldsNumber(text string) bool {
	text = plain(text)
	for _, run := range runs.FindAllString(text, -1) {
		groups := digitGroups.FindAllString(run, -1)
		for i := range groups {
			for digits, rest := "", groups[i:]; len(rest) > 0 && len(digits) < maxInside; rest = rest[1:] {
				digits += rest[0]
				if len(digits) >= minInside && len(digits) <= maxInside && luhn([]byte(digits)) {
					return true
				}
			}
		}
	}
	return holdsCard(text)
}

// HoldsCard is HoldsNumber for a text that is meant to hold long numbers, such as a reference or a time in milliseconds: it asks
// for first digits and a length of a known scheme too. A number in groups has 2 to 6 digits in each, and the same separator between
// all of them: spaces and dashes, or one of . _ / , and x. A UUID holds no card number.
func HoldsCard(text string) bool { return holdsCard(plain(text)) }

// holdsCard is HoldsCard for a plain text.
func holdsCard(text string) bool {
	text = uuids.ReplaceAllString(text, "#")
	var run []string // groups with the same separator between them
	between, end := "", 0
	for _, at := range digitGroups.FindAllStringIndex(text, -1) {
		gap := separator(text[end:at[0]])
		switch {
		case gap == "":
			run = nil
		case gap != between && len(run) > 0:
			run = run[len(run)-1:]
		}
		run = append(run, text[at[0]:at[1]])
		between, end = gap, at[1]
		if isCard(run[len(run)-1]) || endsInCard(run) {
			return true
		}
	}
	return false
}

// endsInCard reports whether the last groups of a run are a card number.
func endsInCard(run []string) bool {
	digits := ""
	for _, group := range slices.Backward(run) {
		if len(group) < minGroup || len(group) > maxGroup || len(digits) >= maxInside {
			return false
		}
		if digits = group + digits; isCard(digits) {
			return true
		}
	}
	return false
}

// isCard reports whether digits can be the number of a card.
func isCard(digits string) bool {
	return len(digits) >= minInside && len(digits) <= maxInside && luhn([]byte(digits)) &&
		slices.Contains(lengths[Number{secret.New(digits)}.Brand()], len(digits))
}

// separator names what stands between two groups of digits; "" for what separates no groups of a card number.
func separator(gap string) string {
	sign := strings.TrimFunc(gap, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Z, r) })
	switch {
	case gap == "":
		return ""
	case strings.TrimFunc(sign, func(r rune) bool { return unicode.In(r, unicode.Pd, unicode.Z) || unicode.IsSpace(r) }) == "":
		return "-"
	case strings.ContainsAny(sign[:1], "._/,xX") && strings.Trim(sign, sign[:1]) == "":
		return sign[:1]
	default:
		return ""
	}
}

// plain returns text with ASCII digits for those of other scripts and for full-width characters, without what nobody sees.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case unicode.Is(unicode.Nd, r):
			return '0' + digitOf(r)
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me):
			return -1
		default:
			return r
		}
	}, text)
}

// digitOf returns the value of a decimal digit. Unicode has the digits of each script in a row that begins with zero.
func digitOf(r rune) rune {
	for _, row := range unicode.Nd.R16 {
		if r >= rune(row.Lo) && r <= rune(row.Hi) {
			return (r - rune(row.Lo)) % 10
		}
	}
	for _, row := range unicode.Nd.R32 {
		if r >= rune(row.Lo) && r <= rune(row.Hi) { //nolint:gosec // code points are below 1<<21
			return (r - rune(row.Lo)) % 10 //nolint:gosec // see above
		}
	}
	return 0
}

// lengths are how many digits the numbers of a scheme have.
var lengths = map[string][]int{
	Visa: {13, 16, 19}, Mastercard: {16}, Amex: {15}, Discover: {16, 17, 18, 19}, JCB: {16, 17, 18, 19}, Diners: {14, 15, 16, 17, 18, 19},
	UnionPay: {16, 17, 18, 19}, Maestro: {13, 14, 15, 16, 17, 18, 19},
}

const (
	minInside, maxInside = 13, 19
	minGroup, maxGroup   = 2, 6
)

var (
	uuids       = regexp.MustCompile(`(?i)^[0-9a-f]{32}$|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`)
	runs        = regexp.MustCompile(`[0-9](?:[\s\v\x{85}\p{Z}\p{Pd}]*[0-9])*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)
)

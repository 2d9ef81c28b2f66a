package card

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"forecourt/internal/kit/secret"
)

// Redact returns what another program says without card numbers: with "[redacted]" for digits that may be one, and bullets for all digits
// if they still are.
func Redact(text string) string {
	text = cardLike.ReplaceAllString(text, "[redacted]")
	if HoldsCard(text) {
		text = digitGroups.ReplaceAllString(Plain(text), "•")
	}
	return text
}

var cardLike = regexp.MustCompile(`[0-9](?:[ .-]?[0-9]){11,}`)

// LeaveOut tells a person that a text holds a card number.
const LeaveOut = "This looks like a card number. Leave it out."

// HoldsCard reports whether a text holds a card number, perhaps typed there by mistake: 13 to 19 digits of any script with a correct check
// digit and the first digits and the length of a known scheme, in groups as people write card numbers (written). Characters that nobody
// sees do not count; neighbouring groups, such as a table or an expiry, may belong to the number or not. A UUID and a time in milliseconds
// hold no card number. Use MayHoldNumber for texts that need no long numbers.
func HoldsCard(text string) bool { return slices.ContainsFunc(readings(text), holdsCard) }

func holdsCard(text string) bool {
	text = uuids.ReplaceAllString(text, "#")
	var groups []group
	end := 0
	for _, at := range digitGroups.FindAllStringIndex(text, -1) {
		groups = append(groups, group{digits: text[at[0]:at[1]], gap: gapOf(text[end:at[0]])})
		if end = at[1]; endsInCard(groups) {
			return true
		}
	}
	return false
}

// group is adjacent digits of a text and what separates them from the group before.
type group struct{ digits, gap string }

// gapOf simplifies the text between two groups: it removes spaces beside a sign or word, and returns " " for spaces alone and "-" for any
// dash.
func gapOf(between string) string {
	sign := strings.Join(strings.FieldsFunc(between, isSpace), "")
	switch {
	case sign == "":
		return " "
	case strings.TrimFunc(sign, func(r rune) bool { return unicode.Is(unicode.Pd, r) }) == "":
		return "-"
	default:
		return sign
	}
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Z, r) }

// endsInCard reports whether the last groups are a card number.
func endsInCard(groups []group) bool {
	digits := ""
	for i, last := range slices.Backward(groups) {
		if digits = last.digits + digits; len(digits) > maxInside {
			return false
		}
		if isCard(digits) && written(groups[i:]) {
			return true
		}
	}
	return false
}

// written reports whether people write a card number in such groups: of any size with spaces between them, or of two and more digits or
// all of one with the same sign, unless one is a time in milliseconds; of 2 to 6 digits with the same word, where a space and a dash are
// the same; or as they are printed on cards, with up to three characters between them.
func written(groups []group) bool {
	spaces, alike, short, least, most, timed, sizes := true, true, true, maxInside, 0, false, ""
	for i, g := range groups {
		n := len(g.digits)
		least, most, timed, sizes = min(least, n), max(most, n), timed || milliseconds.MatchString(g.digits), sizes+strconv.Itoa(n)
		if i > 0 {
			spaces = spaces && g.gap == " "
			alike = alike && loose(g.gap) == loose(groups[1].gap)
			short = short && utf8.RuneCountInString(g.gap) <= maxSign
		}
	}
	signs := alike && short && (least >= minGroup || most == 1) && !strings.ContainsFunc(groups[len(groups)-1].gap, unicode.IsLetter)
	return len(groups) == 1 || (spaces || signs) && !timed || alike && least >= minGroup && most <= maxGroup ||
		short && printedGroups.MatchString(sizes)
}

func loose(gap string) string {
	if gap == " " {
		return "-"
	}
	return gap
}

// isCard reports whether digits can be the number of a card.
func isCard(digits string) bool {
	return len(digits) >= minInside && len(digits) <= maxInside && luhn([]byte(digits)) &&
		slices.Contains(lengths[Number{secret.New(digits)}.Brand()], len(digits))
}

// readings returns text in plain form: as it is, and where that differs with the characters that HTML's references stand for.
func readings(text string) []string {
	all := []string{Plain(text)}
	if decoded := html.UnescapeString(text); decoded != text {
		all = append(all, Plain(decoded))
	}
	return all
}

// Plain returns text without invisible characters, and with ASCII digits for those of other scripts, full-width, raised or in circles.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Nd, r):
			return '0' + digitOf(r)
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me):
			return -1
		default:
			return r
		}
	}, norm.NFKC.String(text))
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

// lengths maps each scheme to the possible lengths of its numbers, in digits.
var lengths = map[string][]int{
	Visa: {13, 16, 19}, Mastercard: {16}, Amex: {15}, Discover: {16, 17, 18, 19}, JCB: {16, 17, 18, 19}, Diners: {14, 15, 16, 17, 18, 19},
	UnionPay: {16, 17, 18, 19}, Maestro: {13, 14, 15, 16, 17, 18, 19},
}

const (
	minInside, maxInside = 13, 19
	minGroup, maxGroup   = 2, 6
	maxSign              = 3 // characters
)

var (
	uuids       = regexp.MustCompile(`(?i)^[0-9a-f]{32}$|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`)
	digitGroups = regexp.MustCompile(`[0-9]+`)

	milliseconds  = regexp.MustCompile(`^1[0-9]{12}$`)                // from 2001 to 2033
	printedGroups = regexp.MustCompile(`^(4444|44443|465|464|4441)$`) // the digits of each group
)

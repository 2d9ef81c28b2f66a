package card

import (
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"forecourt/internal/kit/secret"
)

// HoldsNumber reports whether a text holds a card number, perhaps typed there by mistake: 13 to 19 digits of any script
// with a correct check digit, ignoring spaces and dashes between them and characters that nobody sees. Adjacent digits are taken as
// a whole; neighbouring groups, such as a table or an expiry, may belong to the number or not. What HoldsCard finds counts as well.
// Use MayHoldNumber for texts that need no long numbers.
func HoldsNumber(text string) bool {
	return slices.ContainsFunc(readings(text), holdsNumber)
}

func holdsNumber(text string) bool {
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

// LeaveOut tells a person that a text holds a card number.
const LeaveOut = "This looks like a card number. Leave it out."

// HoldsCard is HoldsNumber for a text that is meant to hold long numbers, such as a reference or a time in milliseconds. The number must
// also have the first digits and the length of a known scheme, and be in groups as people write card numbers (written). A UUID holds no
// card number.
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

// written reports whether people write a card number in such groups: of any size with spaces between them, if none is a time in
// milliseconds; of 2 to 6 digits with the same between all of them, where a space and a dash are the same; or as they are printed on
// cards, with up to three characters between them.
func written(groups []group) bool {
	spaces, same, short, sizes := true, true, true, ""
	for i, g := range groups {
		sizes += strconv.Itoa(len(g.digits))
		same = same && len(g.digits) >= minGroup && len(g.digits) <= maxGroup
		spaces = spaces && (len(groups) == 1 || !milliseconds.MatchString(g.digits))
		if i > 0 {
			spaces = spaces && g.gap == " "
			same = same && loose(g.gap) == loose(groups[1].gap)
			short = short && utf8.RuneCountInString(g.gap) <= maxSign
		}
	}
	return len(groups) == 1 || spaces || same || short && printedGroups.MatchString(sizes)
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
	all := []string{plain(text)}
	if decoded := html.UnescapeString(text); decoded != text {
		all = append(all, plain(decoded))
	}
	return all
}

// plain returns text without invisible characters, and with ASCII digits for those of other scripts and full-width ones.
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
	runs        = regexp.MustCompile(`[0-9](?:[\s\v\x{85}\p{Z}\p{Pd}]*[0-9])*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)

	milliseconds  = regexp.MustCompile(`^1[0-9]{12}$`)                // from 2001 to 2033
	printedGroups = regexp.MustCompile(`^(4444|44443|465|464|4441)$`) // the digits of each group
)

package typed

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/money"
)

// Digits returns the digits of a number that people write in groups, such as a card's or a bank account's. Dashes, spaces, dots and a word
// in front ("ABN 51 …") go, and digits of all scripts count. A text with anything else comes back without these, for the rule to refuse.
func Digits(text string) string { return together(bare(text)) }

// Count reads a whole number, such as a quantity.
func Count(text string) (int, error) { return strconv.Atoi(Plain(text)) }

func together(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '.' {
			return -1
		}
		return r
	}, text)
}

// Phone tidies a phone number that a person typed, and says what is wrong with it, "" if nothing. It may be empty.
func Phone(text *string) (wrong string) {
	if wrong = Tidy(text, 30, "phone number", ""); wrong != "" || *text == "" {
		return wrong
	}
	if plain := Plain(*text); phone.MatchString(plain) && len(Dial(plain)) >= 6 {
		*text = plain
		return ""
	}
	return "Enter a phone number like 03 5550 0100 or +61 3 5550 0100."
}

// Dial returns a phone number as a link to it needs it, such as +61355500100.
func Dial(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}

var phone = regexp.MustCompile(`^\+?[0-9 ().-]+$`)

// Code returns a code that a person copies, without the spaces and dashes that make it easy to read, in capitals.
func Code(text string) string { return strings.ToUpper(together(Plain(text))) }

// bare returns a text in plain characters and spaces, without a word in front.
func bare(text string) string { return label.ReplaceAllString(Plain(text), "") }

// Plain returns a text for a program to read, in which all digits, dashes and spaces are those of ASCII, without what nobody sees.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '−' || unicode.Is(unicode.Pd, r) {
			return '-'
		}
		return r
	}, strings.Join(strings.Fields(card.Plain(text)), " "))
}

var label = regexp.MustCompile(`^\pL[\pL .]*[ .:#]+`)

// Amount reads an amount in a currency that a person typed or pasted: "12.50", "$1,250.00", "AUD 1 250". A comma or space has to stand
// before groups of exactly three digits: a comma that stands for the point, as in "12,50", is refused with money.ErrAmount, as are another
// currency's sign and all that money.Parse refuses: nobody is charged an amount that was guessed.
func Amount(text, currency string) (int64, error) {
	if len(text) > mostAmount {
		return 0, money.ErrAmount
	}
	text = arabic.Replace(Plain(text))
	for _, mark := range []string{strings.TrimSpace(money.Sign(currency)), currency} {
		if rest, ok := strings.CutPrefix(strings.ToUpper(text), mark); ok && mark != "" {
			text = strings.TrimSpace(rest)
		}
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.ToUpper(text), currency))
	parts := amount.FindStringSubmatch(text)
	if parts == nil {
		return 0, money.ErrAmount
	}
	return money.Parse(groups.Replace(parts[1]) + parts[2])
}

// mostAmount is how long an amount may be, in bytes: reading a text of megabytes takes much memory.
const mostAmount = 100

var (
	arabic = strings.NewReplacer("٫", ".", "٬", ",") // between Arabic digits
	groups = strings.NewReplacer(",", "", " ", "")
	amount = regexp.MustCompile(`^(\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+)(\.\d+)?$`)
)

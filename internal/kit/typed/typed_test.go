package typed_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

func TestAnAmountIsWhatWasMeantOrRefused(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"12": 1200, " 12.5 ": 1250, "$12.50": 1250, "$ 0.05": 5, "1,250": 125000, "$1,250.00": 125000, "999,999.99": 99999999, "1250.00": 125000,
		"1 250": 125000, "1\u202f250.00": 125000, "12\u00a0": 1200, "１２.５０": 1250, "١٢٫٥٠": 1250, "\u202d12.50\u202c": 1250, "AUD 12.50": 1250,
		"12.50 AUD": 1250, "aud12.50": 1250, "12\u200b.50": 1250,
	} {
		if got, err := typed.Amount(in, "AUD"); err != nil || got != want {
			t.Errorf("Amount(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "$", "12,50", "1,50", "10,00", "200,00", "1,2,3", ",50", "1,0000", "0,500", "12,345,6", "1234,567", "1,234,567.00", "1.234,56", "12 50",
		"1 25", "1 234,567", "1,234 567", "12.", ".50", "1e3", "-1", "−1", "12.505", "$$12", "12$", "1,,250", "£12.50", "€12.50", "12.50 NZD",
		"NZD 12.50", "12٫505", "twelve", "12/50",
	} {
		got, err := typed.Amount(in, "AUD")
		check.ErrorIs(t, err, money.ErrAmount, "Amount(%q) = %d", in, got)
	}
}

func TestASignIsThatOfTheCurrency(t *testing.T) {
	t.Parallel()
	for in, currency := range map[string]string{
		"$12.50": "NZD", "£12.50": "GBP", "€ 12.50": "EUR", "CHF 12.50": "CHF", "CHF\u00a012.50": "CHF", "12.50 GBP": "GBP", "12.50": "GBP",
	} {
		if got, err := typed.Amount(in, currency); err != nil || got != 1250 {
			t.Errorf("Amount(%q, %s) = %d, %v", in, currency, got, err)
		}
		got, err := typed.Amount(in, "SEK")
		check.Equal(t, err == nil, in == "12.50", "Amount(%q, SEK) = %d, %v", in, got, err)
	}
}

// FuzzAmount requires that an amount is made of the digits that were typed, in their order, and of no others.
func FuzzAmount(f *testing.F) {
	for _, seed := range []string{"12.50", "12,50", "1,250.00", "1 250", "$12", "AUD 1", "١٢٫٥٠", "1,2,3", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		minor, err := typed.Amount(text, "AUD")
		if err != nil {
			return
		}
		digits := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, card.Plain(text))
		if wire := strings.ReplaceAll(money.Wire(minor), ".", ""); strings.Trim(wire, "0") != strings.Trim(digits, "0") {
			t.Fatalf("%q became %s", text, money.Wire(minor))
		}
		again, err := typed.Amount(money.Price(minor, "AUD"), "AUD")
		if err != nil || again != minor {
			t.Fatalf("%q became %d, which is printed as %s and read as %d, %v", text, minor, money.Price(minor, "AUD"), again, err)
		}
		plain := strings.TrimSpace(card.Plain(text))
		if comma := strings.LastIndex(plain, ","); comma >= 0 && !strings.Contains(plain, ".") && len(plain)-comma != 4 && !strings.ContainsAny(plain, "AUDaud") {
			t.Fatalf("%q became %s", text, money.Wire(minor))
		}
	})
}

func TestDigitsAreThoseThatWereTyped(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"062-000": "062000", "062 000": "062000", "062\u00a0000": "062000", "062–000": "062000", "062\u2011000": "062000", "062−000": "062000",
		"BSB 062-000": "062000", "bsb: 062000": "062000", "ABN 51 824 753 556": "51824753556", "A.B.N. 51 824 753 556": "51824753556",
		"4111.1111.1111.1111": "4111111111111111", "4111\u200b1111\u202d11111111": "4111111111111111", "４１１１": "4111", "٤١١١": "4111",
		"\u20684111\u2069": "4111", " 12\t3\n": "123", "": "", " - ": "",
		"A4111": "A4111", "4111a": "4111a", "4111/1111": "4111/1111", "+61 412": "+61412", "12\xff": "12\ufffd",
	} {
		check.Equal(t, typed.Digits(in), want, "Digits(%q)", in)
	}
	for in, want := range map[string]string{
		"123 456": "123456", "123\u202f456": "123456", "123\u200b456": "123456", "１２３４５６": "123456", "abcd-efgh": "ABCDEFGH", "ABCD–EFGH\n": "ABCDEFGH",
		"ABN 12": "ABN12",
	} {
		check.Equal(t, typed.Code(in), want, "Code(%q)", in)
	}
	for in, want := range map[string]int{"12": 12, " ١٢\u200b ": 12, "１": 1, "-3": -3, "0": 0} {
		n, err := typed.Count(in)
		check.Equal(t, n, want, "Count(%q), %v", in, err)
	}
	for _, in := range []string{"", "1.5", "1,5", "1 2", "1-2", "two"} {
		n, err := typed.Count(in)
		check.Equal(t, err != nil, true, "Count(%q) = %d", in, n)
	}
}

func FuzzDigits(f *testing.F) {
	for _, seed := range []string{"4111 1111", "BSB 062-000", "٤١١١", "", "exp 12/31", "a1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		digits := typed.Digits(text)
		if typed.Digits(digits) != digits && !strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
			t.Fatalf("%q became %q, which becomes %q", text, digits, typed.Digits(digits))
		}
	})
}

func TestTextsAreKeptInOneForm(t *testing.T) {
	t.Parallel()
	family := "👩\u200d👩\u200d👧"
	for in, want := range map[string]string{
		"": "", "Bar \r\n\t 4": "Bar 4", "Jose\u0301": "José", "\u2068محمد علي 2\u2069": "محمد علي 2", "\u202aAnn\u202c": "Ann", "\u200bAnn\u2060 \ufeffLee": "Ann Lee",
		"Ca\u00adfé": "Café", "a\x00b\x1b": "ab", "a\u2028b": "a b", family: family, "می\u200cخواهم": "می\u200cخواهم", "A\u200dn\u200cn": "Ann",
		"e\u200b\u0301": "é", "🏴\U000e0067\U000e0062\U000e007f": "🏴\U000e0067\U000e0062\U000e007f", "a\u00a0\u202fb": "a b",
	} {
		line := in
		check.Equal(t, typed.Tidy(&line, 64, "name", ""), "", "what is wrong with %q", in)
		check.Equal(t, line, want, "the line of %q", in)
	}
	text := " The licence\r\nis blurred.\r\rSend it again.\u2029 "
	check.Equal(t, typed.TidyLines(&text, 50, "reason", ""), "", "what is wrong with line breaks")
	check.Equal(t, text, "The licence\nis blurred.\n\nSend it again.", "a text of several lines")
	thousand := strings.Repeat(strings.Repeat("a", 99)+"\r\n", 9) + strings.Repeat("a", 100)
	check.Equal(t, typed.TidyLines(&thousand, 1000, "text", ""), "", "1,000 characters, line breaks counted once")
}

func TestTextsAreRefusedWithWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "Enter a name.", "\u200b": "Enter a name.", strings.Repeat("é", 65): "Use at most 64 characters for the name.",
		"Caf\xe9":             "Type the name again: it came in a form that cannot be read.",
		"4111 1111 1111 1111": "This looks like a card number. Leave it out.",
		"45391488/03436467":   "This looks like a card number. Leave it out.",
		"4111\u200b11111111\u202d1111, exp 12/31": "This looks like a card number. Leave it out.",
	} {
		check.Equal(t, typed.Tidy(&in, 64, "name", "Enter a name."), want, "what is wrong with %q", in)
	}
}

func TestAPhoneNumberIsKeptAsItWasTyped(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", " 03  5550 0100 ": "03 5550 0100", "+61 (3) 5550–0100": "+61 (3) 5550-0100", "1800 975 707": "1800 975 707",
		"call me": "wrong", "12345": "wrong", "0355500100 ext 4": "wrong", "+": "wrong", "javascript:0355500100": "wrong",
	} {
		got := in
		if typed.Phone(&got) != "" {
			got = "wrong"
		}
		check.Equal(t, got, want, "%q", in)
	}
	check.Equal(t, typed.Dial("+61 (3) 5550-0100"), "+61355500100", "the number to dial")
}

func TestWhatProgramsSayIsNeverRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Bar \r\n\t 4": "Bar 4", "a\xffb": "ab", "a\u2028\u202eb": "a b", "123456789é": "123456789é", "1234567890é": "1234567890", "123456789 1": "123456789",
	} {
		check.Equal(t, typed.OneLine(text, 10), want, "OneLine(%q)", text)
	}
	for text, want := range map[string]string{
		"Do not honour 4111 1111 1111 1111": "Do not honour [redacted]", "card 45391488/03436467, exp 12/31": "card •/•, exp •/•",
		"reference 12345678": "reference 12345678", "41111111111": "41111111111",
	} {
		check.Equal(t, card.Redact(text), want, "Redact(%q)", text)
	}
}

func FuzzTidy(f *testing.F) {
	for _, seed := range []string{"Zoë 李", "e\u0301", "a\r\nb", "👩\u200d👧", "\u202ea", "a\xff", "4111 1111 1111 1111", "e\u200b\u0301", "\u0301\u200d\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := text
		wrong := typed.Tidy(&line, 64, "name", "")
		again := line
		typed.Tidy(&again, 64, "name", "")
		check.MustEqual(t, again, line, "%q has two forms", text)
		if wrong == "" && (!utf8.ValidString(line) || utf8.RuneCountInString(line) > 64 || card.HoldsCard(line)) {
			t.Fatalf("%q became %q", text, line)
		}
		if strings.ContainsAny(line, "\r\n\t\x00\u200b\u202e\u2066\ufeff") || utf8.ValidString(text) && !utf8.ValidString(line) {
			t.Fatalf("%q became %q", text, line)
		}
		lines := typed.Clean(text)
		check.MustEqual(t, typed.Clean(lines), lines, "%q has two forms", text)
	})
}

func TestAPasswordIsTheSameOnAllDevices(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Pa\u0308ssword-1 ": "P\u00e4ssword-1 ", "P\u00e4ssword-1": "P\u00e4ssword-1", " a\u200b": " a\u200b",
	} {
		check.Equal(t, typed.Password(secret.New(in)).Reveal(), want, "Password(%q)", in)
	}
}

func TestNamesThatLookAlikeAreTheSame(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"Tea": "Теа", "НОТ": "HOT", "Вar": "bar", "ΟΡΕΝ": "OPEN", "Νachos": "nachos", "Oliνe": "Olive", "Ηot": "hot", "A1": "Α1",
		"Ёxtra":    "ëxtra",
		"Ватрушка": "ватрушка", "Νερό": "ΝΕΡΌ", "Υoghurt": "yoghurt", "Joe's": "joe’s", "A–B": "A-B", "Ｃａｆé": "cafe\u0301",
		"Latte": "L\u0430tt\u0435", "می\u200cخواهم": "میخواهم", "Crème": "CRÈME",
	} {
		check.Equal(t, typed.Alike(a), typed.Alike(b), "%q and %q", a, b)
	}
	for a, b := range map[string]string{"Crème": "Creme", "кон": "конь", "van": "nan", "Oliνe": "Oline", "Чай": "Чаи", "Tea 1": "Tea l",
		"10": "１0a"} {
		check.Equal(t, typed.Alike(a) == typed.Alike(b), false, "%q and %q", a, b)
	}
}

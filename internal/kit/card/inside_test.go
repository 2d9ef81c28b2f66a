package card_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
)

func TestHoldsCardFindsACardNumberInText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"bare", "4111111111111111", true},
		{"in groups", "4111 1111 1111 1111", true},
		{"with dashes", "5555-5555-5555-4444", true},
		{"with dashes and spaces", "5555 - 5555 - 5555 - 4444", true},
		{"with the dashes and spaces of a word processor", "5555–5555\u00a05555\u20114444", true},
		{"Amex in its own groups", "3782 822463 10005", true},
		{"13 digits", "4222222222222", true},
		{"19 digits", "6304000000000000018", true},
		{"between names", "Pat 4111111111111111 Payer", true},
		{"after a label", "card:4111111111111111", true},
		{"after a table", "4 4111 1111 1111 1111", true},
		{"before an expiry and a code", "4111 1111 1111 1111 12/30 123", true},
		{"before an expiry without a slash", "4111111111111111 1230", true},
		{"the second of two numbers", "1234567890123 4111111111111111", true},
		{"on two lines", "4111 1111\n1111 1111", true},
		{"slashes between", "4111/1111/1111/1111", true},
		{"commas and spaces between", "4111, 1111, 1111, 1111", true},
		{"the letter x between", "3782x822463x10005", true},
		{"points between", "Deposit.4111.1111.1111.1111", true},
		{"underscores between", "5555_5555_5555_4444", true},
		{"full-width", "４１１１　１１１１－１１１１．１１１１ ４１１１／１１１１／１１１１／１１１１", true},
		{"full-width without spaces", "４１１１１１１１１１１１１１１１", true},
		{"Arabic", "٤١١١١١١١١١١١١١١١", true},
		{"Devanagari in groups", "४१११ ११११ ११११ ११११", true},
		{"mathematical bold digits", "𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏", true},
		{"digits in circles", "④①①①①①①①①①①①①①①①", true},
		{"raised and lowered digits", "⁴¹¹¹₁₁₁₁¹¹¹¹₁₁₁₁", true},
		{"zero-width spaces between", "4111\u200b1111\u200b1111\u200b1111", true},
		{"joiners between digits", "4\u200d1\ufeff111111111111\u206011", true},
		{"plus signs between", "4111+1111+1111+1111", true},
		{"equals signs between", "Ann 4111=1111=1111=1111", true},
		{"bars between", "4111 | 1111 | 1111 | 1111", true},
		{"colons between", "5555:5555:5555:4444", true},
		{"each group in brackets", "(4111) (1111) (1111) (1111)", true},
		{"some groups in brackets", "4111(1111)1111(1111)", true},
		{"Amex with different signs", "3782+822463=10005", true},
		{"19 digits with different signs", "6304 0000:0000/0000|018", true},
		{"letters between", "4111a1111a1111a1111", true},
		{"different letters between", "4111a1111b1111c1111", true},
		{"words between", "4111 then 1111 then 1111 then 1111", true},
		{"spaces of HTML between", "4111&nbsp;1111&nbsp;1111&nbsp;1111", true},
		{"spaces of HTML as numbers", "4111&#160;1111&#xa0;1111&#32;1111", true},
		{"a numeric HTML character reference", "&#4111111111111111;", true},
		{"digits of HTML", "&#52;111111111111111", true},

		{"nothing", "", false},
		{"a name", "Zoë O’Neil", false},
		{"a mistyped digit", "4111 1111 1111 1112", false},
		{"12 digits", "501800000009", false},
		{"20 digits", "41111111111111111115", false},
		{"inside a longer number", "94111111111111111", false},
		{"single digits with slashes", "4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1", true},
		{"prices with a card's check digit", "40.00, 12.50, 13.00, 10.03, 10.04, 10.05", false},
		{"an IP address", "192.168.100.200", false},
		{"a date with a time", "22/11/2026 19:38:00", false},
		{"zeros", "0000 0000 0000 0000", false},
		{"a mobile", "0412 345 678", false},
		{"a mobile number with its country code", "+61 412 345 678", false},
		{"two phones", "02 9876 5432, 0412 345 678", false},
		{"an ABN", "80 000 000 001", false},
		{"an ABN with its check digits", "ABN 51 824 753 556", false},
		{"an order number", "Order 2026112100000001", false},
		{"an order number in groups", "2026-1121-0000-0001", false},
		{"a date and a time", "2026-11-21 22:45:10", false},
		{"a UUID", "5f0c7c4e-1f3a-4b2e-9d55-0a1b2c3d4e5f", false},
		{"a table", "Table 12", false},
		{"an IPv6 address", "2001:4860:4860:0000:0000:0000:0000:8888", false},
		{"times with bars", "10:00 | 11:30 | 12:45 | 14:15", false},
		{"a sum", "4 + 12 + 130 = 146", false},
		{"prices with words", "4.50 for 1 or 8.00 for 2 or 12.00 for 3", false},
		{"mobile numbers in brackets", "(0412) 345 678 (0498) 765 432", false},
		{"an HTML entity", "Fish &amp; chips 12", false},
	} {
		check.Equal(t, card.HoldsCard(tt.text), tt.want, "%s: HoldsCard(%q)", tt.name, tt.text)
	}
}

func TestAReferenceMayHoldLongNumbersButNoCardNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"4111111111111111": true, "ORDER-4111111111111111": true, "4111-1111-1111-1111": true, "4111.1111.1111.1111": true,
		"5555_5555_5555_4444": true, "pos/4111/1111/1111/1111": true, "４１１１１１１１１１１１１１１１": true, "4111\u200b111111111111": true,
		"4111x1111x1111x1111": true, "4111,1111,1111,1111": true, "INV-2041 4111 1111 1111 1111": true,
		"45391488/03436467": true, "45391488 - 03436467": true, "4539/148803436467": true, "4539148803|436467": true,
		"4539.148803.436467": true, "1764000000000/4539": false, "30/11/2026 10:15:00": false, "4-111111111111-111": false, "diy-00000000-0000-4111-8111-111111111111": false, "٠٠٠٠": false,
		"2026-11-22-0000-0017": false, "1764000000000-42": false, "378282246310005": true, "6304000000000000018": true, "INV.4222222222222": true,
		"411111111111111 1": true, "4 111111111111111": true, "41111111 11111111": true, "INV 41111111\u00a011111111": true,
		"4111+1111+1111+1111": true, "4111a1111b1111c1111": true, "4111&nbsp;1111&nbsp;1111&nbsp;1111": true, "(4111)(1111)(1111)(1111)": true,
		"411 1764000000009": false, "411 1764000000017": false, "20261122 174500123": false, "INV 2041 2026 1122 0017": false,
		"4111111111111112": false, "1764000000000": false, "1764000000000000000": false, "20261122174500123": false, "FIRST-PAYMENT": false,
		"ORDER-000000000123456": false, "00000000-0000-4000-8000-000000000000": false,
		"41111111-1111-4111-8111-111111111111": false, "123456789012345678901234567890": false,
	} {
		check.Equal(t, card.HoldsCard(text), want, "HoldsCard(%q)", text)
	}
	for ms := int64(1_700_000_000_000); ms < 1_700_000_001_000; ms++ {
		if card.HoldsCard(strconv.FormatInt(ms, 10)) {
			t.Fatalf("the time %d was taken for a card number", ms)
		}
	}
	for range 1000 {
		id := uuid.NewString()
		for _, text := range []string{id, strings.ReplaceAll(id, "-", ""), "order_" + id, "pos:" + strings.ToUpper(id)} {
			if card.HoldsCard(text) {
				t.Fatalf("the UUID %s was taken for a card number", text)
			}
		}
	}
}

func FuzzHoldsCard(f *testing.F) {
	for _, seed := range []string{"4111 1111 1111 1111", "", "4-1", strings.Repeat("4 ", 40)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := card.ParseNumber(strings.Map(func(r rune) rune {
			if r == ' ' || r == '-' {
				return -1
			}
			return r
		}, s))
		digits := len(n.Reveal())
		if err == nil && digits == 16 && n.Brand() == card.Visa && !card.HoldsCard(s) {
			t.Errorf("%q is a card number and was not found", s)
		}
	})
}

package card

import (
	"slices"
	"strconv"
	"strings"
)

// Brands as Number.Brand returns them.
const (
	Visa       = "visa"
	Mastercard = "mastercard"
	Amex       = "amex"
	Discover   = "discover"
	JCB        = "jcb"
	Diners     = "diners"
	UnionPay   = "unionpay"
	Maestro    = "maestro"
)

// prefix is a range of first digits that belong to a brand. low and high have the same number of digits.
type prefix struct {
	low, high int
	brand     string
}

// prefixes are tried in order, here and by the payment page, which shows the brand while a number is typed: UnionPay issues inside ranges
// that others claim as well, and Maestro gets the rest of 5 and 6.
var prefixes = []prefix{
	{34, 34, Amex}, {37, 37, Amex},
	{3528, 3589, JCB},
	{300, 305, Diners}, {3095, 3095, Diners}, {36, 36, Diners}, {38, 39, Diners},
	{4, 4, Visa},
	{51, 55, Mastercard}, {2221, 2720, Mastercard},
	{62, 62, UnionPay}, {81, 81, UnionPay},
	{6011, 6011, Discover}, {644, 649, Discover}, {65, 65, Discover},
	{50, 50, Maestro}, {56, 58, Maestro}, {63, 63, Maestro}, {67, 67, Maestro},
}

// Brand returns the card scheme by the number's first digits, "" if it is unknown.
func (n Number) Brand() string {
	digits := n.Reveal()
	for _, p := range prefixes {
		width := len(strconv.Itoa(p.low))
		if len(digits) < width {
			continue
		}
		if first, err := strconv.Atoi(digits[:width]); err == nil && first >= p.low && first <= p.high {
			return p.brand
		}
	}
	return ""
}

var brandNames = map[string]string{
	Visa: "Visa", Mastercard: "Mastercard", Amex: "American Express", Discover: "Discover", JCB: "JCB", Diners: "Diners Club",
	UnionPay: "UnionPay", Maestro: "Maestro",
}

// BrandName returns a card scheme's name as people write it, "" for an unknown one.
func BrandName(brand string) string { return brandNames[brand] }

// BrandOfNetwork returns the card scheme that a wallet names in its own spelling ("VISA", "masterCard"), "" for others.
func BrandOfNetwork(network string) string {
	brand := strings.ToLower(network)
	if slices.Contains([]string{Visa, Mastercard, Amex, Discover, JCB, Maestro}, brand) {
		return brand
	}
	return ""
}

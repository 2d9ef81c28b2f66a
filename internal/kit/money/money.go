// Package money reads and prints amounts. Everywhere else an amount is an int64 of minor units (cents) of a currency
// with two decimals.
package money

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

// Max is the largest amount that can be paid at once: 999,999.99 in minor units.
const Max int64 = 99_999_999

// DefaultCurrency is used where none is given (CONST-03).
const DefaultCurrency = "AUD"

// ErrAmount is returned for anything that is not an amount from 0.00 to 999999.99 with at most two decimals.
var ErrAmount = errors.New("not an amount from 0.00 to 999999.99")

// Parse reads "12", "12.5" or "12.50" as minor units. Signs, exponents, grouping, spaces, digits of other scripts and a
// third decimal are refused with ErrAmount.
func Parse(s string) (int64, error) {
	whole, cents, dot := strings.Cut(s, ".")
	if len(whole) < 1 || len(whole) > 6 || dot && (len(cents) < 1 || len(cents) > 2) {
		return 0, ErrAmount
	}
	for len(cents) < 2 {
		cents += "0"
	}
	var minor int64
	for _, r := range []byte(whole + cents) {
		if r < '0' || r > '9' {
			return 0, ErrAmount
		}
		minor = minor*10 + int64(r-'0')
	}
	return minor, nil
}

// ParseTotal reads a sum as Parse reads an amount, of either sign and larger than one payment may be. Anything else is ErrAmount.
func ParseTotal(s string) (int64, error) {
	whole, cents, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if len(whole) < 1 || len(whole) > 15 || dot && (len(cents) < 1 || len(cents) > 2) {
		return 0, ErrAmount
	}
	for len(cents) < 2 {
		cents += "0"
	}
	minor, err := strconv.ParseUint(whole+cents, 10, 63)
	if err != nil {
		return 0, ErrAmount
	}
	if strings.HasPrefix(s, "-") {
		return -int64(minor), nil
	}
	return int64(minor), nil
}

// Wire prints minor units as the JSON calls and the gateway carry them: "1000.52".
func Wire(minor int64) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	cents := strconv.FormatInt(minor%100, 10)
	if len(cents) < 2 {
		cents = "0" + cents
	}
	return sign + strconv.FormatInt(minor/100, 10) + "." + cents
}

// Change prints what a choice adds to a price: "+$0.50", "−£1.00", and nothing for 0.
func Change(minor int64, currency string) string {
	switch {
	case minor == 0:
		return ""
	case minor < 0:
		return Price(minor, currency)
	default:
		return "+" + Price(minor, currency)
	}
}

// Format prints minor units for people in the en-AU way without a currency sign: "1,000.52" (CONST-01 to CONST-04).
func Format(minor int64) string {
	wire := Wire(minor)
	whole, cents, _ := strings.Cut(wire, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + "." + cents
}

// Sign returns what a shop that sells in a currency writes before its prices: "$" for every dollar (POS-10), "£", "€", or else the code
// and a no-break space.
func Sign(currency string) string {
	switch cmp.Or(currency, DefaultCurrency) {
	case "AUD", "BBD", "BMD", "BND", "BSD", "BZD", "CAD", "FJD", "GYD", "HKD", "JMD", "KYD", "LRD", "NAD",
		"NZD", "SBD", "SGD", "SRD", "TTD", "TWD", "USD", "XCD":
		return "$"
	case "GBP":
		return "£"
	case "EUR":
		return "€"
	default:
		return currency + "\u00a0"
	}
}

// Price prints an amount where all amounts are of one shop: "$12.50", "£12.50", "CHF 12.50", and "−£12.50" for a negative one. In the
// browser, price in islands/pos/basket/money.ts prints the same.
func Price(minor int64, currency string) string {
	if minor < 0 {
		return "−" + Price(-minor, currency)
	}
	return Sign(currency) + Format(minor)
}

// Label prints an amount as the pay button names it: "$12.50" for AUD, "12.50 GBP" for any other currency, "−12.50 GBP" for one that was
// taken.
func Label(minor int64, currency string) string {
	if minor < 0 {
		return "−" + Label(-minor, currency)
	}
	if currency == "" || currency == DefaultCurrency {
		return Price(minor, currency)
	}
	return Format(minor) + " " + currency
}

package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"forecourt/internal/kit/card"
)

// These limit what a shop may send: anybody may send it, and it is stored.
const (
	mostFields  = 30
	mostName    = 64   // characters
	mostText    = 255  // characters
	mostAddress = 1024 // characters
)

// sentFields lists what a shop may send, in a stable order.
func sentFields(form url.Values) (fields [][2]string) {
	for name, values := range form {
		known := slices.Contains([]string{
			"Merchant_User_Id", "merchant_ref_number", "currencydesc", "amount", "transactionkey", "Purchase_summary", "processurl",
			"cancelurl", "notifyurl",
		}, name)
		if known || strings.HasPrefix(name, "customer_") || strings.HasPrefix(name, "bill_") {
			fields = append(fields, [2]string{name, values[0]})
		}
	}
	slices.SortFunc(fields, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return fields
}

// unfit says which fields are too long to be stored or hold a card number, which it does not repeat.
func unfit(sent [][2]string) (problems []string) {
	if len(sent) > mostFields {
		return []string{fmt.Sprintf("The form has more than %d fields.", mostFields)}
	}
	for _, field := range sent {
		name, value := field[0], field[1]
		most := mostText
		if strings.HasSuffix(name, "url") {
			most = mostAddress
		}
		switch {
		case utf8.RuneCountInString(name) > mostName:
			problems = append(problems, fmt.Sprintf("The name of a field is longer than %d characters.", mostName))
		case card.HoldsCard(name):
			problems = append(problems, "The name of a field looks like a card number. Leave it out.")
		case utf8.RuneCountInString(value) > most:
			problems = append(problems, fmt.Sprintf("%s is longer than %d characters.", name, most))
		case name != "transactionkey" && holdsCard(value): // the digits of a hash may look like one
			problems = append(problems, name+": "+card.LeaveOut)
		}
	}
	return problems
}

// holdsCard reports whether a text holds a card number, perhaps in the query of an address.
func holdsCard(text string) bool {
	plain, err := url.QueryUnescape(text)
	return card.HoldsCard(text) || err == nil && card.HoldsCard(plain)
}

// ofResult reports whether a shop may read a field of a query as one that states a result. PHP, for one, takes "merchant.ref_number[]" and
// " merchant_ref_number" for merchant_ref_number, and ends a name at a zero byte.
func ofResult(name string) bool {
	if i := strings.IndexAny(name, "[\x00"); i >= 0 {
		name = name[:i]
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	return slices.Contains([]string{
		"result", "responsetext", "transactionid", "card", "reference", "merchantrefnumber",
		"amount", "currency", "currencydesc", "notification", "signature",
	}, name)
}

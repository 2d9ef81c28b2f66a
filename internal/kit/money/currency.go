package money

import (
	"time"

	"golang.org/x/text/currency"
)

// Currency reports whether code names a currency (ISO 4217, capital letters) that is in use somewhere and has two decimals. No
// other currency can be used for a payment.
func Currency(code string) bool {
	unit, err := currency.ParseISO(code)
	if err != nil || unit.String() != code {
		return false
	}
	if scale, _ := currency.Standard.Rounding(unit); scale != 2 {
		return false
	}
	for used := currency.Query(currency.Date(time.Now())); used.Next(); {
		if used.Unit() == unit {
			return true
		}
	}
	return false
}

package money_test

import (
	"testing"

	"forecourt/internal/money"
)

func TestCurrenciesThatCanBePaidIn(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"AUD": true, "GBP": true, "EUR": true, "USD": true, "NZD": true, "CHF": true,
		"JPY": false, "KWD": false, // no decimals, three
		"DEM": false, "XXX": false, "XTS": false, "XAU": false, // no longer, and never, anybody's money
		"aud": false, "Aud": false, "AU": false, "AUDX": false, "": false, "A\x00D": false, "ÀUD": false, "ZZZ": false,
	} {
		if got := money.Currency(code); got != want {
			t.Errorf("Currency(%q) is %v", code, got)
		}
	}
}

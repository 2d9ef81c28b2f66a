package money_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/money"
)

// By ISO 4217 these have no decimals, three or four. Amounts in cents would be a hundred times or a tenth of what was meant.
func TestCurrenciesWithoutCentsAreNotAccepted(t *testing.T) {
	t.Parallel()
	for _, code := range strings.Fields("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND CLF UYW") {
		if money.Currency(code) {
			t.Errorf("%s is accepted", code)
		}
	}
}

func TestCurrency(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"AUD": true, "GBP": true, "EUR": true, "USD": true, "NZD": true, "CHF": true,
		"JPY": false, "KWD": false, // no decimals, three
		"DEM": false, "XXX": false, "XTS": false, "XAU": false, // obsolete, or never a currency of payments
		"aud": false, "Aud": false, "AU": false, "AUDX": false, "": false, "A\x00D": false, "ÀUD": false, "ZZZ": false,
	} {
		check.Equal(t, money.Currency(code), want, "Currency(%q)", code)
	}
}

package merchant_test

import (
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/onboarding/merchant"
)

func TestShortCode(t *testing.T) {
	t.Parallel()
	t.Run("a short code has the letters and digits of the first two words (ADMIN-41)", func(t *testing.T) {
		for name, want := range map[string]string{
			"Joe's Fish & Chips": "joesfish", "ACME": "acme", "  Two   Words  more": "twowords", "Café Zoë": "cafezoe", "7-Eleven Ltd": "7elevenltd",
			"!!! ???": "", "水 火": "", "": "", "& Sons Bakery": "sons", strings.Repeat("x", 500): strings.Repeat("x", 40),
		} {
			check.Equal(t, merchant.ShortCode(name), want, "ShortCode(%q)", name)
		}
	})
}

func TestAnswersLeadToProducts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		answers merchant.Answers
		pre     []string
		path    []merchant.Question
		want    []string
	}{
		{"nothing answered (ADMIN-14)", nil, nil, []merchant.Question{merchant.Kind}, nil},
		{"just us (ADMIN-16)", merchant.Answers{"kind": "own", "scope": "us"}, nil, []merchant.Question{"kind", "scope"}, []string{"api", "tsdk"}},
		{"sub-merchants (ADMIN-16)", merchant.Answers{"kind": "own", "scope": "submerchants"}, nil, []merchant.Question{"kind", "scope"}, []string{"api", "tsdk"}},
		{"refers clients (ADMIN-18)", merchant.Answers{"kind": "solution", "refer": "yes"}, nil, []merchant.Question{"kind", "refer"}, []string{"ecom", "lbs"}},
		{"not yet (ADMIN-19)", merchant.Answers{"kind": "solution", "refer": "no"}, nil, []merchant.Question{"kind", "refer", "chain"}, nil},
		{"a chain (ADMIN-20)", merchant.Answers{"kind": "solution", "refer": "no", "chain": "yes"}, nil, []merchant.Question{"kind", "refer", "chain"}, []string{"ecom", "lbs"}},
		{"no chain (ADMIN-20)", merchant.Answers{"kind": "solution", "refer": "no", "chain": "no"}, nil, []merchant.Question{"kind", "refer", "chain"}, []string{"ecom", "lbs"}},
		{"with preselected products (ADMIN-22)", merchant.Answers{"kind": "own", "scope": "us"}, []string{"ecom"}, []merchant.Question{"kind", "scope"}, []string{"api", "tsdk", "ecom"}},
		{"answers of an abandoned branch (ADMIN-21)", merchant.Answers{"kind": "own", "refer": "yes"}, nil, []merchant.Question{"kind", "scope"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, _ := tt.answers.Path()
			if got := tt.answers.Recommended(tt.pre); !slices.Equal(got, tt.want) || !slices.Equal(path, tt.path) {
				t.Errorf("%v by %v", got, path)
			}
		})
	}
}

func TestPreselected(t *testing.T) {
	t.Parallel()
	t.Run("known codes are preselected, in the catalogue's order (ADMIN-04)", func(t *testing.T) {
		for list, want := range map[string]string{"API,lbs": "api lbs", "zzz": "", "": "", " ecom , TSDK,api": "api tsdk ecom", "api,api": "api"} {
			check.Equal(t, strings.Join(merchant.Preselected(list), " "), want, "%q preselects", list)
		}
	})
}

func TestCatalogue(t *testing.T) {
	t.Parallel()
	want := []string{
		"api Payments API: Card Payments, Direct Debit/Credit, Alternative Payments, EMV",
		"tsdk Terminal SDKs: iOS, Android, Windows, MacOS, Linux SDK",
		"ecom e-Commerce Solutions: WooCommerce Plugin, Hosted Payment Pages",
		"lbs Payments on the go: Mobile Terminal, QR Payments, Point of Sale, Order at Table, Payment Links, Invoicing, Recurring Payments",
	}
	t.Run("each product has its options (ADMIN-42 ADMIN-43 ADMIN-44 ADMIN-45)", func(t *testing.T) {
		var got []string
		for _, p := range merchant.Catalogue() {
			got = append(got, p.Code+" "+p.Name+": "+strings.Join(p.Options, ", "))
		}
		check.List(t, got, want, "the catalogue")
	})
	_, err := merchant.Choose([]string{"api"}, map[string][]string{"api": {"Gold"}})
	check.Error(t, err, "an unknown option was accepted")
}

func TestRedactHidesCardsAndKeys(t *testing.T) {
	t.Parallel()
	const key = "6eabd05e677ed49241e14e15755e187661c02f9e5ee9f6127a8b3399cb253a6f"
	got := merchant.Redact([]byte(`{"pan": "4111 1111 1111 1111", "cvc": "987", "key": "` + key + `", "cardholder": "4111111111111111",
		"reference": "` + strings.Repeat("r", 500) + `", "note": "4111111111111111", "exp": "12/34"}`))
	for _, secret := range []string{"4111111111111111", "4111 1111", "987", key, strings.Repeat("r", 100)} {
		check.Lacks(t, got, secret, "the log contains")
	}
	if !strings.Contains(got, "************1111") || !strings.Contains(got, "6eabd0…") || !strings.Contains(got, "12/34") {
		t.Errorf("the log is %s", got)
	}
	check.Lacks(t, merchant.Redact([]byte(`{"pan": "4111111111111112"`)), "4111", "a body that is not JSON")
}

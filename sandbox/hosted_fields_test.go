package sandbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/keys"
	"forecourt/sandbox"
)

// embeddedForm pays an embedded payment.
func embeddedForm(change map[string]string) url.Values {
	form := card("4111111111111111", "pay")
	for name, value := range map[string]string{
		"id": "EMBEDDED-1", "amount": "500.00", "currency": "PHP", "reference": "E-1", "description": "A book", "firstname": "Jo",
		"merchantuserid": sandbox.TestMerchantID, "publickey": sandbox.TestPublicKey, "returnurl": "https://shop.test/back?order=7",
	} {
		form.Set(name, value)
	}
	for name, value := range change {
		form.Set(name, value)
	}
	return form
}

// Anybody may fill in these forms, and what they hold is stored.
func TestFieldsOfTheHostedPageAreShortAndHoldNoCardNumber(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	key := func(reference string) string {
		in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: reference, Secret: f.secretOf(sandbox.TestMerchantID)}
		return in.Key(keys.SHA1)
	}
	const number, refused = "4111 1111 1111 1111", "looks like a card number"
	many := map[string]string{}
	for i := range 31 {
		many[fmt.Sprintf("bill_line%d", i)] = "x"
	}
	long := strings.Repeat("é", 256)
	for name, tt := range map[string]struct {
		path   string
		change map[string]string
		says   string // empty: it begins, or pays
	}{
		"long texts":                       {"/sandbox/hps", map[string]string{"bill_address": long[2:], "Purchase_summary": long[2:]}, ""},
		"a longer text":                    {"/sandbox/hps", map[string]string{"bill_address": long}, "bill_address is longer than 255 characters"},
		"a longer reference":               {"/sandbox/hps", map[string]string{"merchant_ref_number": long, "transactionkey": key(long)}, "merchant_ref_number is longer than 255 characters"},
		"a long address":                   {"/sandbox/hps", map[string]string{"processurl": s.URL + "/" + strings.Repeat("a", 900)}, ""},
		"a longer address":                 {"/sandbox/hps", map[string]string{"cancelurl": s.URL + "/" + strings.Repeat("a", 1024)}, "cancelurl is longer than 1024 characters"},
		"many fields":                      {"/sandbox/hps", many, "more than 30 fields"},
		"a long name":                      {"/sandbox/hps", map[string]string{"bill_" + long: "x"}, "The name of a field is longer than 64 characters"},
		"a card number as an address":      {"/sandbox/hps", map[string]string{"bill_address": number}, "bill_address: This " + refused},
		"a card number as a reference":     {"/sandbox/hps", map[string]string{"merchant_ref_number": number, "transactionkey": key(number)}, "merchant_ref_number: This " + refused},
		"a card number as a summary":       {"/sandbox/hps", map[string]string{"Purchase_summary": "For " + number}, "Purchase_summary: This " + refused},
		"a card number in a link":          {"/sandbox/hps", map[string]string{"processurl": s.URL + "/?pan=4111111111111111"}, "processurl: This " + refused},
		"a card number in a link, escaped": {"/sandbox/hps", map[string]string{"processurl": s.URL + "/?pan=4111%201111%201111%201111"}, "processurl: This " + refused},
		"a card number as a name":          {"/sandbox/hps", map[string]string{"bill_4111111111111111": "x"}, "The name of a field " + refused},
		"a long number":                    {"/sandbox/hps", map[string]string{"customer_phone": "+61 400 000 000", "bill_note": "1764000000000"}, ""},
		"an embedded payment":              {"/sandbox/hps/embed", nil, ""},
		"a longer description":             {"/sandbox/hps/embed", map[string]string{"description": long}, "description is longer than 255 characters"},
		"embedded, a card number":          {"/sandbox/hps/embed", map[string]string{"reference": number}, "reference: This " + refused},
		"embedded, a card number as an id": {"/sandbox/hps/embed", map[string]string{"id": "4111-1111-1111-1111"}, "id: This " + refused},
	} {
		form := embeddedForm(tt.change)
		if tt.path == "/sandbox/hps" {
			form = f.redirectForm(s, tt.change)
		}
		status, _, body := post(t, f.bank+tt.path, form)
		if tt.says == "" && status != http.StatusSeeOther || tt.says != "" && (status != http.StatusUnprocessableEntity || !strings.Contains(body, tt.says)) {
			t.Errorf("%s: answered %d without %q:\n%s", name, status, tt.says, body)
		}
		check.Lacks(t, body, "1111", "%s: the answer repeats the number", name)
	}
	f.stop()
	stored, err := os.ReadFile(f.path)
	check.Must(t, err)
	for _, written := range []string{number, "4111111111111111", "4111-1111"} {
		check.Lacks(t, string(stored), written, "the ledger's file holds")
	}
}

// The address to which a customer returns was in the customer's browser, unsigned. What it says must not be signed as the result.
func TestFieldsOfTheReturnAddressAreNotSignedAsTheResult(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	hush := f.secretOf(sandbox.TestMerchantID).Reveal()
	const forged = "merchant_ref_number=ORDER-1001&currencydesc=GBP&currency=GBP&reference=ORDER-1001&transactionid=sbx-1&card=9&notification=delivered" +
		"&result=approved&currencydesc[]=GBP&%20currencydesc=GBP&merchant.ref.number=ORDER-1001&currencydesc%00x=GBP&CurrencyDesc=GBP&signature=x&order=7"
	declined := card("4000000000000002", "pay")
	embedded := embeddedForm(map[string]string{"card": declined.Get("card"), "returnurl": "https://shop.test/back?" + forged})
	_, fromEmbedded, _ := post(t, f.bank+"/sandbox/hps/embed", embedded)
	_, fromRedirect, _ := post(t, f.begin(f.redirectForm(s, map[string]string{"processurl": "https://shop.test/back?" + forged, "notifyurl": ""})), declined)
	for to, want := range map[string]string{
		fromEmbedded: "amount=500.00&card=%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A0002&currency=PHP&order=7&reference=E-1&responsetext=Do+not+honour&result=declined",
		fromRedirect: "amount=5.00&card=%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A%2A0002&currencydesc=GBP&merchant_ref_number=REF-1&order=7&responsetext=Do+not+honour&result=declined",
	} {
		_, query, _ := strings.Cut(to, "?")
		signed, _, _ := strings.Cut(query, "&signature=")
		check.Equal(t, signed, want, "the customer returns with")
		check.Equal(t, genuine(query, hush), true, "the customer returns with")
	}
}

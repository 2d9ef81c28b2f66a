package pay_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

var walletProps = regexp.MustCompile(`(?s)<fc-wallets[^>]*>\s*<script[^>]*>(.*?)</script>`)

// offered returns the props of a page's wallets, or nil if it offers none.
func offered(t *testing.T, answer apptest.Answer) map[string]any {
	t.Helper()
	found := walletProps.FindStringSubmatch(answer.Body)
	if found == nil {
		return nil
	}
	var props map[string]any
	check.Must(t, json.Unmarshal([]byte(found[1]), &props))
	return props
}

func TestWhichPagesOfferWallets(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	page := "/pos/panezski/" + id
	first := app.Get(t, page)
	props := offered(t, first)
	if props == nil {
		t.Fatal("WALLET-01 PAY-01 a merchant with AUD and a key offers no wallets")
	}
	google := props["google"].(map[string]any)
	for name, want := range map[string]any{"amount": "11.00", "currency": "AUD", "countryCode": "AU", "shop": "panezski", "trxId": id, "ships": false, "simulated": true} {
		if props[name] != want {
			t.Errorf("WALLET-06 WALLET-07 %s is %v, want %v", name, props[name], want)
		}
	}
	check.Equal(t, google["environment"], "TEST", "WALLET-05 in test mode Google's environment is")
	check.Lacks(t, first.Body, "sandbox-password", "no key of the merchant's account is on the page (PAY-52 WALLET-14)")
	check.Lacks(t, first.Body, "sandbox-panezski", "no key of the merchant's account is on the page (PAY-52 WALLET-14)")
	policy := first.Header.Get("Content-Security-Policy")
	for _, source := range []string{
		"script-src 'self' https://pay.google.com;", "frame-src https://pay.google.com;", "img-src 'self' data: https://www.gstatic.com;",
		"connect-src 'self' https://pay.google.com https://google.com;", "style-src 'self' 'nonce-" + google["nonce"].(string) + "'",
	} {
		check.Contains(t, policy, source, "policy")
	}
	if strings.Contains(policy, "unsafe") || offered(t, app.Get(t, page))["google"].(map[string]any)["nonce"] == google["nonce"] {
		t.Error("the policy allows any inline style, or two pages share a nonce")
	}

	swapped := app.Do(t, http.MethodGet, page, nil, http.Header{"Hx-Request": {"true"}})
	card := []struct {
		name   string
		answer apptest.Answer
	}{{"a swapped part", swapped}, {"the demo", app.Get(t, "/pos/panezski/demo")}, {"no such transaction", app.Get(t, "/pos/panezski/zzz")}}
	for _, tt := range []struct{ name, change string }{
		{"another currency (WALLET-01)", "UPDATE transaction SET currency = 'GBP'"},
		{"no key in this mode (WALLET-01)", "UPDATE transaction SET currency = 'AUD'; DELETE FROM shop_account WHERE NOT live"},
		{"an order that expired", "INSERT INTO shop_account VALUES ('panezski', false, 'x', 'y'); UPDATE transaction SET status = 'expired'"},
	} {
		dbtest.Exec(t, app.Pool, tt.change)
		card = append(card, struct {
			name   string
			answer apptest.Answer
		}{tt.name, app.Get(t, page)})
	}
	for _, tt := range card {
		policy := tt.answer.Header.Get("Content-Security-Policy")
		if offered(t, tt.answer) != nil || strings.Contains(policy, "google") || strings.Contains(policy, "nonce") || strings.Contains(policy, "frame-src") {
			t.Errorf("%s: the page offers wallets, or its policy allows them: %s", tt.name, policy)
		}
		check.Equal(t, tt.answer.Header.Get("Cross-Origin-Opener-Policy"), "same-origin", "%s: opener policy", tt.name)
	}
}

func TestWalletsOfALiveMerchantAndOfAPayLink(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	dbtest.Exec(t, app.Pool,
		"UPDATE shop SET live = true WHERE code = 'panezski'; UPDATE transaction SET test_mode = false; DELETE FROM order_line")
	props := offered(t, app.Get(t, "/pos/panezski/"+id))
	if props == nil || props["ships"] != true || props["simulated"] != false || props["google"].(map[string]any)["environment"] != "PRODUCTION" {
		t.Errorf("WALLET-05 WALLET-07 a live pay link does not ask for an address, is not in production, or simulates wallets: %v", props)
	}
	dbtest.Exec(t, app.Pool, "DELETE FROM shop_account WHERE live")
	if offered(t, app.Get(t, "/pos/panezski/"+id)) != nil {
		t.Error("WALLET-01 the page offers wallets without a live key")
	}
}

func TestADeclinedApplePaymentSaysSo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for wallet, says := range map[string]bool{"apple": true, "gpay": false} {
		id := app.Order(t)
		app.PostJSON(t, "/api/wallet", map[string]any{"wallet": wallet, "merchantId": "panezski", "transid": id, "token": "decline", "paymentData": "decline"})
		v := app.Visit(t, "/pos/panezski/"+id).Has("Payment Unsuccessful", "Do not honour")
		check.Equal(t, strings.Contains(v.Text(), "Transaction Declined.Please try again.."), says, "WALLET-26 %s: %s", wallet, v.Text())
	}
}

package sandbox_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
	"forecourt/sandbox"
)

// genuine checks fields as a shop does by /docs/notify: it computes the HMAC of everything before &signature=.
func genuine(raw, key string) bool {
	i := strings.LastIndex(raw, "&signature=")
	if i < 0 {
		return false
	}
	sum := hmac.New(sha256.New, []byte(key))
	sum.Write([]byte(raw[:i]))
	return hmac.Equal([]byte(hex.EncodeToString(sum.Sum(nil))), []byte(raw[i+len("&signature="):]))
}

// A customer knows every field of a notify call beforehand, including transactionkey, which passes through the customer's browser. Only
// the signature tells a genuine result from one that the customer invented.
func TestAResultCannotBeForged(t *testing.T) {
	t.Parallel()
	raw := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		raw <- string(body)
	}))
	t.Cleanup(server.Close)
	s := shop{Server: server}
	f := startHosted(t, s)
	hush := f.secretOf(sandbox.TestMerchantID).Reveal()
	form := f.redirectForm(s, map[string]string{"Purchase_summary": "A book & signature=1 & more"})
	_, back, _ := post(t, f.begin(form), card("4000000000000002", "pay"))
	told := <-raw
	_, query, _ := strings.Cut(back, "?")
	for name, text := range map[string]string{"the notify call": told, "the way back": query} {
		if !strings.Contains(text, "result=declined") || !genuine(text, hush) {
			t.Errorf("%s is not signed: %s", name, text)
		}
		check.Lacks(t, text, hush, "%s", name)
		check.Equal(t, genuine(text, "another secret"), false, "%s", name)
		if forged := strings.Replace(text, "result=declined", "result=approved", 1); genuine(forged, hush) {
			t.Errorf("%s: a forged result was accepted: %s", name, forged)
		}
	}
	// The field that the specification calls the key stays as it is; it says nothing about the result.
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "REF-1", Secret: secret.New(hush)}
	if values, err := url.ParseQuery(told); err != nil || values.Get("transactionkey") != in.Key(keys.SHA1) {
		t.Errorf("transactionkey: %v %v", values, err)
	}
}

func TestTheSitesMerchantsUseTheHostedPage(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	f.Know(func(_ context.Context, id string) (*keys.Merchant, error) {
		if id != "1234567890" {
			return nil, nil //nolint:nilnil // nobody
		}
		return &keys.Merchant{ID: id, Name: "Corner Cafe", PublicKey: "pk-test-1", Secrets: []secret.Text{secret.New("new"), secret.New("old")}}, nil
	})
	for _, hush := range []string{"new", "old"} { // a shop has a day to change its secret
		in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "REF-" + hush, Secret: secret.New(hush)}
		form := f.redirectForm(s, map[string]string{
			"Merchant_User_Id": "1234567890", "merchant_ref_number": in.Reference, "transactionkey": in.Key(keys.SHA1), "notifyurl": "",
		})
		page := f.begin(form)
		_, html := get(t, page)
		check.Contains(t, html, "Corner Cafe", "%s: the page does not name the merchant", hush)
		_, back, _ := post(t, page, card("4111111111111111", "pay"))
		if _, query, _ := strings.Cut(back, "?"); !genuine(query, hush) {
			t.Errorf("%s: not signed with the secret that the shop uses: %s", hush, query)
		}
	}
	form := f.redirectForm(s, map[string]string{"Merchant_User_Id": "1234567891"})
	status, _, _ := post(t, f.bank+"/sandbox/hps", form)
	check.Equal(t, status, http.StatusUnprocessableEntity, "an unknown id answered")
}

func TestOnlyItsOwnPageMayFrameTheCheckout(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	checkout := func(change ...string) string {
		values := url.Values{
			"amount": {"0.05"}, "currency": {"GBP"}, "reference": {"E-1"}, "merchantuserid": {sandbox.TestMerchantID},
			"publickey": {sandbox.TestPublicKey}, "returnurl": {"https://shop.example/done"},
		}
		for i := 0; i+1 < len(change); i += 2 {
			values.Set(change[i], change[i+1])
		}
		return f.bank + "/sandbox/hps/embed?" + values.Encode()
	}
	for name, tt := range map[string]struct{ address, ancestors string }{
		"the checkout":                {checkout(), "'self' https://shop.example"},
		"what is wrong with it":       {checkout("amount", "x"), "'self' https://shop.example"},
		"nowhere to return to":        {checkout("returnurl", ""), "'self'"},
		"a star":                      {checkout("returnurl", "https://*"), "'self'"},
		"more than one directive":     {checkout("returnurl", "https://a;script-src/"), "'self'"},
		"the list of merchants":       {f.bank + "/sandbox/hps/merchants", "'none'"},
		"a payment of the whole page": {f.bank + "/sandbox/hps/nobody", "'none'"},
	} {
		res, err := http.Get(tt.address)
		check.Must(t, err)
		_ = res.Body.Close()
		_, rest, _ := strings.Cut(res.Header.Get("Content-Security-Policy"), "frame-ancestors ")
		got, _, _ := strings.Cut(rest, ";")
		check.Equal(t, got, tt.ancestors, "%s may be framed by", name)
	}
}

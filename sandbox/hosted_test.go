package sandbox_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/outbound"
	"forecourt/internal/site/keys"
	"forecourt/sandbox"
)

// shop is a merchant's site that is notified of its payments.
type shop struct {
	*httptest.Server
	heard chan url.Values
}

func newShop(t *testing.T) shop {
	t.Helper()
	s := shop{heard: make(chan url.Values, 9)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.heard <- r.PostForm
	}))
	t.Cleanup(s.Close)
	return s
}

// secretOf reads a test merchant's secret from the page where a developer finds it.
func (f *fixture) secretOf(merchant string) secret.Text {
	f.t.Helper()
	_, page := get(f.t, f.bank+"/sandbox/hps/merchants")
	_, page, _ = strings.Cut(page, "<code>"+merchant+"</code>")
	_, page, _ = strings.Cut(page, "<code>")
	text, _, found := strings.Cut(page, "</code>")
	if !found {
		f.t.Fatal("the test merchants are not listed")
	}
	return secret.New(text)
}

func (f *fixture) redirectForm(s shop, change map[string]string) url.Values {
	form := url.Values{
		"Merchant_User_Id": {sandbox.TestMerchantID}, "merchant_ref_number": {"REF-1"}, "currencydesc": {"GBP"}, "amount": {"5.00"},
		"Purchase_summary": {"A book"}, "customer_email": {"jo@example.com"}, "processurl": {s.URL + "/done?order=7"},
		"cancelurl": {s.URL + "/cart"}, "notifyurl": {s.URL + "/notify"},
	}
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "REF-1", Secret: f.secretOf(sandbox.TestMerchantID)}
	form.Set("transactionkey", in.Key(keys.SHA1))
	for name, value := range change {
		form.Set(name, value)
	}
	return form
}

func post(t *testing.T, address string, form url.Values) (status int, location, body string) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.PostForm(address, form)
	check.Must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	check.Must(t, err)
	return res.StatusCode, res.Header.Get("Location"), string(text)
}

func card(pan, button string) url.Values {
	return url.Values{"name": {"Jo Bloggs"}, "card": {pan}, "exp": {"12/34"}, "cvc": {"123"}, "do": {button}}
}

func startHosted(t *testing.T, s shop) *fixture {
	t.Helper()
	return start(t, func(o *sandbox.Options) {
		o.Outbound = outbound.New([]string{s.Listener.Addr().String()}, 5*time.Second)
	})
}

// begin posts the redirect form and returns the address of the payment page.
func (f *fixture) begin(form url.Values) string {
	f.t.Helper()
	status, to, body := post(f.t, f.bank+"/sandbox/hps", form)
	if status != 303 || !strings.HasPrefix(to, "/sandbox/hps/") {
		f.t.Fatalf("answered %d, redirects to %q: %s", status, to, body)
	}
	return f.bank + to
}

func TestHostedPagePays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, pan string
		buttons   []string
		result    string
		back      string
	}{
		{"approved", "4111111111111111", []string{"pay"}, "approved", "/done"},
		{"declined", "4000000000000002", []string{"pay"}, "declined", "/done"},
		{"broken", "4000000000000119", []string{"pay"}, "failed", "/done"},
		{"confirmed", threeDS, []string{"pay", "approve"}, "approved", "/done"},
		{"not confirmed", threeDS, []string{"pay", "refuse"}, "declined", "/done"},
		{"cancelled", "", []string{"cancel"}, "cancelled", "/cart"},
		{"cancelled at the bank", threeDS, []string{"pay", "cancel"}, "cancelled", "/cart"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			f := startHosted(t, s)
			page := f.begin(f.redirectForm(s, nil))
			_, html := get(t, page)
			for _, want := range []string{"Harbour Lane Books", "5.00 GBP", "REF-1", "A book"} {
				check.Contains(t, html, want, "the page does not show")
			}
			to := ""
			for _, button := range tt.buttons {
				_, to, _ = post(t, page, card(tt.pan, button))
			}
			back, err := url.Parse(to)
			if err != nil || back.Path != tt.back || back.Query().Get("result") != tt.result || back.Query().Get("notification") != "delivered" {
				t.Errorf("the payment redirects to %q", to)
			}
			if tt.back == "/done" && back.Query().Get("order") != "7" {
				t.Errorf("the redirect lost the shop's own query: %q", to)
			}
			heard := <-s.heard
			if heard.Get("result") != tt.result || heard.Get("merchant_ref_number") != "REF-1" || heard.Get("customer_email") != "jo@example.com" {
				t.Errorf("the shop was notified of %v", heard)
			}
			// Pressing any button again changes nothing and sends no notification.
			for _, button := range []string{"pay", "approve", "refuse", "cancel"} {
				_, again, _ := post(t, page, card("4111111111111111", button))
				check.Equal(t, again, to, "pressing %s again redirects to", button)
			}
			check.Equal(t, len(s.heard), 0, "the shop was notified twice")
			check.Equal(t, back.Query().Has("transactionid"), tt.result == "approved", "charged")
			check.Empty(t, f.ledger(""), "the gateway's own ledger lists the charge")
			f.stop()
			f = restart(t, f.path, f.clock, nil)
			_, html = get(t, f.bank+strings.TrimPrefix(page, page[:strings.Index(page, "/sandbox")]))
			check.Contains(t, html, tt.result, "the payment did not survive a restart")
		})
	}
}

func TestHostedPageExplainsAWrongRequest(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	hush := f.secretOf(sandbox.TestMerchantID).Reveal()
	sha1 := func(text string) string { return keys.Sum(keys.SHA1, text) }
	for _, tt := range []struct {
		name   string
		change map[string]string
		says   string
	}{
		{"amount not fixed", map[string]string{"amount": "5", "transactionkey": sha1("GBP5REF-1" + hush)}, "exactly two decimals"},
		{"lower-case currency", map[string]string{"transactionkey": sha1("gbp5.00REF-1" + hush)}, "lower case"},
		{"swapped", map[string]string{"transactionkey": sha1("GBP5.00" + hush + "REF-1")}, "swapped"},
		{"another amount", map[string]string{"amount": "6.00"}, "none of the usual mistakes explains it"},
		{"no key", map[string]string{"transactionkey": ""}, "The key is empty"},
		{"no such merchant", map[string]string{"Merchant_User_Id": "nobody"}, "neither a test merchant nor"},
		{"an amount that is not a number", map[string]string{"amount": "x"}, "not an amount"},
		{"no reference", map[string]string{"merchant_ref_number": ""}, "merchant_ref_number is missing"},
		{"a script to return to", map[string]string{"processurl": "javascript:alert(1)"}, "processurl is not"},
		{"no currency", map[string]string{"currencydesc": "£"}, "three letters"},
		{"no decimals", map[string]string{"currencydesc": "JPY", "transactionkey": sha1("JPY5.00REF-1" + hush)}, "with two decimals"},
		{"three decimals", map[string]string{"currencydesc": "KWD", "transactionkey": sha1("KWD5.00REF-1" + hush)}, "with two decimals"},
		{"not in use", map[string]string{"currencydesc": "XXX", "transactionkey": sha1("XXX5.00REF-1" + hush)}, "in use"},
		{"a rounded amount", map[string]string{"amount": "10.005", "transactionkey": sha1("GBP10.01REF-1" + hush)}, "at most two decimals"},
	} {
		status, _, body := post(t, f.bank+"/sandbox/hps", f.redirectForm(s, tt.change))
		check.Equal(t, status, 422, "%s", tt.name)
		check.Contains(t, body, tt.says, "%s", tt.name)
		check.Lacks(t, body, hush, "%s: the answer holds the secret", tt.name)
	}
}

func TestHostedPageAsksAgainForAWrongCard(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	page := f.begin(f.redirectForm(s, nil))
	status, _, body := post(t, page, card("4111111111111112", "pay"))
	if status != 422 || !strings.Contains(body, "Check the card number.") || strings.Contains(body, "4111111111111112") {
		t.Errorf("answered %d: %s", status, body)
	}
	status, _, _ = post(t, page, card("4111111111111111", "steal"))
	check.Equal(t, status, 422, "an unknown button answered")
	status, _, _ = post(t, f.bank+"/sandbox/hps/nobody", card("4111111111111111", "pay"))
	check.Equal(t, status, 404, "a payment that never began answered")
}

func TestAForbiddenNotificationIsNotSent(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := start(t, func(o *sandbox.Options) { o.Outbound = outbound.New(nil, 5*time.Second) })
	page := f.begin(f.redirectForm(s, nil))
	_, to, _ := post(t, page, card("4111111111111111", "pay"))
	check.Contains(t, to, "notification=forbidden", "the payment redirects to")
	check.Equal(t, len(s.heard), 0, "the shop was called")
}

func TestEmbeddedCheckout(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	f := startHosted(t, s)
	told := url.Values{
		"amount": {"0.05"}, "currency": {"GBP"}, "reference": {"E-1"}, "description": {"<script>"}, "firstname": {"Jo"}, "lastname": {"Bloggs"},
		"merchantuserid": {sandbox.TestMerchantID}, "publickey": {sandbox.TestPublicKey}, "returnurl": {s.URL + "/back"},
	}
	res, err := http.Get(f.bank + "/sandbox/hps/embed?" + told.Encode())
	check.Must(t, err)
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if policy := res.Header.Get("Content-Security-Policy"); res.StatusCode != http.StatusOK || !strings.Contains(policy, "frame-ancestors 'self' "+s.URL+"; form-action 'self' "+s.URL) {
		t.Errorf("answered %d, policy %s", res.StatusCode, policy)
	}
	if html := string(body); !strings.Contains(html, `target="_top"`) || !strings.Contains(html, "Jo Bloggs") || strings.Contains(html, "<script>") {
		t.Errorf("the frame contains %s", html)
	}
	form := card("4111111111111111", "pay")
	maps.Copy(form, told)
	form.Set("id", "EMBEDDED-1")
	status, to, _ := post(t, f.bank+"/sandbox/hps/embed", form)
	if status != 303 || !strings.HasPrefix(to, s.URL+"/back?") || !strings.Contains(to, "result=approved") {
		t.Errorf("answered %d, redirects to %q", status, to)
	}
	_, again, _ := post(t, f.bank+"/sandbox/hps/embed", form)
	check.Equal(t, again, to, "a second press, which charges nothing, redirects to")
	form.Set("publickey", "pk-wrong")
	if status, _, body := post(t, f.bank+"/sandbox/hps/embed", form); status != 422 || !strings.Contains(body, "publickey is not") {
		t.Errorf("a wrong public key answered %d: %s", status, body)
	}
	for _, script := range []string{"checkout.js", "jquery.js", "hosted.css"} {
		status, _ := get(t, f.bank+"/sandbox/"+script)
		check.Equal(t, status, 200, "%s answers", script)
	}
}

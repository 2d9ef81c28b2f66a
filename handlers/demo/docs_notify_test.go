package demo_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/outbound"
	"forecourt/internal/site/keys"
	"forecourt/sandbox"
)

// TestTheNotifySamplesRefuseForgedResults runs each language's function on real results, from the hosted page's notify call and its return address,
// and on results that a customer could forge with any field of the form.
func TestTheNotifySamplesRefuseForgedResults(t *testing.T) {
	t.Parallel()
	const hush = "harbour-lane-8Q2x"
	app := apptest.New(t, apptest.Options{})
	body, query := hostedPayment(t, hush)
	forged, _, _ := strings.Cut(strings.Replace(body, "result=declined", "result=approved", 1), "&signature=")
	calls := []struct{ name, body, want string }{
		{"the notify call", body, "declined"},
		{"the way back", query, "declined"},
		{"another result", strings.Replace(body, "result=declined", "result=approved", 1), "refused"},
		{"no signature", forged, "refused"},
		{"an empty signature", forged + "&signature=", "refused"},
		{"the transaction key as the signature", forged + "&signature=" + mustQuery(t, body).Get("transactionkey"), "refused"},
		{"a second result after the signature", body + "&result=approved", "refused"},
		{"nothing", "", "refused"},
	}
	d := &developer{app: app, folder: t.TempDir()}
	ran := 0
	for _, s := range samplesOf(t, app, "notify") {
		switch s.lang {
		case "text":
			sameFields(t, s.text, body)
			continue
		case "php":
			s.text = "<?php\n" + s.text + "\nforeach (array_slice($argv, 2) as $body) echo notified($body, $argv[1])['result'] ?? 'refused', \"\\n\";\n"
		case "python":
			s.text += "\nimport sys\nfor body in sys.argv[2:]:\n    print((notified(body.encode(), sys.argv[1]) or {'result': 'refused'})['result'])\n"
		case "javascript":
			s.text += "\nfor (const body of process.argv.slice(3)) console.log(notified(body, process.argv[2])?.result ?? 'refused');\n"
		}
		ran++
		args := []string{hush}
		for _, c := range calls {
			args = append(args, c.body)
		}
		said := strings.Split(d.run(t, s.lang, s.text, args...), "\n")
		check.MustEqual(t, len(said), len(calls), "%s says %q", s.lang, said)
		for i, c := range calls {
			check.Equal(t, said[i], c.want, "%s, %s: the sample says", s.lang, c.name)
		}
	}
	check.Equal(t, ran, 3, "languages ran")
}

// hostedPayment returns the body of the notify call and the query of the way back of a declined payment.
func hostedPayment(t *testing.T, hush string) (body, query string) {
	t.Helper()
	heard := make(chan string, 1)
	shop := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		heard <- string(text)
	}))
	t.Cleanup(shop.Close)
	var page *httptest.Server
	play, err := sandbox.Open(sandbox.Options{
		Path: filepath.Join(t.TempDir(), "ledger"), Key: "k", PublicURL: func() string { return page.URL },
		Outbound: outbound.New([]string{shop.Listener.Addr().String()}, 5*time.Second),
	})
	check.Must(t, err)
	t.Cleanup(func() { _ = play.Close() })
	page = httptest.NewServer(play.Public())
	t.Cleanup(page.Close)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	post := func(path string, form url.Values) string {
		res, err := client.PostForm(page.URL+path, form)
		check.Must(t, err)
		_ = res.Body.Close()
		return res.Header.Get("Location")
	}
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "ORDER-1001", Secret: secret.New(hush)}
	at := post("/hps", url.Values{
		"Merchant_User_Id": {sandbox.TestMerchantID}, "merchant_ref_number": {"ORDER-1001"}, "currencydesc": {"GBP"}, "amount": {"5.00"},
		"transactionkey": {in.Key(keys.SHA1)}, "processurl": {shop.URL + "/done?a=b&signature=mine"}, "cancelurl": {shop.URL}, "notifyurl": {shop.URL},
		"Purchase_summary": {"Zoë's books & more"},
	})
	back := post(at, url.Values{"name": {"Jo"}, "card": {"4000000000000002"}, "exp": {"12/34"}, "cvc": {"123"}, "do": {"pay"}})
	_, query, _ = strings.Cut(back, "?")
	return <-heard, query
}

func mustQuery(t *testing.T, text string) url.Values {
	t.Helper()
	values, err := url.ParseQuery(text)
	check.Must(t, err)
	return values
}

var fieldNames = regexp.MustCompile(`(?:^|&|\n)([A-Za-z_]+)=`)

// sameFields fails the test unless the call has the fields that the page shows, in that order. The page's example is an approved payment.
func sameFields(t *testing.T, shown, body string) {
	t.Helper()
	names := func(text string) (list []string) {
		for _, found := range fieldNames.FindAllStringSubmatch(text, -1) {
			list = append(list, found[1])
		}
		return list
	}
	rest := names(body)
	for _, name := range names(shown) {
		i := slices.Index(rest, name)
		if i < 0 && name != "transactionid" {
			t.Errorf("the call lacks %s after the fields before it: %s", name, body)
		}
		rest = rest[i+1:]
	}
}

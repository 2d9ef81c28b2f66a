package demo_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/site/keys"
	"forecourt/sandbox"
)

var tag = regexp.MustCompile(`<[^>]*>`)

// visibleText returns the text of a page as a reader sees it.
func visibleText(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(page, " "))), " ")
}

// secretOf reads the test merchant's secret where a developer finds it.
func secretOf(t *testing.T, app *apptest.App) string {
	t.Helper()
	found := regexp.MustCompile(`Merchant_Secret</dt><dd><code>([^<]+)`).FindStringSubmatch(app.Get(t, "/sandbox/hps/merchants").Body)
	if found == nil {
		t.Fatal("no test merchant is listed")
	}
	return found[1]
}

func TestHostedPageDemo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	t.Run("the forms and their defaults (HPS-01 HPS-02 HPS-10 HPS-13 HPS-15 HPS-16 HPS-17)", func(t *testing.T) {
		t.Parallel()
		v := app.Visit(t, "/demo/hps").Has("Please enter a Merchant_User_Id and Merchant_Secret to test this form.")
		form := v.Find("form", "method=post", "action="+app.URL+"/sandbox/hps")
		if v.Status != 200 || form == nil {
			t.Fatal(v.Status, v.Body)
		}
		for name, want := range map[string]string{
			"r-amount": "5.00", "r-currencydesc": "GBP", "e-amount": "0.05", "e-currency": "GBP", "r-Merchant_Secret": "", "r-transactionkey": "",
		} {
			v.Shows("input", "id="+name, "value="+want)
		}
		for _, name := range []string{
			"Merchant_User_Id", "merchant_ref_number", "Purchase_summary", "processurl", "cancelurl", "notifyurl",
			"customer_firstname", "customer_lastname", "customer_email", "customer_phone",
			"bill_address", "bill_city", "bill_state", "bill_postcode", "bill_country",
			"reference", "description", "firstname", "lastname", "email", "merchantuserid", "publickey",
		} {
			v.Shows("input", "name="+name)
		}
		policy := v.Header.Get("Content-Security-Policy")
		for _, want := range []string{"form-action 'self' " + app.URL, "frame-src " + app.URL} {
			check.Contains(t, policy, want, "the policy lacks")
		}
		_, scripts, _ := strings.Cut(policy, "script-src ")
		scripts, _, _ = strings.Cut(scripts, ";")
		check.Contains(t, scripts+" ", " "+app.URL+" ", "the policy of scripts lacks")
	})
	t.Run("every id shows the same page (ROUTE-09 ROUTE-10 SEC-01)", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/demo/hps/x", "/demo/hps/embedded"} {
			v := app.Visit(t, path)
			check.Equal(t, v.Status, 200, "%s answers", path)
			check.Equal(t, v.Texts("h1")[0], "Hosted payment page", "%s is headed", path)
		}
	})
	t.Run("no page of the demo holds the secret (HPS-07 SEC-13)", func(t *testing.T) {
		t.Parallel()
		hush := secretOf(t, app)
		for _, path := range []string{"/demo/hps", "/demo/hps/embedded", "/demo/keygen"} {
			check.Lacks(t, app.Get(t, path).Body, hush, "%s holds the merchant's secret", path)
		}
	})
	t.Run("without a merchant or a secret the form is shown again (HPS-08)", func(t *testing.T) {
		t.Parallel()
		v := app.Visit(t, "/demo/hps").Type("Merchant_User_Id", "").Press("Calculate transactionkey")
		v.Has("Please enter a Merchant_User_Id and Merchant_Secret to test this form.", "Enter the Merchant_User_Id", "Enter the Merchant_Secret")
		check.Equal(t, v.Status, http.StatusUnprocessableEntity, "the status")
	})
	t.Run("the server makes the key and forgets the secret (HPS-04 HPS-09 HPS-18)", func(t *testing.T) {
		t.Parallel()
		v := app.Visit(t, "/demo/hps").Type("Merchant_Secret", "hush-7").Type("merchant_ref_number", "REF").Press("Calculate transactionkey")
		check.Equal(t, v.Value("transactionkey"), keys.Sum(keys.SHA1, "GBP5.00REFhush-7"), "the key is")
		v.Shows("input", "name=transactionkey", "readonly=")
		if strings.Contains(v.Body, "hush-7") || v.Find("input", "name=Merchant_Secret") != nil || v.Header.Get("Cache-Control") != "no-store" {
			t.Error("the answer holds the secret, or may be kept")
		}
		if v.Press("Change the fields"); v.Value("merchant_ref_number") != "REF" || v.Value("transactionkey") != "" {
			t.Error("the fields are lost, or the old key is still there")
		}
	})
}

func TestAPaymentComesBackToTheDemo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/demo/hps").Type("Merchant_Secret", secretOf(t, app)).Press("Calculate transactionkey")
	form := url.Values{}
	for _, name := range []string{
		"Merchant_User_Id", "merchant_ref_number", "currencydesc", "amount", "transactionkey", "processurl", "cancelurl", "notifyurl", "customer_email",
	} {
		form.Set(name, v.Value(name))
	}
	// A form on another site may begin a payment, and may do nothing else here.
	begun := app.Do(t, http.MethodPost, "/sandbox/hps", strings.NewReader(form.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"},
	})
	begun.Must(t, http.StatusSeeOther, "/sandbox/hps")
	paid := app.Post(t, begun.Location, url.Values{"name": {"Jo"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "do": {"pay"}})
	page := app.Get(t, strings.TrimPrefix(paid.Location, app.URL))
	for _, want := range []string{"Payment approved", "notification delivered", "customer_email jo@example.com", "result approved"} {
		check.Contains(t, visibleText(page.Body), want, "the page does not say")
	}
	// Another id's page does not show the notification.
	check.Lacks(t, app.Get(t, "/demo/hps/x?result=approved&notification=delivered").Body, "customer_email jo",
		"another id's page shows the notification")
	check.Empty(t, app.Captures(t, "ORDER-1001"), "the gateway's own books have the payment")
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := strings.Repeat("A", 26)
	for _, tt := range []struct {
		name, path string
		form       url.Values
		status     int
	}{
		{"one is taken", "/demo/hps/" + id + "/notify", url.Values{"result": {"approved"}, "note": {"<b>x</b>"}}, 204},
		{"an id that the demo does not use", "/demo/hps/x/notify", url.Values{"result": {"approved"}}, 404},
		{"too much", "/demo/hps/" + id + "/notify", url.Values{"x": {strings.Repeat("x", 20<<10)}}, 413},
	} {
		app.Post(t, tt.path, tt.form).Want(t, tt.status, tt.name+": status")
	}
	page := app.Get(t, "/demo/hps/"+id+"?result="+url.QueryEscape("<i>odd</i>"))
	if page.Status != 200 || !strings.Contains(page.Body, "&lt;b&gt;x&lt;/b&gt;") || strings.Contains(page.Body, "<i>odd") {
		t.Error(page.Body)
	}
}

// The daily comparison must not take the hosted page's payments for differences.
func TestReconcileIgnoresTheHostedPage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	told := url.Values{
		"amount": {"0.05"}, "currency": {"GBP"}, "merchantuserid": {sandbox.TestMerchantID}, "publickey": {sandbox.TestPublicKey},
		"returnurl": {app.URL + "/demo/hps/embedded"}, "id": {"RECONCILE-1"}, "name": {"Jo"}, "card": {"4111111111111111"}, "exp": {"12/34"},
		"cvc": {"123"}, "do": {"pay"},
	}
	if answer := app.Post(t, "/sandbox/hps/embed", told); !strings.Contains(answer.Location, "result=approved") {
		t.Fatal(answer.Status, answer.Location)
	}
	compared, err := app.Settlement.Compare(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	if err != nil || len(compared.Cases) > 0 || len(compared.Totals) > 0 {
		t.Errorf("%+v %v", compared, err)
	}
}

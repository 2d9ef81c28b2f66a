package demo_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// signedUp returns a new person with a merchant that builds a web shop, on a site without demo mode.
func signedUp(t *testing.T, app *apptest.App, email, business string) *apptest.App {
	t.Helper()
	person := app.NewPerson(t).SignUp(t, email)
	made := person.PostJSON(t, "/api/create", map[string]any{"name": business, "products": []string{"ecom"}}, "Sec-Fetch-Site", "same-origin")
	made.Must(t, http.StatusCreated, "/api/create")
	return person
}

func TestARealSiteHasTheDemos(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Live: true})
	for path, heading := range map[string]string{
		"/demo": "Stay tuned!", "/demo/bridge": "Pay at a terminal", "/demo/hps": "Hosted payment page", "/demo/hps/x": "Hosted payment page",
		"/demo/hps/embedded": "Hosted payment page", "/demo/qr": "QR ordering", "/demo/keygen": "Key generator",
	} {
		v := app.Visit(t, path)
		check.Equal(t, v.Status, http.StatusOK, "ROUTE-08 ROUTE-11 SEC-01 %s answers", path)
		check.Equal(t, strings.Join(v.Texts("h1"), " "), heading, "%s is headed", path)
		for _, menu := range []string{"All-in-one demo", "Terminal bridge", "Hosted payment page", "QR ordering", "Key generator"} {
			v.Has(menu) // NAV-07
		}
		v.HasNot("Order menu")
	}
	app.Visit(t, "/demo/hps").Has("Sign in to use your own test merchant").HasNot("test-merchant", "Use a test merchant")
}

func TestAMerchantPaysOnTheHostedPageOfARealSite(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Live: true})
	ann := signedUp(t, app, "ann@example.com", "Ann's Apples")
	shown := ann.Visit(t, "/merchant/admin").Has("Merchant_User_Id", "publickey").Press("Show Merchant_Secret")
	v := ann.Visit(t, "/demo/hps").Has("Ann's Apples is your test merchant")
	for name, id := range map[string]string{"Merchant_User_Id": "hosted-id", "merchantuserid": "hosted-id", "publickey": "hosted-key"} {
		check.Equal(t, v.Value(name), strings.TrimSpace(shown.Find("code", "id="+id).FirstChild.Data), "the dashboard's value of %s", name)
	}
	v.Type("Merchant_Secret", regexp.MustCompile(`ts_[A-Z2-7]{26}`).FindString(shown.Body)).Press("Calculate transactionkey")
	form := url.Values{}
	for _, name := range []string{
		"Merchant_User_Id", "merchant_ref_number", "currencydesc", "amount", "transactionkey", "processurl", "cancelurl",
	} {
		form.Set(name, v.Value(name))
	}
	begun := ann.Post(t, "/sandbox/hps", form)
	begun.Must(t, http.StatusSeeOther, "the hosted page")
	paid := ann.Post(t, begun.Location, url.Values{"name": {"Jo"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "do": {"pay"}})
	ann.Visit(t, strings.TrimPrefix(paid.Location, app.URL)).Has("Payment approved")
}

// The secrets of the sandbox's own merchants are public: with them anybody could make pages in the provider's name.
func TestARealSiteKnowsNoMerchantOfTheSandbox(t *testing.T) {
	t.Parallel()
	known, app := apptest.New(t, apptest.Options{}), apptest.New(t, apptest.Options{Live: true})
	v := known.Visit(t, "/demo/hps").Type("Merchant_Secret", secretOf(t, known)).Press("Calculate transactionkey")
	form := url.Values{}
	for _, name := range []string{
		"Merchant_User_Id", "merchant_ref_number", "currencydesc", "amount", "transactionkey", "processurl", "cancelurl",
	} {
		form.Set(name, v.Value(name))
	}
	known.Post(t, "/sandbox/hps", form).Want(t, http.StatusSeeOther, "a demo")
	app.Post(t, "/sandbox/hps", form).Want(t, http.StatusUnprocessableEntity, "a real site")
	app.Get(t, "/sandbox/hps/merchants").Want(t, http.StatusNotFound, "the list of test merchants")
}

func TestCodesOfARealSiteLeadToOnesOwnTables(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Live: true})
	nobody := app.Visit(t, "/demo/qr").Has("Sign in to make codes for your own tables")
	check.Equal(t, nobody.Status, http.StatusOK, "signed out, the page")
	nobody.Hides("svg", "class=qr-code")
	ann, bea := signedUp(t, app, "ann@example.com", "Ann's Apples"), signedUp(t, app, "bea@example.com", "Bea's Books")
	ann.Visit(t, "/demo/qr").Has("Set up your menu").Hides("select", "name=client")
	ann.Visit(t, "/desk/new").Press("Create business")
	v := ann.Visit(t, "/demo/qr?table=7").Has("Ann's Apples", "Table 7", app.URL+"/pos/anns-apples?t=7")
	v.Shows("svg", "aria-label=QR code for Table 7")
	ann.Get(t, "/demo/qr/anns-apples.svg?table=7").Want(t, http.StatusOK, "the file")
	ann.Get(t, "/demo/qr/print?tables=3").Want(t, http.StatusOK, "the sheet", "Ann&#39;s Apples: 3 tables")
	bea.Get(t, "/demo/qr/anns-apples.svg").Want(t, http.StatusNotFound, "the file of another's shop")
	bea.Get(t, "/demo/qr?client=anns-apples").Want(t, http.StatusUnprocessableEntity, "another's shop")
}

package merchant_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestACafeChangesItsProducts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignUp(t, "ann@example.com")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {"Ann's Apples"}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	app.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"no"}})
	app.Post(t, "/merchant/admin?step=chain", url.Values{"answer": {"no"}})
	offer := app.Visit(t, "/merchant/admin").Has("your own menu with QR codes", "test credentials, a test gateway")
	if ticks(offer, "value=WooCommerce Plugin") || !ticks(offer, "value=Hosted Payment Pages") || !ticks(offer, "id=product-lbs") {
		t.Error("the boxes ticked for a café are not all but WooCommerce")
	}
	dashboard := offer.Press("Submit").Has("What comes next", "Set up menu and orders").HasNot("WooCommerce", "Test credentials")
	if text := dashboard.Text(); strings.Index(text, "What comes next") > strings.Index(text, "Documentation Hosted") {
		t.Error("the next steps are below the products")
	}
	_, uuid, _ := strings.Cut(dashboard.Path, "?m=")

	change := dashboard.Follow("Change products").Has("Products of Ann's Apples")
	if ticks(change, "id=product-api") || !ticks(change, "id=product-lbs") || !ticks(change, "value=QR Payments") || ticks(change, "value=WooCommerce Plugin") {
		t.Error("the ticked boxes are not the merchant's products")
	}
	change.Tick("product", "api").Press("Save").Has("Test credentials", "Terminal secret", "AUD5.00FIRST-PAYMENT")
	got := app.Post(t, "/merchant/admin/"+uuid+"/products", nil)
	got.Want(t, http.StatusUnprocessableEntity, "nothing ticked", "Choose at least one product.")
	check.Equal(t, app.Post(t, "/merchant/admin/"+uuid+"/products", url.Values{"product": {"zzz"}}).Status, http.StatusUnprocessableEntity,
		"an unknown product")
	app.Visit(t, "/merchant/admin").Has("Test credentials")
	audited := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'products changed' AND actor = 'ann@example.com' AND reason = 'api, ecom, lbs'")
	check.Equal(t, audited, 1, "changes of the audit log")

	bob := app.NewPerson(t)
	bob.SignUp(t, "bob@example.com")
	t.Run("the products of somebody else's merchant look missing (SEC-09)", func(t *testing.T) {
		for _, page := range []string{"products", "calls"} {
			bob.Get(t, "/merchant/admin/"+uuid+"/"+page).Want(t, http.StatusNotFound, page+" of somebody else's merchant")
		}
		check.Equal(t, bob.Post(t, "/merchant/admin/"+uuid+"/products", url.Values{"product": {"tsdk"}}).Status, http.StatusNotFound,
			"changing somebody else's products")
	})
}

func TestTheExampleIsInTheCurrencyOfTheBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	app.Visit(t, "/desk/new?m="+id).Type("currency", "NZD").Type("timezone", "Pacific/Auckland").Press("Create business")
	page := app.Visit(t, "/merchant/admin").Has("NZD5.00FIRST-PAYMENT", `"currency": "NZD"`).HasNot("GBP")
	address, body := replay(t, words(page.Find("pre", "id=curl")))
	got := app.NewPerson(t).Do(t, http.MethodPost, address, strings.NewReader(body), http.Header{"Content-Type": {"application/json"}})
	got.Want(t, http.StatusOK, "the answer")
	log := app.Visit(t, "/merchant/admin/"+id+"/calls").Has("5.00 NZD FIRST-PAYMENT")
	if text := log.Text(); !strings.Contains(text, "NZDT") && !strings.Contains(text, "NZST") {
		t.Error("the log is not in the zone of the business")
	}
}

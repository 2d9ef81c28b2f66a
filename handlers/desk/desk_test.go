package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
)

// withMerchant signs up a person, makes a merchant for them, and returns its id.
func withMerchant(t *testing.T, app *apptest.App, email, name string) (uuid string) {
	t.Helper()
	app.SignUp(t, email)
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {name}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	app.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"yes"}})
	made := app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"lbs"}})
	_, uuid, ok := strings.Cut(made.Location, "?m=")
	if !ok {
		t.Fatalf("no merchant: %d %s", made.Status, made.Location)
	}
	return uuid
}

func TestFromTheDashboardToAPaidTestOrder(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	withMerchant(t, app, "ann@example.com", "Ann's Apples")
	v := app.Visit(t, "/merchant/admin").Follow("Set up menu and orders").Has("Set up your business")
	v.Type("code", "panezski").Type("tagline", "Crisp").Type("abn", "80 000 000 001").Tick("gst", "on").Type("locations", "Kitchen\nBar").Press("Create business")
	if v.Has("Another business has this address").Find("input", "name=tagline", "value=Crisp") == nil || v.Status != http.StatusUnprocessableEntity {
		t.Errorf("a code that is taken: %d", v.Status)
	}
	v.Type("code", "anns-apples").Press("Create business").Has("Get ready to take payments", "1 of 9 done", "TEST MODE")
	must.Equal(t, v.Path, "/desk/anns-apples", "the desk is at")
	v.Follow("Add tables").Type("tables", "Inside: 1-3, 2").Press("Save tables").Has("There are two tables called 2.")
	v.Type("tables", "Inside: 1-3, Window\nTerrace: 20").Press("Save tables").Has("Saved.", "Terrace", "Window")
	v.Follow("Business").Has("Business").Type("name", "Ann & Co").Press("Save").Has("Saved.", "Ann & Co")
	v.Follow("Home").Has("2 of 9 done")

	dbtest.Exec(t, app.Pool, `WITH c AS (INSERT INTO category (shop_code, name, position) VALUES ('anns-apples', 'Fruit', 0) RETURNING id)
		INSERT INTO item (shop_code, category_id, name, price_minor, loc, position) SELECT 'anns-apples', id, 'Apple', 150, 'Bar', 0 FROM c`)
	v.Follow("Home").Has("3 of 9 done")
	if v.Find("a", "href=/pos/anns-apples?t=1") == nil || v.Find("section", "hx-trigger=every 5s") == nil {
		t.Error("the page does not offer a test order at the first table, or does not watch for it")
	}
	made := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "anns-apples", "table": "1", "source": "diy-pos", "order": []map[string]any{{"name": "Apple", "qty": 1}}})
	trx := apptest.JSON[struct{ TrxID string }](t, made).TrxID
	app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "anns-apples", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
	v.Follow("Home").Has("4 of 9 done", "Your first test order was paid.")
	if next, day := strings.Index(v.Body, `id="checklist"`), strings.Index(v.Body, `id="today-title"`); next < 0 || day < next {
		t.Errorf("the checklist is at %d, the figures of the day at %d; the checklist comes first", next, day)
	}

	var actions string
	err := app.Pool.QueryRow(t.Context(), `SELECT string_agg(actor || ' ' || action, ', ' ORDER BY id) FROM audit WHERE subject = 'shop anns-apples'`).Scan(&actions)
	if want := "ann@example.com shop made, ann@example.com tables changed, ann@example.com shop changed"; err != nil || actions != want {
		t.Errorf("the audit log holds %q, %v", actions, err)
	}
}

func TestAMerchantHasOneShop(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := withMerchant(t, app, "ann@example.com", "Ann's Apples")
	form := url.Values{
		"m": {id}, "name": {"Ann"}, "code": {"first"}, "accent": {"#2347c5"}, "currency": {"AUD"}, "country": {"AU"}, "timezone": {"Australia/Perth"}, "locations": {"Bar"},
	}
	other := app.NewPerson(t)
	other.SignUp(t, "bob@example.com")
	t.Run("nobody opens a shop for somebody else's merchant (SEC-09)", func(t *testing.T) {
		other.Post(t, "/desk/new", form).Want(t, http.StatusNotFound, "a shop for somebody else's merchant")
	})
	for _, code := range []string{"new", "look", "A!", "x"} {
		form.Set("code", code)
		check.Equal(t, app.Post(t, "/desk/new", form).Status, http.StatusUnprocessableEntity, "code %q", code)
	}
	form.Set("code", "first")
	got := app.Post(t, "/desk/new", form)
	check.Equal(t, got.Location, "/desk/first", "made: %d", got.Status)
	form.Set("code", "second")
	got = app.Post(t, "/desk/new", form)
	check.Equal(t, got.Location, "/desk/first", "made again: %d", got.Status)
}

func TestSigningInLeadsToTheDesk(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	withMerchant(t, app, "ann@example.com", "Ann's Apples")
	signIn := func(to string) string {
		t.Helper()
		return app.NewPerson(t).Post(t, "/signin", url.Values{"email": {"ann@example.com"}, "password": {"Demo-pass-1"}, "to": {to}}).Location
	}
	check.Equal(t, signIn("/"), "/desk", "without a shop, a sign-in leads to")
	fresh := app.NewPerson(t)
	made := fresh.Post(t, "/signup", url.Values{"email": {"new@example.com"}, "password": {"Demo-pass-1"}, "confirm": {"Demo-pass-1"}, "to": {"/"}})
	check.Equal(t, made.Location, "/desk", "signing up leads to")
	fresh.Visit(t, "/desk").Has("You are signed in", "What comes next", "Set up your business").HasNot("Welcome back", "credentials are").
		Follow("Set up your business").Has("Step 1 of 3")
	app.Visit(t, "/desk").Follow("Ann's Apples Set up menu and orders").Press("Create business")
	if got, elsewhere := signIn("/"), signIn("/account"); got != "/desk/annsapples" || elsewhere != "/account" {
		t.Errorf("with a shop, a sign-in leads to %s and %s", got, elsewhere)
	}
	check.Equal(t, app.Post(t, "/signin", url.Values{"email": {"demo@forecourt.test"}, "password": {"Demo-pass-1"}}).Location, "/desk",
		"with several shops, a sign-in leads to")
}

func TestALiveShopKeepsItsCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	app.Visit(t, "/desk/tahbella").Has("You take real payments.")
	app.Visit(t, "/desk/tahbella/shop").Has("Country and currency cannot change while you take real payments")
	app.Post(t, "/desk/tahbella/shop", url.Values{
		"name": {"Tahbella"}, "accent": {"#2347c5"}, "currency": {"USD"}, "country": {"US"}, "timezone": {"Australia/Perth"}, "locations": {"Bar"},
	})
	var currency, zone string
	if err := app.Pool.QueryRow(t.Context(), "SELECT currency, time_zone FROM shop WHERE code = 'tahbella'").Scan(&currency, &zone); err != nil || currency != "AUD" || zone != "Australia/Perth" {
		t.Errorf("%s %s, %v", currency, zone, err)
	}
}

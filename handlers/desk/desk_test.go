package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
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
	v.Type("code", "panezski").Type("tagline", "Crisp").Type("abn", "80 000 000 001").Tick("gst", "on").Press("Create business")
	if v.Has("Another business has this address").Find("input", "name=tagline", "value=Crisp") == nil || v.Status != http.StatusUnprocessableEntity {
		t.Errorf("a code that is taken: %d", v.Status)
	}
	v.Type("code", "anns-apples").Press("Create business").Has("Get ready to take payments", "1 of 8 done", "TEST MODE")
	check.MustEqual(t, v.Path, "/desk/anns-apples", "the desk is at")
	v.Follow("Add tables").Type("area.0", "Inside").Type("tables.0", "1-3, 2").Press("Save tables").Has("There are two tables called 2.")
	check.Equal(t, v.Value("area.0")+": "+v.Value("tables.0"), "Inside: 1-3, 2", "what was typed is lost")
	v.Type("tables.0", "1-3").Type("area.1", "Level 1: Bar").Type("tables.1", "A:1, 2").Press("Save tables").
		Shows("input", "id=tables.1", "value=A:1, 2", "aria-invalid=true", "aria-describedby=tables.1-problem")
	v.Shows("input", "id=area.1", "value=Level 1: Bar")
	v.Shows("a", "href=#tables.1")
	v.Type("tables.0", "1-3, Window").Type("tables.1", "A:1").Press("Save tables").Has("Saved.", "Level 1: Bar", "Table A:1", "Window")
	v.Shows("input", "id=area.1", "value=Level 1: Bar")
	v.Shows("input", "id=tables.1", "value=A:1")
	twice := app.Post(t, "/desk/anns-apples/shop", url.Values{"locations": {"Kitchen", "Bar", "kitchen"}})
	twice.Want(t, http.StatusUnprocessableEntity, "a place that is there twice", `href="#locations.2"`,
		`aria-describedby="locations.2-problem"`)
	v.Follow("Business").Has("Business").Type("name", "Ann & Co").Press("Save").Has("Saved.", "Ann & Co")
	app.Visit(t, "/desk/anns-apples").Has("1 of 8 done")

	dbtest.Exec(t, app.Pool, `WITH c AS (INSERT INTO category (shop_code, name, position) VALUES ('anns-apples', 'Fruit', 0) RETURNING id)
		INSERT INTO item (shop_code, category_id, name, price_minor, loc, position) SELECT 'anns-apples', id, 'Apple', 150, 'Bar', 0 FROM c`)
	v = app.Visit(t, "/desk/anns-apples").Has("2 of 8 done")
	v.Shows("a", "href=/pos/anns-apples?t=1")
	v.Shows("section", "hx-trigger=every 5s")
	made := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "anns-apples", "table": "1", "source": "diy-pos", "order": []map[string]any{{"name": "Apple", "qty": 1}}})
	trx := apptest.JSON[struct{ TrxID string }](t, made).TrxID
	app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "anns-apples", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
	v = app.Visit(t, "/desk/anns-apples").Has("Test order : done", "1 order waits in the kitchen Since",
		"No kitchen screen is open.", "Taken $1.50", "3 of 8 done")
	v.Shows("section", "class=card needs warning")
	if waits, day, steps := strings.Index(v.Body, `id="needs-title"`), strings.Index(v.Body, `class="figures"`), strings.Index(v.Body,
		`id="checklist"`); waits < 0 || day < waits || steps < day {
		t.Errorf("what waits is at %d, the day at %d, the checklist at %d; they come in this order", waits, day, steps)
	}
	app.Visit(t, "/pos/anns-apples/kitchen")
	app.Visit(t, "/desk/anns-apples").Has("a kitchen screen is open").HasNot("No kitchen screen is open.").Shows("section", "class=card needs")

	check.Equal(t, dbtest.Value[string](t, app.Pool,
		`SELECT string_agg(actor || ' ' || action, ', ' ORDER BY id) FROM audit WHERE subject = 'shop anns-apples'`),
		"ann@example.com shop made, ann@example.com tables changed, ann@example.com shop changed", "the audit log")
}

func TestAMerchantHasOneShop(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := withMerchant(t, app, "ann@example.com", "Ann's Apples")
	form := url.Values{
		"m": {id}, "name": {"Ann"}, "code": {"first"}, "accent": {"#2347c5"}, "currency": {"AUD"}, "country": {"AU"}, "timezone": {"Australia/Perth"}, "locations": {"Bar"},
	}
	other := app.NewPerson(t).SignUp(t, "bob@example.com")
	other.Post(t, "/desk/new", form).Want(t, http.StatusNotFound, "nobody opens a shop for somebody else's merchant (SEC-09)")
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
	app.Visit(t, "/desk").Follow("Ann's Apples").Press("Create business")
	if got, elsewhere := signIn("/"), signIn("/account"); got != "/desk/anns-apples" || elsewhere != "/account" {
		t.Errorf("with a shop, a sign-in leads to %s and %s", got, elsewhere)
	}
	check.Equal(t, app.Post(t, "/signin", url.Values{"email": {"demo@forecourt.test"}, "password": {"Demo-pass-1"}}).Location, "/desk",
		"with several shops, a sign-in leads to")
}

func TestALiveShopKeepsItsCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/tahbella").Has("Today").HasNot("TEST MODE", "Steps to go live")
	app.Visit(t, "/desk/tahbella/shop").Has("Country and currency cannot change while you take real payments")
	app.Post(t, "/desk/tahbella/shop", url.Values{
		"name": {"Tahbella"}, "accent": {"#2347c5"}, "currency": {"USD"}, "country": {"US"}, "timezone": {"Australia/Perth"}, "locations": {"Bar"},
	})
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT currency || ' ' || time_zone FROM shop WHERE code = 'tahbella'"),
		"AUD Australia/Perth", "the shop")
}

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestTodayIsComparedWithTheSameWeekdayBefore(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	check.Lacks(t, app.Get(t, "/desk/panezski").Body, "Taken by hour", "the page shows a day before the first payment")
	first, second := sale(t, app, "4111111111111111", ""), sale(t, app, "4111111111111111", "")
	sale(t, app, "4000000000000002", "") // declined, so not counted
	dbtest.Exec(t, app.Pool, `UPDATE movement SET moved_at = moved_at - interval '7 days' WHERE transaction_id = '`+second+`'`)
	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 250, currency, test_mode, 'x', now(), s, now() FROM transaction, unnest(ARRAY['done', 'declined']) s WHERE id = '`+first+`'`)
	v := app.Visit(t, "/desk/panezski")
	v.Has("Taken $11.00 The same as $11.00 by this time on", "Payments 1 1 a week before", "Average $11.00", "1 refund $2.50",
		"Taken by hour", "As a table", "1 refund was declined in the last three days")
	if v.Find("svg", "role=img") == nil || strings.Count(v.Text(), "$11.00") < 5 {
		t.Error("the chart or the table behind it is missing")
	}
	dbtest.Exec(t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt WHERE transaction_id = '`+first+`'`)
	dbtest.Exec(t, app.Pool, `UPDATE refund SET state = 'manual', settled_at = NULL WHERE state = 'declined'`)
	fragment := app.Do(t, http.MethodGet, "/desk/panezski/today", nil, http.Header{"HX-Request": {"true"}})
	for _, want := range []string{"payment is disputed", "refund has no outcome yet"} {
		check.Contains(t, fragment.Body, want, "the fragment does not say")
		check.Lacks(t, fragment.Body, "<html", "the fragment does not say")
	}
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true, needs_kitchen = true WHERE code = 'panezski'")
	dbtest.Exec(t, app.Pool, "DELETE FROM shop_account WHERE shop_code = 'panezski' AND live")
	app.Visit(t, "/desk/panezski").Has("No kitchen screen is open, so guests cannot order Open the kitchen",
		"Guests cannot pay with Apple Pay or Google Pay yet", "Taken $0.00")
}

func TestTodayAddsUpEachCurrencySeparately(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	first := sale(t, app, "4111111111111111", "")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET currency = 'GBP' WHERE code = 'panezski'")
	sale(t, app, "4111111111111111", "")
	sale(t, app, "4111111111111111", "")
	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 250, currency, test_mode, 'x', now(), 'done', now() FROM transaction WHERE id = '`+first+`'`)
	v := app.Visit(t, "/desk/panezski/today")
	v.Has("In GBP", "Taken 22.00 GBP", "Payments 2", "Average 11.00 GBP", "In AUD", "Taken $11.00", "Payments 1", "Average $11.00",
		"1 refund $2.50").HasNot("0 refunds", "None")
	check.Equal(t, strings.Count(v.Body, `class="chart"`), 2, "there are … charts")
	dbtest.Exec(t, app.Pool, `UPDATE movement SET moved_at = moved_at - interval '9 days' WHERE currency = 'GBP'`)
	app.Visit(t, "/desk/panezski/today").Has("Taken 0.00 GBP", "No payments in GBP today", "In AUD", "Taken $11.00")
}

// The team of a café can place its test order at night, while guests have to wait until it opens.
func TestTheTeamTriesItsMenuAtAnyHourInTestMode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	guest := app.NewPerson(t)
	app.SignIn(t)
	day := func(n int) string { return time.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	closed := day(-1) + " closed; " + day(0) + " closed; " + day(1) + " closed; " + day(2) + " 07:30-11:00"
	dbtest.Exec(t, app.Pool, "UPDATE shop SET hours = '"+closed+"'")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE shop_code = 'panezski' AND name = 'Cherry Pie'")
	const shut = "You can look at the menu, but you cannot order now: it opens "
	apptest.Eventually(t, shut, func() bool { return strings.Contains(app.Get(t, "/pos/panezski").Body, shut) })
	apptest.Eventually(t, "the owner of a menu in test mode reads where to try it, guests of a live one do not", func() bool {
		live := guest.Get(t, "/pos/tahbella").Body
		return strings.Contains(guest.Get(t, "/pos/panezski").Body, "Open your business on this device") &&
			strings.Contains(live, shut) && !strings.Contains(live, "Is this your business")
	})
	app.Visit(t, "/desk/panezski")
	const words = "so you can order now. Guests see that it opens "
	tried := app.Visit(t, "/pos/panezski?t=4").Has("You are trying your menu in test mode, "+words, "Sold out").HasNot(shut, "Opens ")
	paying := tried.Press("Add Flat White").Press("View Order").HasNot("not available").Press("Test Payment")
	paying.Want(t, http.StatusOK, "the team cannot place its order")
	paying.Shows("input", "name=card")
	app.Visit(t, paying.Path).Follow("Change your order").Has("1 item", words)
	declined := app.Visit(t, paying.Path).Type("card", "4000 0000 0000 0002").Type("exp", "12/40").Type("cvc", "123").Press("Pay $4.90").Has("Try Again?")
	if declined.Follow("Change your order").Has("1 item", words); declined.Path == paying.Path {
		t.Error("a declined order does not lead back to the menu")
	}
	app.Visit(t, paying.Path).Press("Try Again?")
	app.Visit(t, paying.Path).Shows("input", "name=card")
	check.Lacks(t, guest.Visit(t, paying.Path).Follow("Change your order").Body, words,
		"a guest with the order's address can try the menu, too")
	made := func(by *apptest.App, shop, item string) int {
		return by.PostJSON(t, "/api/pos", map[string]any{
			"merchantId": shop, "name": "Ann", "source": "diy-pos", "order": []map[string]any{{"name": item, "qty": 1}},
		}).Status
	}
	for _, one := range []struct {
		who        string
		by         *apptest.App
		shop, item string
		want       int
	}{
		{"the team", app, "panezski", "Butter Croissant", http.StatusCreated},
		{"the team, what is sold out", app, "panezski", "Cherry Pie", http.StatusConflict},
		{"a guest", guest, "panezski", "Butter Croissant", http.StatusConflict},
		{"the team of another business", app, "moollar", nameOf(t, app, "moollar"), http.StatusConflict},
	} {
		check.Equal(t, made(one.by, one.shop, one.item), one.want, "%s", one.who)
	}
	guest.Visit(t, "/pos/panezski?t=4").Has(shut).HasNot(words)

	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	apptest.Eventually(t, "a live menu", func() bool { return !strings.Contains(app.Get(t, "/pos/panezski").Body, words) })
	check.Equal(t, made(app, "panezski", "Butter Croissant"), http.StatusConflict, "a live menu sells outside its hours")
}

// nameOf returns an item of a business without options.
func nameOf(t *testing.T, app *apptest.App, shop string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT name FROM item WHERE shop_code = $1 AND NOT sold_out AND available ORDER BY id LIMIT 1", shop)
}

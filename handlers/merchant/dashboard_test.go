package merchant_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
)

// signedUp signs up a person and makes a merchant with the API product.
func signedUp(t *testing.T, app *apptest.App, email, name string) (uuid string) {
	t.Helper()
	app.SignUp(t, email)
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {name}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"own"}})
	app.Post(t, "/merchant/admin?step=scope", url.Values{"answer": {"us"}})
	made := app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"api"}, "option.api": {"EMV"}})
	_, uuid, ok := strings.Cut(made.Location, "?m=")
	if !ok {
		t.Fatalf("no merchant: %d %s", made.Status, made.Location)
	}
	return uuid
}

var secretForm = regexp.MustCompile(`ts_[A-Z2-7]{26}`)

func TestTheCredentialsWork(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	page := app.Visit(t, "/merchant/admin").Has("Account id").Has("Store id").Has("Device id").Has("Gateway URL")
	log := "/merchant/admin/" + id + "/calls"
	app.Visit(t, log).Has("Nothing yet")
	check.Equal(t, secretForm.MatchString(page.Body), false,
		"the gateway's address is shown, the secret only when it is asked for (ADMIN-32 ADMIN-33)")
	check.Contains(t, page.Body, app.URL+"/gateway/"+id+"/",
		"the gateway's address is shown, the secret only when it is asked for (ADMIN-32 ADMIN-33)")
	line := words(page.Find("pre", "id=curl"))
	address, body := replay(t, line)
	post := func(body string) apptest.Answer {
		return app.NewPerson(t).Do(t, http.MethodPost, address, strings.NewReader(body), http.Header{"Content-Type": {"application/json"}})
	}
	post(body).Must(t, http.StatusOK, "the line as it is copied", `"statuscode":"0"`)
	for from, to := range map[string]string{`"key": "`: `"key": "0`, `"5.00"`: `"5.01"`, "FIRST-PAYMENT": "FIRST-PAYMENt", `"AUD"`: `"AUX"`, `"1001"`: `"1002"`, `"01"`: `"02"`} {
		changed := strings.Replace(body, from, to, 1)
		if got := post(changed); got.Status != http.StatusUnauthorized || changed == body {
			t.Errorf("%s changed to %s: %d %s", from, to, got.Status, got.Body)
		}
	}
	post("{").Want(t, http.StatusBadRequest, "a truncated body")
	page = app.Visit(t, log).Has("401", "200", "400", "The last 8 of at most 100 calls", "5.00 AUD FIRST-PAYMENT", "5.01 AUD FIRST-PAYMENT", clock.Name(time.Now(), clock.Zone("Australia/Sydney")))
	check.Lacks(t, page.Body, "4111111111111111", "a card number is in the log")
	if refresh := page.Find("a", "href="+log, "class=button quiet"); refresh == nil || words(refresh) != "Refresh" {
		t.Error("Refresh does not load the log again")
	}

	dbtest.Exec(t, app.Pool, `INSERT INTO test_call (merchant_uuid, method, path, status, body, note)
		SELECT $1, 'POST', '/', 200, '', '' FROM generate_series(1, 120)`, id)
	post(body)
	check.Equal(t, dbtest.Value[int](t, app.Pool, `SELECT count(*) FROM test_call WHERE merchant_uuid = $1`, id), 100, "calls of the log")

	shown := app.Visit(t, "/merchant/admin").Press("Show Terminal secret")
	first := secretForm.FindString(shown.Body)
	in := keys.Input{Currency: "AUD", Amount: "7.5", Reference: "R-2", Secret: secret.New(first)}
	signed := func(key string) string {
		changed := strings.NewReplacer(`"5.00"`, `"7.5"`, "FIRST-PAYMENT", "R-2").Replace(body)
		return regexp.MustCompile(`"key": "[^"]*"`).ReplaceAllString(changed, `"key": "`+key+`"`)
	}
	post(signed(in.Key(keys.SHA256))).Want(t, http.StatusOK, "KEYGEN-05 a key made by hand", `"7.50"`)
	in.Amount = "7.505"
	rounded := strings.Replace(signed(in.Key(keys.SHA256)), `"7.5"`, `"7.505"`, 1)
	post(rounded).Want(t, http.StatusUnprocessableEntity, "a third decimal, which the key rounds", "amount")
	in.Amount = "7.5"
	post(signed(in.Key(keys.SHA1))).Want(t, http.StatusUnauthorized, "a key made with the other hash", "other hash function")
	rotated := shown.Press("Make a new secret").Has("The secret before this one, which ends in "+first[len(first)-4:]+", works until", clock.Name(time.Now(), clock.Zone("Australia/Sydney")))
	second := secretForm.FindString(app.Visit(t, "/merchant/admin").Press("Show Terminal secret").Body)
	if second == first || second == "" {
		t.Errorf("the secret did not change: %q", second)
	}
	// A second press would end the secret that is in use, so it has to be confirmed.
	check.Equal(t, rotated.Press("Make a new secret").Has("Tick the box first").Status, http.StatusConflict, "a second press")
	post(signed(in.Key(keys.SHA256))).Want(t, http.StatusOK, "the old secret within a day")
	dbtest.Exec(t, app.Pool, `UPDATE merchant SET old_key_until = now() - interval '1 second' WHERE uuid = $1`, id)
	post(signed(in.Key(keys.SHA256))).Want(t, http.StatusUnauthorized, "the old secret after a day")

	// The old secret has ended, so a new one may be made. A third within the day ends the one that the box names.
	rotated = app.Visit(t, "/merchant/admin").Press("Make a new secret").Has("which ends in " + second[len(second)-4:])
	in.Secret = secret.New(second)
	post(signed(in.Key(keys.SHA256))).Want(t, http.StatusOK, "the second secret")
	rotated.Tick("ends", second[len(second)-4:]).Press("Make a new secret").HasNot("Tick the box first")
	post(signed(in.Key(keys.SHA256))).Want(t, http.StatusUnauthorized, "the secret that the box named")
}

func TestOnlyItsAdminsSeeAMerchant(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	bob := app.NewPerson(t)
	other := signedUp(t, bob, "bob@example.com", "Bob's Bananas")
	t.Run("somebody else's merchant looks missing, and who is signed out is refused (SEC-09 ADMIN-54)", func(t *testing.T) {
		app.Get(t, "/merchant/admin?m="+other).Want(t, http.StatusNotFound, "somebody else's dashboard")
		for _, what := range []string{"secret", "rotate", "admins"} {
			check.Equal(t, app.Post(t, "/merchant/admin/"+other+"/"+what, url.Values{"email": {"x@example.com"}}).Status, http.StatusNotFound,
				"%s of somebody else's merchant", what)
			app.NewPerson(t).Post(t, "/merchant/admin/"+other+"/"+what, nil).Want(t, http.StatusUnauthorized, what+" signed out")
		}
	})
	without := app.NewPerson(t).SignUp(t, "cid@example.com")
	without.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Cid"}, "lastName": {"Low"}, "name": {"Cid's Cakes"}})
	without.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	without.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"yes"}})
	without.Post(t, "/merchant/admin?step=products", url.Values{"product": {"lbs"}})
	t.Run("without the API product there are no test credentials (ADMIN-29)", func(t *testing.T) {
		check.Lacks(t, without.Visit(t, "/merchant/admin").Has("Payments on the go").Text(), "Terminal secret",
			"the dashboard shows test credentials without the API product")
	})
	app.Visit(t, "/merchant/admin").Type("email", "not an address").Press("Invite").Has("Enter an email address")
	app.Visit(t, "/merchant/admin").Type("email", "Bob@Example.com").Press("Invite").Has("The invitation is on its way.",
		"bob@example.com", "Invited, until")
	link := app.Link(t, app.Mails(t, "bob@example.com", 1)[0])
	app.Visit(t, link).Has("This invitation is for bob@example.com")
	app.Post(t, link, nil).Want(t, http.StatusGone, "another person accepts")
	bob.Visit(t, link).Has("You are invited to run Ann's Apples").Press("Accept").Has("Ann's Apples")
	bob.Post(t, link, nil).Want(t, http.StatusGone, "accepted twice")
	bob.Visit(t, link).Has("This invitation was used", "You have accepted it already").HasNot("expired").Want(t, http.StatusGone,
		"a used link")
	app.Visit(t, link).Has("This invitation was used", "It works once.").HasNot("expired", "bob@example.com", "on your dashboard")
	v := bob.Visit(t, "/merchant/admin").Has("Ann's Apples").Has("Bob's Bananas")
	v.Shows("a", "aria-current=page", "href=/merchant/admin?m="+id) // ADMIN-34 ADMIN-50 SEC-07
}

func TestOnlyAllowedSitesFrameTheDashboard(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{EmbedOrigins: []string{"https://shop.example"}})
	for _, path := range []string{"/merchant/admin?e", "/merchant/admin?e=600"} {
		got := app.Get(t, path)
		check.Contains(t, got.Header.Get("Content-Security-Policy"), "frame-ancestors https://shop.example", "%s", path)
		check.Equal(t, got.Header.Get("X-Frame-Options"), "", "%s", path)
		if !strings.Contains(got.Body, `target="_top"`) || !strings.Contains(got.Body, `name="to" value="/merchant/admin"`) {
			t.Errorf("ADMIN-39 %s: signing in stays in the frame", path)
		}
	}
	const asked = "/merchant/admin?e=600&amp;s=api" // ADMIN-04
	check.Contains(t, app.Get(t, html.UnescapeString(asked)).Body, `href="`+asked+`" target="_blank"`, "a frame's own window")
	window := app.Do(t, http.MethodGet, html.UnescapeString(asked), nil, http.Header{"Sec-Fetch-Dest": {"document"}})
	check.Contains(t, window.Body, `name="to" value="`+asked+`"`, "after signing in there")
	for e, want := range map[string]string{"": "400px", "600": "600px", "x": "400px", "-1": "200px", "999999999999999999999": "400px"} {
		check.Contains(t, app.Get(t, "/merchant/admin/width.css?e="+e).Body, "max-inline-size:"+want, "ADMIN-02 ADMIN-03 e=%q", e)
	}
	for _, path := range []string{"/docs", "/merchant/admin"} {
		if got := app.Get(t, path); got.Header.Get("X-Frame-Options") != "DENY" || !strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s can be framed without embed mode", path)
		}
	}
}

func words(node *html.Node) string {
	var text strings.Builder
	for part := range node.Descendants() {
		if part.Type == html.TextNode {
			text.WriteString(part.Data)
		}
	}
	return text.String()
}

// replay reads a curl line as a shell does. The line uses only single quotes.
func replay(t *testing.T, line string) (address, body string) {
	t.Helper()
	quoted := regexp.MustCompile(`'([^']*)'`).FindAllStringSubmatch(line, -1)
	if !strings.HasPrefix(line, "curl -sS ") || len(quoted) != 3 || quoted[1][1] != "Content-Type: application/json" {
		t.Fatalf("the line is %s", line)
	}
	return quoted[0][1], quoted[2][1]
}

// TestALostSecretIsReplacedOnTheDashboard has what `forecourt secret rotate` tells operators about a terminal secret whose key is lost.
func TestALostSecretIsReplacedOnTheDashboard(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	app.Visit(t, "/merchant/admin").Press("Make a new secret").Has("The secret before this one")
	dbtest.Exec(t, app.Pool, `UPDATE merchant SET key_sealed = '\x00', old_key_sealed = '\x01' WHERE uuid = $1`, id)
	lost := app.Visit(t, "/merchant/admin").Has("Cannot be opened", "Your secret is locked with a key that is missing on our side").HasNot("Your first payment")
	made := lost.Press("Make a new secret").HasNot("Cannot be opened").HasNot("The secret before this one")
	found := secretForm.FindString(made.Press("Show Terminal secret").Body)
	if found == "" {
		t.Error("there is no new secret")
	}
	app.Post(t, "/merchant/admin/"+id+"/rotate", url.Values{"was": {""}}) // sent twice
	check.Equal(t, secretForm.FindString(app.Visit(t, "/merchant/admin").Press("Show Terminal secret").Body), found,
		"the same request again made another secret")
}

// TestALostSecretIsReplacedWhileTheOneBeforeWorks has a secret that was made with a key that is lost, after one that still opens.
func TestALostSecretIsReplacedWhileTheOneBeforeWorks(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	before := secretForm.FindString(app.Visit(t, "/merchant/admin").Press("Show Terminal secret").Body)
	app.Visit(t, "/merchant/admin").Press("Make a new secret").Has("The secret before this one")
	dbtest.Exec(t, app.Pool, `UPDATE merchant SET key_sealed = '\x00' WHERE uuid = $1`, id)
	lost := app.Visit(t, "/merchant/admin").Has("Cannot be opened", "The secret before this one").Press("Make a new secret").Has("Tick the box first", "Cannot be opened")
	lost.Tick("ends", before[len(before)-4:]).Press("Make a new secret").HasNot("Cannot be opened", "The secret before this one")
}

func TestReferencesMayBeUUIDsAndTimesButNotCards(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := signedUp(t, app, "ann@example.com", "Ann's Apples")
	shown := app.Visit(t, "/merchant/admin").Press("Show Terminal secret")
	hush, account := secretForm.FindString(shown.Body), words(shown.Find("code", "id=account-id"))
	charge := func(reference string, amount any) apptest.Answer {
		in := keys.Input{Currency: "GBP", Amount: fmt.Sprint(amount), Reference: reference, Secret: secret.New(hush)}
		return app.PostJSON(t, "/gateway/"+id+"/pay", map[string]any{
			"accountId": account, "storeId": "1001", "deviceId": "01", "currency": "GBP", "amount": amount, "reference": reference,
			"key": in.Key(keys.SHA256), "cardholder": "Ada", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
		})
	}
	now := time.Now()
	for _, reference := range []string{
		uuid.NewString(), uuid.NewString(), strings.ToUpper(uuid.NewString()), fmt.Sprint(now.UnixMilli()), fmt.Sprint(now.UnixNano()),
		"INV-2026-000000012345",
	} {
		charge(reference, 5.5).Want(t, http.StatusOK, reference, `"amount":"5.50"`)
		check.Contains(t, app.Get(t, "/merchant/admin/"+id+"/calls").Body, reference, "… is not in the request log")
	}
	for _, reference := range []string{"4111111111111111", "4111-1111-1111-1111", "ORDER_5555.5555.5555.4444", "", strings.Repeat("x", 65),
		"a b"} {
		got := charge(reference, "5.50")
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `"field":"reference"`) {
			t.Errorf("%q: %d %s", reference, got.Status, got.Body)
		}
		check.Equal(t, strings.Contains(reference, "1111") || strings.Contains(reference, "5555"), strings.Contains(got.Body, "card number"),
			"%q: wrong reason: %s", reference, got.Body)
		if page := app.Get(t, "/merchant/admin/"+id+"/calls").Body; card.HoldsCard(reference) && strings.Contains(page, reference) {
			t.Errorf("%q is in the request log", reference)
		}
	}
	dbtest.Exec(t, app.Pool, `INSERT INTO test_payment SELECT merchant_uuid, 'old-' || n, 'old-' || n, 1, 'GBP', '', '', '', '', '',
		now() - n * interval '1 s'
		FROM (SELECT merchant_uuid FROM test_payment LIMIT 1) p, generate_series(1, 10010) n`)
	charge("one-more", "5.50").Want(t, http.StatusOK, "beyond the ten thousand that are kept")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM test_payment"), 10_000, "payments kept")
}

func TestANewMerchantUsesTheHostedPage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	signedUp(t, app, "ann@example.com", "Ann's Apples")
	shown := app.Visit(t, "/merchant/admin").Has("Hosted payment page", "Merchant_User_Id", "publickey").Press("Show Terminal secret")
	in := keys.Input{Currency: "GBP", Amount: "5.00", Reference: "ORDER-1", Secret: secret.New(secretForm.FindString(shown.Body))}
	form := url.Values{
		"Merchant_User_Id": {words(shown.Find("code", "id=hosted-id"))}, "merchant_ref_number": {in.Reference}, "currencydesc": {in.Currency},
		"amount": {in.Amount}, "transactionkey": {in.Key(keys.SHA1)}, "processurl": {app.URL + "/demo/hps/x"},
		"cancelurl": {app.URL + "/demo/hps/x"},
	}
	began := app.Post(t, words(shown.Find("code", "id=hosted-url")), form)
	began.Must(t, http.StatusSeeOther, "the answer")
	check.Contains(t, app.Visit(t, began.Location).Text(), "Ann's Apples", "the page shows")
	form.Set("transactionkey", in.Key(keys.SHA256))
	app.Post(t, "/sandbox/hps", form).Want(t, http.StatusUnprocessableEntity, "another key", "other hash function")
	frame := url.Values{
		"merchantuserid": {form.Get("Merchant_User_Id")}, "publickey": {words(shown.Find("code", "id=hosted-key"))}, "amount": {"1.00"},
		"currency":  {"GBP"},
		"returnurl": {"https://shop.example/"},
	}
	app.Get(t, "/sandbox/hps/embed?"+frame.Encode()).Want(t, http.StatusOK, "the checkout")

	shop := app.NewPerson(t).SignUp(t, "bea@example.com")
	made := shop.PostJSON(t, "/api/create", map[string]any{"name": "Bea's Books", "products": []string{"ecom"}}, "Sec-Fetch-Site",
		"same-origin")
	made.Must(t, http.StatusCreated, "/api/create")
	shop.Visit(t, "/merchant/admin").Has("Merchant_User_Id", "Make a new secret").HasNot("Terminal secret",
		"Gateway URL").Press("Show Merchant_Secret").Has("ts_")
}

func TestACafeChangesItsProducts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, "ann@example.com")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {"Ann's Apples"}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	app.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"no"}})
	app.Post(t, "/merchant/admin?step=chain", url.Values{"answer": {"no"}})
	offer := app.Visit(t, "/merchant/admin").Has("your own menu with QR codes", "test credentials, a test gateway")
	if ticks(offer, "value=WooCommerce Plugin") || !ticks(offer, "value=Hosted Payment Pages") || !ticks(offer, "id=product-lbs") {
		t.Error("the boxes ticked for a café are not all but WooCommerce")
	}
	for option, ticked := range map[string]bool{
		"Point of Sale": true, "Mobile Terminal": false, "Invoicing": false, "Recurring Payments": false,
	} {
		check.Equal(t, ticks(offer, "value="+option), ticked, "S4 %s is ticked", option)
	}
	offer.Has("Your menu behind a QR code", "nobody can tap a card on it", "A batch of pay links")
	dashboard := offer.Press("Submit").Has("What comes next", "Set up menu and orders").HasNot("WooCommerce", "Test credentials")
	if text := dashboard.Text(); strings.Index(text, "What comes next") > strings.Index(text, "Documentation Hosted") {
		t.Error("the next steps are below the products")
	}
	_, uuid, _ := strings.Cut(dashboard.Path, "?m=")

	change := dashboard.Follow("Change products").Has("Products of Ann's Apples")
	if ticks(change, "id=product-api") || !ticks(change, "id=product-lbs") || !ticks(change, "value=QR Payments") ||
		ticks(change, "value=WooCommerce Plugin") {
		t.Error("the ticked boxes are not the merchant's products")
	}
	change.Tick("product", "api").Press("Save").Has("Test credentials", "Terminal secret", "AUD5.00FIRST-PAYMENT")
	app.Post(t, "/merchant/admin/"+uuid+"/products", nil).Want(t, http.StatusUnprocessableEntity, "nothing ticked",
		"Choose at least one product.")
	app.Post(t, "/merchant/admin/"+uuid+"/products", url.Values{"product": {"zzz"}}).Want(t, http.StatusUnprocessableEntity,
		"an unknown product")
	app.Visit(t, "/merchant/admin").Has("Test credentials")
	audited := dbtest.Value[int](t, app.Pool,
		"SELECT count(*) FROM audit WHERE action = 'products changed' AND actor = 'ann@example.com' AND reason = 'api, ecom, lbs'")
	check.Equal(t, audited, 1, "changes of the audit log")

	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	t.Run("the products of somebody else's merchant look missing (SEC-09)", func(t *testing.T) {
		for _, page := range []string{"products", "calls"} {
			bob.Get(t, "/merchant/admin/"+uuid+"/"+page).Want(t, http.StatusNotFound, page+" of somebody else's merchant")
		}
		bob.Post(t, "/merchant/admin/"+uuid+"/products", url.Values{"product": {"tsdk"}}).Want(t, http.StatusNotFound,
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

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestTheDashboardOfAShopLeadsToItsChecklist(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, "ann@example.com")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {"Ann's Apples"}})
	app.Post(t, "/merchant/admin?step=kind", url.Values{"answer": {"solution"}})
	app.Post(t, "/merchant/admin?step=refer", url.Values{"answer": {"yes"}})
	app.Post(t, "/merchant/admin?step=products", url.Values{"product": {"lbs"}})
	app.Visit(t, "/desk/new").Press("Create business")
	v := app.Visit(t, "/merchant/admin").Has("Integration Dashboard", "Go on with your checklist (1 of ")
	v.Follow("Go on with your checklist (1 of 8)").Has("Your checklist", "1 of ")
}

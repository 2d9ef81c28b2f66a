package pay_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/static"
)

// state returns the view that the payment page shows.
func state(v *apptest.Visitor) string {
	for _, s := range []string{"form", "waiting", "success", "failure", "status", "completed", "refunded", "expired", "unavailable", "text"} {
		if v.Find("section", "id=payment", "data-state="+s) != nil {
			return s
		}
	}
	return ""
}

// paid marks a transaction as paid some time ago by a new attempt, without a gateway.
func paid(t testing.TB, app *apptest.App, id, status string, ago time.Duration) {
	t.Helper()
	dbtest.Exec(t, app.Pool, `WITH a AS (
		INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, settled_at)
		SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', 'approved', now(), now()
		FROM transaction WHERE id = $1 RETURNING id)
		UPDATE transaction SET status = $2, approved_attempt = a.id, paid_at = now() - make_interval(secs => $3) FROM a
		WHERE transaction.id = $1`, id, status, ago.Seconds())
}

func TestAPaymentPageBeforePaying(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	v := app.Visit(t, "/pos/panezski/"+id)
	if v.Status != http.StatusOK || state(v) != "form" {
		t.Fatalf("ROUTE-21 PAY-01 PAY-09 %d %q", v.Status, state(v))
	}
	v.Has("11.00 AUD", "Ref "+id, "Panezski", "TEST MODE").HasNot("Food Order")           // PAY-04 PAY-05 PAY-08
	v.Has("Powered by", "© ", "Privacy policy", "Terms")                                  // PAY-06 PAY-07 CHROME-09
	v.Has("Name on Card", "Customer Email", "Card Number", "Expiry", "CVC", "Pay $11.00") // PAY-16 PAY-57
	for name, auto := range map[string]string{"name": "cc-name", "card": "cc-number", "exp": "cc-exp", "cvc": "cc-csc", "email": "email"} {
		v.Shows("input", "name="+name, "id="+name, "autocomplete="+auto, "maxlength=") // PAY-16 PAY-17 PAY-21
		v.Shows("label", "for="+name)                                                  // PAY-16 PAY-17 PAY-21
	}
	v.Shows("input", "name=cvc", "type=text", "class=masked") // PAY-23
	if v.Find("link", "rel=stylesheet") == nil || !strings.Contains(v.Body, "--brand:#b4432a;") ||
		v.Find("img", "src="+static.URL("img/logo/panezski.svg")) == nil {
		t.Error("PAY-05 the merchant's colours or logo are missing")
	}
	for _, mark := range []string{"Visa", "Mastercard", "American Express"} {
		v.Shows("svg", "role=img", "aria-label="+mark)
	}
	check.Equal(t, v.Header.Get("Cache-Control"), "no-store", "a payment page may be kept")
	check.Lacks(t, v.Body, "/events", "PAY-45 a page that waits for its customer asks for updates")
	check.Lacks(t, v.Body, "hx-get", "PAY-45 a page that waits for its customer asks for updates")
	t.Run("no key of the merchant's account is on the page (PAY-52)", func(t *testing.T) {
		if low := strings.ToLower(v.Body); strings.Contains(low, "paylink") || strings.Contains(low, "sandbox-password") {
			t.Error("the page holds a key of the merchant's account")
		}
	})
	if v.Value("key") == app.Visit(t, v.Path).Value("key") {
		t.Error("two views of the form share a key")
	}
}

func TestTheTestCardIsSuggestedInTestModeOnly(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/pos/panezski/"+app.Order(t))
	if v.Value("card") != "4111 1111 1111 1111" || v.Value("exp") == "" || v.Value("cvc") == "" || v.Value("name") == "" || v.Value("email") == "" {
		t.Error("PAY-25 test mode does not fill in a test card")
	}
	says := "A card that is approved is filled in."
	v.Has(says, "4000 0000 0000 0002", "Test mode: Panezski charges no card.").HasNot("LAT*")
	v.Type("card", "4000 0000 0000 0002").Press("Pay $11.00").HasNot(says).Press("Try Again?").Has(says)
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	live := app.Visit(t, "/pos/panezski/"+app.Order(t)).HasNot("TEST MODE", "4111", "4000", says)
	live.Has("Panezski charges your card once. Your statement will say LAT*panezski")
	for _, field := range []string{"name", "card", "exp", "cvc", "email"} {
		check.Equal(t, live.Value(field), "", "PAY-25 a live form suggests … in %s", field)
	}
}

func TestEveryStatusHasItsView(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	stored := func(change string) func(id string) {
		return func(id string) { dbtest.Exec(t, app.Pool, "UPDATE transaction SET "+change+" WHERE id = $1", id) }
	}
	for _, tt := range []struct {
		name, view string
		set        func(id string)
		words      []string
	}{
		{"new (PAY-09 PAY-45)", "form", func(string) {}, []string{"Pay by card", "Pay $11.00"}},
		{"in another currency (PAY-04 PAY-57)", "form", stored("currency = 'GBP'"), []string{"Pay 11.00 GBP"}},
		{"just paid (PAY-10 PAY-35)", "success", func(id string) { paid(t, app, id, "success", 0) }, []string{"Payment successful", "$11.00",
			"Kitchen", "being made"}},
		{"paid three seconds ago (PAY-35 PAY-36)", "status", func(id string) { paid(t, app, id, "success", 4*time.Second) },
			[]string{"Being made", "Kitchen", "Butter Croissant × 2"}},
		{"paid, and every line is done", "completed", func(id string) {
			paid(t, app, id, "success", time.Hour)
			dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", id)
		}, []string{"Your order is ready"}},
		{"completed (PAY-12)", "completed", func(id string) { paid(t, app, id, "completed", time.Hour) }, []string{"Thank you", "Order Again"}},
		{"paid (PAY-12)", "completed", func(id string) { paid(t, app, id, "paid", time.Hour) }, []string{"Thank you"}},
		{"declined (PAY-11 PAY-31 PAY-32 PAY-33)", "failure", stored("status = 'error', error_msg = 'Do <not> honour'"),
			[]string{"Oops!", "Payment Unsuccessful", "Please select different payment method.", "Try Again?", "Do <not> honour"}},
		{"being processed (PAY-13)", "waiting", stored("status = 'processing'"), []string{"Please do not pay again"}},
		{"expired", "expired", stored("status = 'expired'"), []string{"not paid in time", "Order Again"}},
		{"overdue, before the upkeep job saw it", "expired", stored("expires_at = now()"), []string{"not paid in time"}},
		{"any other status (PAY-13)", "text", stored("status = 'refunded'"), []string{"refunded"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := app.Order(t)
			tt.set(id)
			v := app.Visit(t, "/pos/panezski/"+id)
			if v.Status != http.StatusOK || state(v) != tt.view {
				t.Errorf("status %d, view %q, want %q", v.Status, state(v), tt.view)
			}
			v.Has(tt.words...).Has("11.00", "Ref "+id).HasNot("GBP GBP")                                            // PAY-03 PAY-08
			every := map[string]string{"waiting": "every 1s", "success": "every 3s", "status": "every 5s"}[tt.view] // PAY-35 PAY-44
			v.Shows("section", "id=payment", "hx-trigger="+every)
			after := strings.Fields(map[string]string{"waiting": "2", "success": "3 2 1", "status": "10"}[tt.view])
			in := func(s string) bool { return v.Find("meta", "http-equiv=refresh", "content="+s) != nil }
			check.Equal(t, slices.ContainsFunc(after, in), v.Find("meta", "http-equiv=refresh") != nil,
				"PAY-13 PAY-35 it refreshes itself after %q s", after)
			check.Equal(t, slices.ContainsFunc(after, in), len(after) > 0, "PAY-13 PAY-35 it refreshes itself after %q s", after)
			if tt.view != "form" && v.Find("input", "name=card") != nil {
				t.Error("the page has a card form")
			}
			// PAY-56: looking at the page does not change what is stored.
			check.Equal(t, state(app.Visit(t, v.Path)), tt.view, "a second look shows")
			app.Part(t, v.Path, `<section id="payment"`)
		})
	}
	t.Run("an order made before the merchant went live", func(t *testing.T) {
		app := apptest.New(t, apptest.Options{})
		id := app.Order(t)
		dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
		check.Equal(t, state(app.Visit(t, "/pos/panezski/"+id).Has("switched between test and live payments", "Nothing was charged").HasNot("in time")), "expired",
			"view")
	})
}

func TestAnOrderIsShownByPlace(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := orderOf(t, app, "Flat White", "Butter Croissant")
	id := strings.TrimPrefix(path, "/pos/panezski/")
	paid(t, app, id, "success", time.Minute)
	dbtest.Exec(t, app.Pool, "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1 AND name = 'Flat White'", id)
	v := app.Visit(t, path)
	check.List(t, v.Texts("h2"), []string{"Bar Ready", "Kitchen"}, "PAY-36 the places")
	for _, want := range []string{"Flat White × 1 done", "Butter Croissant × 1 being made"} {
		check.Equal(t, slices.Contains(v.Texts("li"), want), true, "PAY-36 %s among %v", want, v.Texts("li"))
	}
	v.Shows("li", "class=done") // PAY-36
}

func TestOrderAgain(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ name, table, customer, link string }{
		{"with a table (PAY-41)", "5 & 6", "", "/pos/panezski?t=5+%26+6&b=1x2"},
		{"with a name (PAY-42)", "", "Zoë", "/pos/panezski?n=Zo%C3%AB&b=1x2"},
		{"with both (PAY-41 PAY-42)", "5", "Ann", "/pos/panezski?t=5&b=1x2"},
		{"with neither (PAY-42)", "", "", "/pos/panezski?b=1x2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := app.Order(t)
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET table_name = $2, customer_name = $3 WHERE id = $1", id, tt.table, tt.customer)
			paid(t, app, id, "completed", time.Hour)
			v := app.Visit(t, "/pos/panezski/"+id)
			v.Shows("a", "href="+tt.link)
			if v.Follow("Order Again"); v.Path != tt.link || v.Status != http.StatusOK {
				t.Errorf("it leads to %s", v.Path)
			}
			v.Has("2 items", "$11.00")
		})
	}
}

func TestTransactionsThatDoNotExist(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	for _, path := range []string{"/pos/panezski/zzz", "/pos/nosuch/zzz", "/pos/nosuch/demo"} {
		v := app.Visit(t, path)
		check.Equal(t, v.Status, http.StatusNotFound, "PAY-14 %s", path)
		ref := path[strings.LastIndexByte(path, '/')+1:]
		v.Has("No such transaction", "We were unable to retrieve a payment request related to this transaction reference.") // PAY-15
		if ref != "demo" {
			v.Has(ref)
		}
	}
	other := strings.Repeat("A", len(id))
	missing := strings.ReplaceAll(app.Get(t, "/pos/moollar/"+other).Body, other, "REF")
	if foreign := app.Get(t, "/pos/moollar/"+id); foreign.Status != http.StatusNotFound || strings.ReplaceAll(foreign.Body, id, "REF") != missing {
		t.Error("another merchant's transaction gets a different answer from a missing one")
	}
	for _, path := range []string{"/pos/moollar/" + id, "/pos/moollar/" + id + "/retry", "/pos/panezski/zzz", "/pos/panezski/zzz/retry", "/pos/nosuch/" + id} {
		app.Post(t, path, card()).Want(t, http.StatusNotFound, "posting to "+path, "No such transaction")
	}
	app.Post(t, "/pos/moollar/"+id, url.Values{}).Want(t, http.StatusNotFound, "a wrong form for another merchant's transaction")
	check.Empty(t, app.Captures(t, id), "charged")
	for _, ref := range []string{"%3Cscript%3Ealert(1)%3C%2Fscript%3Ex", "%22%3E%3Cb%3Ex", "%00", "%ff%fe", strings.Repeat("z", 4000)} {
		got := app.Get(t, "/pos/panezski/"+ref)
		if got.Status != http.StatusNotFound || strings.Contains(got.Body, "<script>a") || strings.Contains(got.Body, "<b>") {
			t.Errorf("%.30s: %d", ref, got.Status)
		}
	}
}

func TestAPaymentPageTakesThreeQueriesAtMost(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	least := int64(99)
	for range 4 {
		before := app.Queries.Load()
		app.Get(t, "/pos/panezski/"+id)
		least = min(least, app.Queries.Load()-before) // a new connection also queries
	}
	if least > 3 {
		t.Errorf("%d queries", least)
	}
}

// styleHash matches the hash of a style that the page itself contains.
var styleHash = regexp.MustCompile(` 'sha256-[A-Za-z0-9+/]{43}='`)

func TestPaymentPagesMayLeadOnlyToTheBank(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	host := strings.TrimPrefix(app.URL, "http://")
	dbtest.Exec(t, app.Pool, "DELETE FROM shop_account") // a page that offers wallets also allows their hosts
	policy := app.Get(t, "/pos/panezski/"+app.Order(t)).Header.Get("Content-Security-Policy")
	directives := strings.Split(styleHash.ReplaceAllString(policy, ""), "; ")
	for _, want := range []string{"form-action 'self' " + host, "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "default-src 'none'", "base-uri 'none'", "object-src 'none'"} {
		if !slices.Contains(directives, want) {
			t.Errorf("%q is not in %q", want, policy)
		}
	}
	check.Lacks(t, app.Get(t, "/pos/panezski").Header.Get("Content-Security-Policy"), host, "other pages have the wider policy, too")
}

func card(more ...string) url.Values {
	form := url.Values{"name": {"Pat Payer"}, "card": {"4111 1111 1111 1111"}, "exp": {"12/34"}, "cvc": {"987"}, "email": {"pat@example.com"}, "key": {fmt.Sprint("key-", len(more))}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

package desk_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

// sale makes and pays an order of the demo's bakery with a card, and returns its id.
func sale(t *testing.T, app *apptest.App, number, email string) string {
	t.Helper()
	id := app.Order(t)
	form := url.Values{"name": {"Pat Lee"}, "card": {number}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email}}
	app.Post(t, "/pos/panezski/"+id, form).Must(t, http.StatusSeeOther, "paying")
	apptest.Eventually(t, "the payment has an end", func() bool {
		return dbtest.Value[bool](t, app.Pool, "SELECT NOT EXISTS (SELECT FROM attempt WHERE transaction_id = $1 AND settled_at IS NULL)", id)
	})
	return id
}

func TestSearchFindsPaymentsByWhatPeopleRemember(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/desk/panezski").Follow("Payments").Has("No payments yet")
	visa, master := sale(t, app, "4111111111111111", ""), sale(t, app, "5555555555554444", "")
	declined := sale(t, app, "4000000000000002", "")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET table_name = 'Window', customer_name = 'Zoë O’Neil-Æbelø' WHERE id = $1", master)
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET client_ref = 'INV-7' WHERE id = $1", visa)
	today := shop.DateOf(time.Now().In(clock.Zone("Australia/Sydney"))).Format("2/1/2006")
	for query, want := range map[string][]string{
		"":                        {visa, master, declined},
		"find=11.00":              {visa, master, declined},
		"find=%2411":              {visa, master, declined},
		"find=11.01":              nil,
		"find=4444":               {master},
		"find=••••+4444":          {master},
		"find=••4444":             {master},
		"find=zoe":                {master},
		"find=table+window":       {master},
		"find=INV-7":              {visa},
		"find=" + visa:            {visa},
		"find=29/11/2020":         nil,
		"find=" + today:           {visa, master, declined},
		"find=pat&show=declined":  {declined},
		"find=pat&last=4444":      {master},
		"last=4444":               {master},
		"last=9999":               nil,
		"last=%EF%BC%94444":       {master},
		"amount=11":               {visa, master, declined},
		"amount=%2411.00":         {visa, master, declined},
		"amount=11.01":            nil,
		"name=zoë":                {master},
		"name=ZOE":                {master},
		"name=zoe%CC%88":          {master},
		"name=o%27neil":           {master},
		"name=%E2%80%8Baebelo":    {master},
		"name=zöe":                {master},
		"name=zoi":                nil,
		"name=pat":                {visa, master, declined},
		"table=window":            {master},
		"table=wind":              nil,
		"reference=" + visa:       {visa},
		"reference=INV-7":         {visa},
		"reference=INV-8":         nil,
		"show=paid":               {visa, master},
		"show=declined":           {declined},
		"show=refunded":           nil,
		"show=disputed":           nil,
		"show=open":               nil,
		"method=card":             {visa, master, declined},
		"method=apple":            nil,
		"from=2020-01-01":         {visa, master, declined},
		"to=2020-01-01":           nil,
		"last=4444&show=paid":     {master},
		"last=0002&show=paid":     nil,
		"amount=11&name=nobody":   nil,
		"reference=" + master[:9]: nil,
	} {
		got := app.Get(t, "/desk/panezski/payments?"+query)
		check.Equal(t, got.Status, http.StatusOK, "%q", query)
		for _, id := range []string{visa, master, declined} {
			wanted := false
			for _, one := range want {
				wanted = wanted || one == id
			}
			check.Equal(t, strings.Contains(got.Body, "/desk/panezski/payments/"+id), wanted, "%q lists %s", query, id)
		}
		check.Equal(t, strings.Contains(got.Body, "No matching payments"), len(want) == 0, "%q: says that nothing matches", query)
	}
	for query, want := range map[string]string{
		"amount=eleven": "Enter an amount like 12.50", "last=12": "Enter the last four digits", "from=yesterday": "Enter a day like",
		"from=2026-02-01&to=2026-01-01": "Enter the first day or a later one",
	} {
		if got := app.Get(t, "/desk/panezski/payments?"+query); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) {
			t.Errorf("%q: %d", query, got.Status)
		}
	}
}

// listed matches the link to a payment that past added.
var listed = regexp.MustCompile(`/desk/panezski/payments/past-[0-9]+`)

func TestAPageOfPaymentsLeadsToTheNext(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	past(t, app, 60)
	seen := map[string]bool{}
	v := app.Visit(t, "/desk/panezski/payments")
	for page := 1; ; page++ {
		for _, found := range listed.FindAllString(app.Get(t, v.Path).Body, -1) {
			if seen[found] {
				t.Errorf("%s is listed twice", found)
			}
			seen[found] = true
		}
		if page == 3 {
			break
		}
		v = v.Follow("Older")
	}
	check.Equal(t, len(seen), 60, "payments on three pages")
	check.Lacks(t, app.Get(t, v.Path).Body, "Older", "the last page links to an older one")
}

// A search that finds little stops after a number of payments, says so, and offers to continue from there.
func TestASearchLooksFurtherBackPageByPage(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	past(t, app, 2500)
	dbtest.Exec(t, app.Pool, `UPDATE transaction SET table_name = 'Balcony' WHERE id =
		(SELECT transaction_id FROM attempt ORDER BY created_at LIMIT 1)`)
	app.Visit(t, "/desk/panezski/payments?table=balcony").Has("No matching payments", "Searched back to").
		Follow("Look further back").Has("Balcony").HasNot("Look further back")
}

// past adds payments of the bakery, a minute apart.
func past(t *testing.T, app *apptest.App, n int) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, kind, status, created_at)
			SELECT 'past-' || lpad(n::text, 20, '0'), 'panezski', 100, 'AUD', 'AU', true, 'order', 'error', now() - n * interval '1 minute' FROM generate_series(1, $1) n`,
		`INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, created_at, settled_at)
			SELECT gen_random_uuid(), 'past-' || lpad(n::text, 20, '0'), 'panezski', 100, 'AUD', true, 'card', 'k', 'declined', now(), now() - n * interval '1 minute', now()
			FROM generate_series(1, $1) n`,
	} {
		app.Backfill(t, statement, n)
	}
}

func TestThePageOfAPaymentSaysWhatHappened(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	id := app.Order(t)
	payCard(t, app, "/pos/panezski/"+id, "4000000000000002")
	app.Post(t, "/pos/panezski/"+id+"/retry", nil)
	payCard(t, app, "/pos/panezski/"+id, "4111111111111111")
	v := app.Visit(t, "/desk/panezski/payments/"+id)
	v.Has("$11.00", "Paid", "Ordered for $11.00", "Payment started with Visa ending in 0002", "The bank declined Visa ending in 0002", "Do not honour",
		"Payment started with Visa ending in 1111", "The bank approved $11.00", "The receipt was made", "AEDT", "What was ordered")
	check.Lacks(t, app.Get(t, v.Path).Body, "411111", "the page shows more of the card than its last four digits")
	attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt WHERE state = 'approved'")
	for _, statement := range []string{
		`INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at, due_at)
			SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now(), '2044-05-06T00:00:00Z' FROM attempt WHERE id = $1`,
		`WITH p AS (INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
			VALUES ('po-1', 'panezski', 'AUD', true, 1100, 0, 1100, now())
			RETURNING number)
			INSERT INTO payout_line (payout, line_no, reference) SELECT number, 1, $1::text FROM p`,
	} {
		dbtest.Exec(t, app.Pool, statement, attempt)
	}
	dbtest.Exec(t, app.Pool, "SELECT payout_place(number) FROM payout")
	app.Visit(t, "/desk/panezski/payments/"+id).Has("Disputed", "disputed $11.00", "Answer by 6 May 2044.", "$11.00 was paid out to you", "Payout po-1",
		"The payer’s bank holds this money").HasNot("Make a refund")
	app.Visit(t, "/desk/panezski/payments?show=disputed").Has("Disputed")
	app.Get(t, "/desk/moollar/payments/"+id).Want(t, http.StatusNotFound, "another business of the same person shows the payment")
}

func TestAPayersDetailsAreRemovedOnTheDesk(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	id, other := sale(t, app, "4111111111111111", "pat@example.com"), sale(t, app, "4111111111111111", "kim@example.com")
	page := "/desk/panezski/payments/" + id
	exec := func(statement string) {
		t.Helper()
		dbtest.Exec(t, app.Pool, statement, id)
	}
	ordered := func() int {
		t.Helper()
		return dbtest.Value[int](t, app.Pool,
			"SELECT count(*) FROM audit WHERE action = 'payer erasure ordered' AND actor = $1 AND subject = 'shop panezski' AND reason = $2",
			demo.Email, id)
	}
	exec("UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1") // the erasure waits for the kitchen
	v := app.Visit(t, page).Follow("Remove the payer’s details").Has("last four digits stay", "It cannot be undone")
	exec(`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until)
		SELECT gen_random_uuid(), id, shop_code, 100, currency, test_mode, 'x', now() + interval '1 hour' FROM transaction WHERE id = $1`)
	if v.Press("Remove the details").Has("the payer has to be told the outcome"); v.Status != http.StatusConflict || ordered() != 0 {
		t.Errorf("removal during a refund: %d", v.Status)
	}
	exec("DELETE FROM refund WHERE transaction_id = $1")
	app.Post(t, "/desk/moollar/payments/"+id+"/payer", url.Values{"x": {"y"}}).Want(t, http.StatusNotFound,
		"removal on another business's desk")
	check.Equal(t, ordered(), 0, "removal on another business's desk")
	if v.Press("Remove the details"); v.Status != http.StatusOK || ordered() != 1 {
		t.Errorf("status %d, %d lines in the audit log", v.Status, ordered())
	}
	app.Post(t, page+"/payer", url.Values{"x": {"y"}})
	apptest.Eventually(t, "the payer is erased", func() bool {
		return strings.Contains(app.Get(t, page+"/payer").Body, "The payer’s details were removed")
	})
	app.Visit(t, page).Has("The payer’s details were removed", "Visa ending in 1111").HasNot("Pat Lee", "Remove the payer’s details")
	app.Visit(t, "/desk/panezski/payments/"+other).Has("Remove the payer’s details")
	check.Equal(t, ordered(), 1, "lines in the audit log after a second click")
	for holds, query := range map[string]string{
		"names the payer":         "SELECT count(*) FROM attempt WHERE transaction_id = $1 AND (payer_name <> '' OR payer_email <> '')",
		"is not listed as erased": "SELECT 1 - count(*) FROM erasure WHERE subject = 'payer ' || $1",
	} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, query, id), 0, "%s", holds)
	}
}

// A comma may be somebody's decimal point: "12,50" is not 1,250.00.
func TestAnAmountThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	payment := "/desk/panezski/payments/" + sale(t, app, "4111111111111111", "")
	for _, amount := range []string{
		"12,50", "200,00", "1,2,3", ",50", "0,500", "1234,567.00", "1.234,56", "1,234 .00", "-1,234.00", "£12.50",
	} {
		for page, press := range map[string]struct{ field, button, says string }{
			"/desk/panezski/links/new":       {"amount", "Make the link", "The amount has to be written like 12.50"},
			"/desk/panezski/payments/limits": {"manager", "Save", "Enter an amount like 12.50"},
			"/desk/panezski/payments":        {"amount", "Find", "Enter an amount like 12.50"},
			payment + "/refund":              {"amount", "Check the refund", "Enter an amount like 12.50"},
		} {
			v := app.Visit(t, page)
			if page == payment+"/refund" {
				v.Tick("how", "amount").Type("reason", "cold")
			}
			v.Type(press.field, amount).Press(press.button).Has(press.says)
			if v.Status != http.StatusUnprocessableEntity || v.Value(press.field) != amount {
				t.Errorf("%q at %s: %d, and the field has %q", amount, page, v.Status, v.Value(press.field))
			}
		}
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE kind = 'link' AND amount_minor > 1100"), 0,
		"links that were stored")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'refund limit changed'"), 0,
		"limits that were stored")
	app.Visit(t, "/desk/panezski/payments/limits").Type("manager", "$1,250.5").Press("Save").Has("Saved.")
	check.Equal(t, app.Visit(t, "/desk/panezski/payments/limits").Value("manager"), "1,250.50", "a limit of $1,250.5")
}

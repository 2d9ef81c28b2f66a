package desk_test

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

func TestTodayIsComparedWithTheSameWeekdayBefore(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	check.Lacks(t, app.Get(t, "/desk/panezski").Body, "Taken by hour", "the page shows a day before the first payment")
	first, second := sale(t, app, "4111111111111111", ""), sale(t, app, "4111111111111111", "")
	sale(t, app, "4000000000000002", "") // declined, so not counted
	run(t, app, `UPDATE attempt SET settled_at = settled_at - interval '7 days' WHERE transaction_id = '`+second+`'`)
	run(t, app, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 250, currency, test_mode, 'x', now(), s, now() FROM transaction, unnest(ARRAY['done', 'declined']) s WHERE id = '`+first+`'`)
	v := app.Visit(t, "/desk/panezski")
	v.Has("Taken $11.00", "Payments 1", "Average $11.00", "Refunds $2.50 (1)", "The small figures: by this time on", "Taken by hour", "As a table", "1 refund was declined in the last three days.")
	if v.Find("svg", "role=img") == nil || strings.Count(v.Text(), "$11.00") < 5 {
		t.Error("the chart or the table behind it is missing")
	}
	run(t, app, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt WHERE transaction_id = '`+first+`'`)
	run(t, app, `UPDATE refund SET state = 'manual', settled_at = NULL WHERE state = 'declined'`)
	fragment := app.Do(t, http.MethodGet, "/desk/panezski/today", nil, http.Header{"HX-Request": {"true"}})
	for _, want := range []string{"1 payment is disputed.", "1 refund has no outcome yet."} {
		if !strings.Contains(fragment.Body, want) || strings.Contains(fragment.Body, "<html") {
			t.Errorf("the fragment does not say %q:\n%s", want, fragment.Body)
		}
	}
	run(t, app, "UPDATE shop SET live = true, needs_kitchen = true WHERE code = 'panezski'")
	run(t, app, "DELETE FROM shop_account WHERE shop_code = 'panezski' AND live")
	app.Visit(t, "/desk/panezski").Has("No kitchen screen is open, so guests cannot order. Open the kitchen", "Guests cannot pay with Apple Pay or Google Pay yet.", "Taken $0.00")
}

func TestTodayAddsUpEachCurrencySeparately(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	first := sale(t, app, "4111111111111111", "")
	run(t, app, "UPDATE shop SET currency = 'GBP' WHERE code = 'panezski'")
	sale(t, app, "4111111111111111", "")
	sale(t, app, "4111111111111111", "")
	run(t, app, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 250, currency, test_mode, 'x', now(), 'done', now() FROM transaction WHERE id = '`+first+`'`)
	v := app.Visit(t, "/desk/panezski/today")
	v.Has("In GBP", "Taken 22.00 GBP", "Payments 2", "Average 11.00 GBP", "Refunds None", "In AUD", "Taken $11.00", "Payments 1", "Average $11.00", "Refunds $2.50 (1)")
	check.Equal(t, strings.Count(v.Text(), "Taken by hour"), 2, "there are … charts")
	run(t, app, `UPDATE attempt SET settled_at = settled_at - interval '9 days' WHERE currency = 'GBP'`)
	app.Visit(t, "/desk/panezski/today").Has("Taken 0.00 GBP", "No payments in GBP today", "In AUD", "Taken $11.00")
}

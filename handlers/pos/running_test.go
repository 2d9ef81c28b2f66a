package pos_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestTheMenuShowsTheOrderThatAGuestWaitsFor(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	guest, other := app.NewPerson(t), app.NewPerson(t)
	payment := guest.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order").Press("Test Payment")
	guest.Visit(t, "/pos/panezski?t=4").HasNot("Your order")
	payment.Press("Pay $9.00")
	id := strings.TrimPrefix(payment.Path, "/pos/panezski/")

	waiting := guest.Visit(t, "/pos/panezski?t=4").Has("Your order is being made")
	// The back button shows a cached page unless the cookies have changed.
	for _, person := range []*apptest.App{guest, other} {
		if vary := person.Get(t, "/pos/panezski?t=4").Header.Values("Vary"); !slices.Contains(vary, "Cookie") {
			t.Errorf("a menu varies by %q", vary)
		}
	}
	check.Equal(t, waiting.Follow("Your order is being made").Path, payment.Path, "the menu")
	guest.Visit(t, "/pos/panezski?t=4&b=1x1").Has("Your order is being made")
	for _, path := range []string{"/pos/panezski?t=4", "/pos/moollar?t=4"} {
		other.Visit(t, path).HasNot("Your order is")
	}
	guest.Visit(t, "/pos/moollar?t=4").HasNot("Your order is")

	for _, step := range []struct{ name, change, says string }{
		{"paid long ago", "UPDATE transaction SET paid_at = now() - interval '3 hours' WHERE id = $1", ""},
		{"paid now", "UPDATE transaction SET paid_at = now() WHERE id = $1", "Your order is being made"},
		{"made", "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", "Your order is being made"},
		{"ready", "UPDATE transaction SET status = 'completed' WHERE id = $1", "Your order is ready"},
		{"ready for a while", "UPDATE order_line SET done_at = now() - interval '15 minutes' WHERE transaction_id = $1", ""},
		{"taken back", "UPDATE transaction SET status = 'success' WHERE id = $1", "Your order is being made"},
		{"given back", `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, state, refundid, requested_by, lease_until, settled_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'done', 'r-1', 'test', now(), now() FROM transaction WHERE id = $1`, ""},
	} {
		dbtest.Exec(t, app.Pool, step.change, id)
		menu := guest.Visit(t, "/pos/panezski?t=4")
		if step.says == "" {
			menu.HasNot("Your order is")
		} else {
			menu.Has(step.says)
			check.Equal(t, strings.Contains(menu.Body, `class="notice good"`), strings.HasSuffix(step.says, "ready"), "the notice is green")
		}
		if t.Failed() {
			t.Fatal(step.name)
		}
	}
}

func TestAPagesOrderIsRememberedAndAProgramsIsNot(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, header := range []string{"Sec-Fetch-Site", "Origin", ""} {
		guest := app.NewPerson(t)
		body := `{"merchantId": "panezski", "order": [{"name": "Cherry Pie", "qty": 1}], "table": "4"}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, guest.URL+"/api/pos", strings.NewReader(body))
		check.Must(t, err)
		req.Header.Set("Content-Type", "application/json")
		if header != "" {
			req.Header.Set(header, map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": guest.URL}[header])
		}
		answer, err := guest.Client.Do(req)
		check.Must(t, err)
		_ = answer.Body.Close()
		cookie := answer.Header.Get("Set-Cookie")
		check.Equal(t, answer.StatusCode, http.StatusCreated, "with %q", header)
		check.Equal(t, strings.HasPrefix(cookie, "forecourt-orders="), header != "", "with %q, the cookie is %q", header, cookie)
	}
}

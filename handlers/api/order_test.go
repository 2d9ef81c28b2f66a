package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

type m = map[string]any

// croissants is the body of an order of two croissants for $11.00, changed by more.
func croissants(more m) m {
	body := m{"merchantId": "panezski", "order": []m{{"name": "Butter Croissant", "qty": 2}}, "table": "4", "description": "Food Order", "source": "diy-pos", "trxRef": "", "pushToken": ""}
	for name, value := range more {
		body[name] = value
	}
	return body
}

func itemID(t *testing.T, app *apptest.App, name string) int64 {
	t.Helper()
	return dbtest.Value[int64](t, app.Pool, "SELECT id FROM item WHERE name = $1", name)
}

// refused checks that an error is JSON with the given words and nothing else.
func refused(t *testing.T, answer apptest.Answer, status int, words ...string) {
	t.Helper()
	answer.Want(t, status, "the answer")
	check.Equal(t, answer.Header.Get("Content-Type"), "application/json", "API-05 Content-Type")
	if text := apptest.JSON[struct{ Error string }](t, answer).Error; text == "" {
		t.Errorf("API-06 no error in %s", answer.Body)
	}
	for _, word := range words {
		check.Contains(t, answer.Body, word, "… does not say")
	}
}

func TestAnOrderByTheAPI(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	croissant := itemID(t, app, "Butter Croissant")
	for name, body := range map[string]m{
		"by name (API-01 POS-28)":              croissants(nil),
		"by id":                                croissants(m{"order": []m{{"id": croissant, "qty": 2}}}),
		"by id in a string":                    croissants(m{"order": []m{{"id": fmt.Sprint(croissant), "qty": 2}}}),
		"by id, with any name":                 croissants(m{"order": []m{{"id": croissant, "name": "Lobster", "qty": 2}}}),
		"with the amount in a string":          croissants(m{"amount": "11.00"}),
		"with the amount as a number":          croissants(m{"amount": 11}),
		"with one decimal":                     croissants(m{"amount": 11.0}),
		"with no amount":                       croissants(m{"amount": nil}),
		"with unknown fields":                  croissants(m{"gratuity": "1.00", "testMode": false, "currency": "USD", "status": "paid"}),
		"with a name (POS-18)":                 croissants(m{"table": "", "name": "Zoë"}),
		"with its own price, which is ignored": croissants(m{"order": []m{{"name": "Butter Croissant", "qty": 2, "price": "0.01"}}}),
	} {
		t.Run(name, func(t *testing.T) {
			answer := app.PostJSON(t, "/api/pos", body)
			if answer.Status != http.StatusCreated || answer.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%d %s", answer.Status, answer.Body)
				return
			}
			id := apptest.JSON[struct{ TrxID string }](t, answer).TrxID
			trx := app.Get(t, "/api/pos/panezski/"+id)
			if got := apptest.JSON[struct{ Amount, Currency, Status string }](t, trx); got.Amount != "11.00" || got.Currency != "AUD" || got.Status != "new" {
				t.Error(trx.Body)
			}
		})
	}
}

func TestOrdersTheAPIRefuses(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	pie := itemID(t, app, "Cherry Pie")
	line := func(l m) m { return croissants(m{"order": []m{l}}) }
	for _, tt := range []struct {
		name   string
		body   m
		status int
		words  []string
	}{
		{"an amount that differs", croissants(m{"amount": "10.99"}), 409, []string{`"amount":"11.00"`}},
		{"an amount of 0", croissants(m{"amount": 0}), 409, []string{`"amount":"11.00"`}},
		{"a sold-out item by name", line(m{"name": "Cherry Pie", "qty": 1}), 409, []string{"Cherry Pie"}},
		{"a sold-out item by id", line(m{"id": pie, "qty": 1}), 409, []string{"Cherry Pie", fmt.Sprint(pie)}},
		{"an unavailable item (POS-06)", line(m{"name": "Roast Lamb Shank", "qty": 1}), 409, []string{"Roast Lamb Shank"}},
		{"an unknown item by name", line(m{"name": "Lobster", "qty": 1}), 409, []string{`"items":["Lobster"]`, `"itemIds":[]`}},
		{"an unknown item by id", line(m{"id": 987654, "qty": 1}), 409, []string{"987654"}},
		{"a merchant that is not text", croissants(m{"merchantId": "a\x00"}), 404, nil},
		{"nothing", croissants(m{"order": []m{}}), 422, nil},
		{"a quantity below 1 (POS-14)", line(m{"name": "Butter Croissant", "qty": -1}), 422, nil},
		{"a quantity over 99", line(m{"name": "Butter Croissant", "qty": 100}), 422, nil},
		{"a negative amount", croissants(m{"amount": "-11.00"}), 422, nil},
		{"three decimals", croissants(m{"amount": "11.001"}), 422, nil},
		{"an amount that cannot be paid", croissants(m{"amount": "1000000.00"}), 422, nil},
		{"a name with a card number", croissants(m{"name": "45391488/03436467"}), 422, nil},
	} {
		t.Run(tt.name, func(t *testing.T) { refused(t, app.PostJSON(t, "/api/pos", tt.body), tt.status, tt.words...) })
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction"), 0, "… were stored")
}

// What else is no body for a call, package web tests.
func TestBodiesTheAPIRefuses(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path, limit := range map[string]int{"/api/pos": 64 << 10, "/api/pay": 16 << 10} {
		refused(t, app.Do(t, http.MethodPost, path, strings.NewReader("a=b"), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}),
			415)
		refused(t, app.Do(t, http.MethodPost, path, strings.NewReader(`{"order":[`), http.Header{"Content-Type": {"application/json"}}), 400)
		refused(t, app.PostJSON(t, path, m{"x": strings.Repeat("x", limit)}), 413)
		refused(t, app.PostJSON(t, path, m{"x": strings.Repeat("x", limit-100)}), 422)
	}
}

func TestIdempotencyOfOrders(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	post := func(key string, more m) apptest.Answer {
		return app.PostJSON(t, "/api/pos", croissants(more), "Idempotency-Key", key)
	}
	first := post("one", nil)
	check.MustEqual(t, first.Status, http.StatusCreated, "the status, %v", first)
	dbtest.Exec(t, app.Pool, "UPDATE item SET price_minor = 600 WHERE name = 'Butter Croissant'")
	if again := post("one", nil); again.Status != http.StatusOK || again.Body != first.Body {
		t.Errorf("the same key again: %d %s, want 200 %s", again.Status, again.Body, first.Body)
	}
	refused(t, post("one", m{"table": "5"}), http.StatusUnprocessableEntity)
	refused(t, post(strings.Repeat("k", 256), nil), http.StatusUnprocessableEntity)
	refused(t, post("é", nil), http.StatusUnprocessableEntity)
	refused(t, post("", nil), http.StatusUnprocessableEntity)
	if other := post("two", nil); other.Status != http.StatusCreated || other.Body == first.Body {
		t.Errorf("another key: %d %s", other.Status, other.Body)
	}
	one, two := app.PostJSON(t, "/api/pos", croissants(nil)), app.PostJSON(t, "/api/pos", croissants(nil))
	if one.Status != http.StatusCreated || two.Status != http.StatusCreated || one.Body == two.Body {
		t.Errorf("two orders without a key are one: %s %s", one.Body, two.Body)
	}
}

func TestConcurrentOrdersWithOneKeyMakeOneOrder(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	var wait sync.WaitGroup
	answers := make([]apptest.Answer, 8)
	for i := range answers {
		wait.Go(func() { answers[i] = app.PostJSON(t, "/api/pos", croissants(nil), "Idempotency-Key", "same") })
	}
	wait.Wait()
	created := 0
	for _, answer := range answers {
		if answer.Body != answers[0].Body || answer.Status != http.StatusOK && answer.Status != http.StatusCreated {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
		if answer.Status == http.StatusCreated {
			created++
		}
	}
	check.Equal(t, created, 1, "answers are 201")
}

// The caller's words for an order make no pay link of it, which would need no open kitchen.
func TestNothingInAnOrderOpensAPausedBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	fields := []m{{}, {"trxRef": "x", "source": "t"}, {"trxRef": "x", "source": ""}, {"trxRef": "POS", "source": "till"}, {"trxRef": "QR", "source": "till"}, {"trxRef": "x", "source": "PayLink"}}
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	var made []string
	for _, more := range fields {
		made = append(made, apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", croissants(more))).TrxID)
	}
	dbtest.Exec(t, app.Pool, "UPDATE shop SET needs_kitchen = true WHERE code = 'panezski'")
	for i, more := range fields {
		refused(t, app.PostJSON(t, "/api/pos", croissants(more)), http.StatusConflict, "not taking orders")
		refused(t, app.PostJSON(t, "/api/pay", m{
			"merchantId": "panezski", "trxId": made[i], "cardholder": "A", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
		}, "Idempotency-Key", made[i]), http.StatusConflict, "not taking orders")
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE kind = 'order'"), len(fields), "PAY-49 orders")
	check.Equal(t, dbtest.Value[int](t, app.Pool,
		"SELECT (SELECT count(*) FROM transaction WHERE kind <> 'order') + (SELECT count(*) FROM attempt)"), 0,
		"PAY-49 other transactions, and attempts")
}

func TestATipIsPartOfTheTotal(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	refused(t, app.PostJSON(t, "/api/pos", croissants(m{"tip": "1.50"})), http.StatusUnprocessableEntity, `"field":"tip"`, "takes no tips")
	tipping := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, tipping.Pool,
		"UPDATE shop SET tips = '{5,10,15}', surcharges = '{1000,1000,1000,1000,1000,1000,1000,0}' WHERE code = 'panezski'")
	wrong := tipping.PostJSON(t, "/api/pos", croissants(m{"tip": "1.50", "amount": "11.00"}))
	refused(t, wrong, http.StatusConflict, `"amount":"13.60"`)
	id := apptest.JSON[struct{ TrxID string }](t, tipping.PostJSON(t, "/api/pos", croissants(m{"tip": "1.50", "amount": "13.60"}))).TrxID
	trx := apptest.JSON[struct{ Amount, Surcharge, Tip string }](t, tipping.Get(t, "/api/pos/panezski/"+id))
	check.Equal(t, trx, struct{ Amount, Surcharge, Tip string }{"13.60", "1.10", "1.50"}, "the transaction")
}

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

func change(t *testing.T, app *apptest.App, statement string, args ...any) {
	t.Helper()
	dbtest.Exec(t, app.Pool, statement, args...)
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
		"with unknown fields":                  croissants(m{"tip": "1.00", "testMode": false, "currency": "USD", "status": "paid"}),
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
	change(t, app, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
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
		{"an unknown merchant", croissants(m{"merchantId": "nosuch"}), 404, nil},
		{"no merchant", croissants(m{"merchantId": nil}), 422, nil},
		{"a merchant that is not text", croissants(m{"merchantId": "a\x00"}), 404, nil},
		{"nothing", croissants(m{"order": []m{}}), 422, nil},
		{"no order", croissants(m{"order": nil}), 422, nil},
		{"a quantity below 1 (POS-14)", line(m{"name": "Butter Croissant", "qty": -1}), 422, nil},
		{"a quantity over 99", line(m{"name": "Butter Croissant", "qty": 100}), 422, nil},
		{"a fractional quantity", line(m{"name": "Butter Croissant", "qty": 0.5}), 422, nil},
		{"a negative amount", croissants(m{"amount": "-11.00"}), 422, nil},
		{"an amount that is not a number", croissants(m{"amount": "eleven"}), 422, nil},
		{"three decimals", croissants(m{"amount": "11.001"}), 422, nil},
		{"an amount that cannot be paid", croissants(m{"amount": "1000000.00"}), 422, nil},
		{"an item id that is not a number", line(m{"id": "one", "qty": 1}), 422, nil},
		{"a long table", croissants(m{"table": strings.Repeat("t", 65)}), 422, nil},
		{"a card number as the name", croissants(m{"name": "Ann 4111 1111 1111 1111"}), 422, []string{"The name looks like a card number", `"field":"name"`}},
		{"a card number as the table", croissants(m{"table": "4111111111111111"}), 422, []string{"The table looks", `"field":"table"`}},
		{"a card number in the description", croissants(m{"description": "Lunch, 5555-5555-5555-4444"}), 422, []string{"The description looks"}},
		{"a card number in the description with slashes", croissants(m{"description": "Lunch 5555/5555/5555/4444"}), 422, []string{"The description looks"}},
		{"a card number as the reference", croissants(m{"trxRef": "4111111111111111"}), 422, []string{"The trxRef looks like a card number", `"field":"trxRef"`}},
		{"a card number as the source", croissants(m{"source": "diy 4111.1111.1111.1111"}), 422, []string{"The source looks", `"field":"source"`}},
		{"a card number as the push token", croissants(m{"pushToken": "４１１１１１１１１１１１１１１１"}), 422, []string{"The pushToken looks", `"field":"pushToken"`}},
		{"a name with a new line", croissants(m{"name": "a\nb"}), 422, nil},
	} {
		t.Run(tt.name, func(t *testing.T) { refused(t, app.PostJSON(t, "/api/pos", tt.body), tt.status, tt.words...) })
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction"), 0, "… were stored")
}

func TestBodiesTheAPIRefuses(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	const whole = `{"merchantId":"panezski","order":[{"name":"Butter Croissant","qty":1}]}`
	for _, tt := range []struct {
		name, media, body string
		status            int
	}{
		{"no JSON", "application/json", `merchantId=panezski`, 400},
		{"truncated", "application/json", whole[:30], 400},
		{"two bodies", "application/json", whole + whole, 400},
		{"a list", "application/json", `[` + whole + `]`, 400},
		{"nothing", "application/json", ``, 400},
		{"a form", "application/x-www-form-urlencoded", "a=b", 415},
		{"JSON that is called text", "text/plain", whole, 415},
		{"no type", "", whole, 415},
		{"too large", "application/json", `{"x":"` + strings.Repeat("x", 64<<10) + `"}`, 413},
		{"nested without end", "application/json", strings.Repeat(`{"order":[`, 5000), 400},
	} {
		for _, path := range []string{"/api/pos", "/api/pay"} {
			t.Run(tt.name+" to "+path, func(t *testing.T) {
				answer := app.Do(t, http.MethodPost, path, strings.NewReader(tt.body), http.Header{"Content-Type": {tt.media}})
				status := tt.status
				if tt.name == "nested without end" && path == "/api/pay" {
					status = http.StatusRequestEntityTooLarge // 50 KB is too much there
				}
				refused(t, answer, status)
			})
		}
	}
	t.Run("16 KiB is enough for a payment", func(t *testing.T) {
		body := `{"x":"` + strings.Repeat("x", 16<<10) + `"}`
		refused(t, app.Do(t, http.MethodPost, "/api/pay", strings.NewReader(body), http.Header{"Content-Type": {"application/json"}}), 413)
	})
}

func TestIdempotencyOfOrders(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	post := func(key string, more m) apptest.Answer {
		return app.PostJSON(t, "/api/pos", croissants(more), "Idempotency-Key", key)
	}
	first := post("one", nil)
	check.MustEqual(t, first.Status, http.StatusCreated, "the status, %v", first)
	change(t, app, "UPDATE item SET price_minor = 600 WHERE name = 'Butter Croissant'")
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
	change(t, app, "UPDATE shop SET live = true WHERE code = 'panezski'")
	var made []string
	for _, more := range fields {
		made = append(made, apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", croissants(more))).TrxID)
	}
	change(t, app, "UPDATE shop SET needs_kitchen = true WHERE code = 'panezski'")
	for i, more := range fields {
		refused(t, app.PostJSON(t, "/api/pos", croissants(more)), http.StatusConflict, "not taking orders")
		refused(t, app.PostJSON(t, "/api/pay", m{
			"merchantId": "panezski", "trxId": made[i], "cardholder": "A", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
		}, "Idempotency-Key", made[i]), http.StatusConflict, "not taking orders")
	}
	var orders, others, attempts int
	err := app.Pool.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE kind = 'order'), count(*) FILTER (WHERE kind <> 'order'),
		(SELECT count(*) FROM attempt) FROM transaction`).Scan(&orders, &others, &attempts)
	if err != nil || orders != len(fields) || others != 0 || attempts != 0 {
		t.Errorf("PAY-49 %d orders, %d others, %d attempts, %v", orders, others, attempts, err)
	}
}

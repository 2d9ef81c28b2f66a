package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// behind returns a site behind a proxy on this machine, whose businesses are live. Each network may have at most so many unpaid orders; 0 means the default.
func behind(t *testing.T, most int) *apptest.App {
	t.Helper()
	app := apptest.New(t, apptest.Options{UnpaidOrders: most, Proxies: web.Proxies{netip.MustParsePrefix("127.0.0.1/32")}})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true")
	return app
}

// orderFrom places an order from a network address.
func orderFrom(t *testing.T, app *apptest.App, address string, more m) apptest.Answer {
	t.Helper()
	body, err := json.Marshal(croissants(more))
	check.Must(t, err)
	header := http.Header{"Content-Type": {"application/json"}, "X-Forwarded-For": {address}}
	if key, ok := more["key"].(string); ok {
		header.Set("Idempotency-Key", key)
	}
	return app.Do(t, http.MethodPost, "/api/pos", bytes.NewReader(body), header)
}

// later moves the counts of what takes the place of others into the past.
func later(t *testing.T, app *apptest.App, by time.Duration) {
	t.Helper()
	dbtest.Exec(t, app.Pool, "UPDATE throttle SET since = since - $1::interval WHERE subject = 'orders in place of others'", by)
}

func TestANetworksUnpaidOrdersAreLimited(t *testing.T) {
	t.Parallel()
	t.Run("120 an hour at a business, whose guests go on", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 0)
		flooded := func(address string) {
			var crowd sync.WaitGroup
			for range 150 {
				crowd.Go(func() { orderFrom(t, app, address, nil) })
			}
			crowd.Wait()
		}
		flooded("203.0.113.7")
		unpaid := func() int {
			return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE origin IS NOT NULL AND status = 'new'")
		}
		check.Equal(t, unpaid(), 120, "unpaid orders")
		later(t, app, 16*time.Second)
		got := orderFrom(t, app, "203.0.113.7", nil)
		got.Want(t, 201, "a guest's order in that network")
		id := apptest.JSON[struct{ TrxID string }](t, got).TrxID
		app.Get(t, "/pos/panezski/"+id).Want(t, 200, "its page")
		later(t, app, 16*time.Second)
		flooded("203.0.113.7")
		check.Equal(t, unpaid(), 120, "unpaid orders later")
		app.Get(t, "/pos/panezski/"+id).Want(t, 200, "the guest's page later", "Pay")
		check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT status::text FROM transaction WHERE id = $1", id), "new", "the guest's order is")
	})
	t.Run("not without end: a few in each fifteen seconds in place of others", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 2)
		for range 3 {
			orderFrom(t, app, "203.0.113.7", nil).Must(t, 201, "one of two, or in place of one")
		}
		orderFrom(t, app, "203.0.113.7", nil).Want(t, 429, "the fourth")
		orderFrom(t, app, "203.0.113.8", nil).Want(t, 201, "from another network")
		later(t, app, 16*time.Second)
		orderFrom(t, app, "203.0.113.7", nil).Want(t, 201, "sixteen seconds later")
	})
	t.Run("beyond 120 that somebody looks at, the next waits, except at other businesses and of a browser that has paid", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 2)
		at := "203.0.113.7"
		paid := app.NewPerson(t)
		path, form := basketOf(t, app)
		order := func(browser *apptest.App, path string) apptest.Answer {
			return browser.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
				"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "X-Forwarded-For": {at},
			})
		}
		made := order(paid, path)
		made.Must(t, 303, "the first")
		app.PostJSON(t, "/api/pay", m{"merchantId": "panezski", "trxId": made.Location[len("/pos/panezski/"):],
			"cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"}).Must(t, 200, "pay")
		for range 2 {
			got := orderFrom(t, app, at, nil)
			got.Must(t, 201, "an order")
			app.Get(t, "/pos/panezski/"+apptest.JSON[struct{ TrxID string }](t, got).TrxID).Must(t, 200, "its page")
		}
		got := orderFrom(t, app, at, nil)
		got.Want(t, 429, "the next order", "waiting to be paid").HasHeader(t, "Retry-After", "…")
		path, _ = basketOf(t, app)
		order(app.NewPerson(t), path).Want(t, 429, "another browser's")
		order(paid, path).Want(t, 303, "the browser's that has paid")
		orderFrom(t, app, "203.0.113.8", nil).Want(t, 201, "another address")
		orderFrom(t, app, at, m{"merchantId": "sabona"}).Want(t, 409, "at another business: no limit, but the order of the first one's menu")
		later(t, app, 16*time.Second)
		orderFrom(t, app, at, nil).Want(t, 429, "sixteen seconds later")
		later(t, app, 16*time.Second)
		dbtest.Exec(t, app.Pool, "UPDATE transaction SET shown_at = shown_at - interval '16 minutes'")
		orderFrom(t, app, at, nil).Want(t, 201, "a quarter of an hour later")
	})
	t.Run("a /48 is one network", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 1)
		orderFrom(t, app, "2001:db8:1:2::1", nil).Must(t, 201, "an order")
		orderFrom(t, app, "2001:db8:1:3::1", nil).Must(t, 201, "one from another /64")
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE status = 'new'"), 1, "unpaid orders")
	})
	t.Run("refused, repeated and paid orders do not count", func(t *testing.T) {
		t.Parallel()
		app, at := behind(t, 1), "198.51.100.4"
		orderFrom(t, app, at, m{"amount": "1.00"}).Must(t, 409, "another price")
		made := orderFrom(t, app, at, m{"key": "k"})
		if again := orderFrom(t, app, at, m{"key": "k"}); made.Status != 201 || again.Status != 200 || again.Body != made.Body {
			t.Fatalf("made: %d, again: %d", made.Status, again.Status)
		}
		id := apptest.JSON[struct{ TrxID string }](t, made).TrxID
		app.Get(t, "/pos/panezski/"+id).Must(t, 200, "its page")
		orderFrom(t, app, at, nil).Must(t, 429, "the second")
		paid := app.PostJSON(t, "/api/pay", m{"merchantId": "panezski", "trxId": id,
			"cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
		paid.Must(t, 200, "pay")
		orderFrom(t, app, at, nil).Want(t, 201, "after the first was paid")
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE origin IS NOT NULL"), 1,
			"transactions have an origin")
	})
	t.Run("orders paid with test money count", func(t *testing.T) {
		t.Parallel()
		app, at := behind(t, 2), "198.51.100.4"
		dbtest.Exec(t, app.Pool, "UPDATE shop SET live = false")
		paid := app.NewPerson(t)
		for range 2 {
			path, form := basketOf(t, paid)
			made := paid.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
				"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "X-Forwarded-For": {at},
			})
			made.Must(t, 303, "an order")
			app.PostJSON(t, "/api/pay", m{"merchantId": "panezski", "trxId": made.Location[len("/pos/panezski/"):],
				"cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"}).Must(t, 200, "pay")
		}
		orderFrom(t, app, at, nil).Want(t, 429, "the third")
	})
	t.Run("an unlisted proxy on this machine lifts no limit", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{UnpaidOrders: 3})
		for i := range 4 {
			orderFrom(t, app, fmt.Sprintf("203.0.113.%d", i+1), nil).Must(t, 201, "an order through it")
		}
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE status = 'new'"), 3, "unpaid orders")
		for range 5 {
			app.PostJSON(t, "/api/pos", croissants(nil)).Want(t, 201, "an order made on this machine")
		}
	})
	t.Run("the order page says so", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 1)
		order := func() apptest.Answer {
			path, form := basketOf(t, app)
			return app.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
				"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "X-Forwarded-For": {"192.0.2.1"},
			})
		}
		app.Get(t, order().Location).Must(t, 200, "the first one's page")
		order().Want(t, 429, "the second", "waiting to be paid", "Butter Croissant")
	})
}

// basketOf returns the address of an order page with one item and a new key, and its form.
func basketOf(t *testing.T, app *apptest.App) (string, url.Values) {
	t.Helper()
	id := dbtest.Value[int64](t, app.Pool, "SELECT id FROM item WHERE shop_code = 'panezski' AND name = 'Butter Croissant'")
	return app.Get(t, fmt.Sprintf("/pos/panezski/order?t=4&b=%dx1", id)).Location, url.Values{fmt.Sprintf("qty.%d", id): {"1"}}
}

func TestOrdersFromOtherTillsExpireToo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, more := range []m{{}, {"source": "till", "trxRef": "POS"}, {"source": "till", "trxRef": "INV-7"}, {"source": "", "trxRef": "INV-8"}} {
		id := apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", croissants(more))).TrxID
		hours := dbtest.Value[float64](t, app.Pool, "SELECT coalesce(extract(epoch FROM expires_at - created_at) / 3600, -1)::float8 FROM transaction WHERE id = $1", id)
		check.Equal(t, hours, 2, "%v expires after … hours", more)
	}
}

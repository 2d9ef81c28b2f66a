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

	"forecourt/app/apptest"
	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// behind returns a site behind a proxy on this machine. Each network may have at most so many unpaid orders; 0 means the default.
func behind(t *testing.T, most int) *apptest.App {
	t.Helper()
	return apptest.New(t, apptest.Options{UnpaidOrders: most, Proxies: web.Proxies{netip.MustParsePrefix("127.0.0.1/32")}})
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

func TestANetworksUnpaidOrdersAreLimited(t *testing.T) {
	t.Parallel()
	t.Run("120 an hour, also when requests come at once", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 0)
		var mu sync.Mutex
		var crowd sync.WaitGroup
		got := map[int]int{}
		for range 150 {
			crowd.Go(func() {
				status := orderFrom(t, app, "203.0.113.7", nil).Status
				mu.Lock()
				got[status]++
				mu.Unlock()
			})
		}
		crowd.Wait()
		check.Equal(t, got[201], 120, "answers by status")
		check.Equal(t, got[429], 30, "answers by status")
		orderFrom(t, app, "203.0.113.7", nil).Want(t, 429, "the next order", "waiting to be paid").HasHeader(t, "Retry-After", "…")
		orderFrom(t, app, "203.0.113.8", nil).Want(t, 201, "another address")
		dbtest.Exec(t, app.Pool, "UPDATE throttle SET since = since - interval '61 minutes'")
		orderFrom(t, app, "203.0.113.7", nil).Want(t, 201, "an hour later")
	})
	t.Run("a /64 is one network", func(t *testing.T) {
		t.Parallel()
		app := behind(t, 3)
		for i := range 4 {
			want := map[bool]int{true: 201, false: 429}[i < 3]
			check.Equal(t, orderFrom(t, app, fmt.Sprintf("2001:db8:1:2::%d", i+1), nil).Status, want, "order %d", i+1)
		}
		orderFrom(t, app, "2001:db8:1:3::1", nil).Want(t, 201, "the next /64")
	})
	t.Run("refused, repeated and paid orders do not count", func(t *testing.T) {
		t.Parallel()
		app, at := behind(t, 1), "198.51.100.4"
		orderFrom(t, app, at, m{"amount": "1.00"}).Must(t, 409, "another price")
		made := orderFrom(t, app, at, m{"key": "k"})
		if again := orderFrom(t, app, at, m{"key": "k"}); made.Status != 201 || again.Status != 200 || again.Body != made.Body {
			t.Fatalf("made: %d, again: %d", made.Status, again.Status)
		}
		orderFrom(t, app, at, nil).Must(t, 429, "the second")
		paid := app.PostJSON(t, "/api/pay", m{"merchantId": "panezski", "trxId": apptest.JSON[struct{ TrxID string }](t, made).TrxID,
			"cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
		paid.Must(t, 200, "pay")
		orderFrom(t, app, at, nil).Want(t, 201, "after the first was paid")
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE origin IS NOT NULL"), 1,
			"transactions have an origin")
	})
	t.Run("an unlisted proxy on this machine lifts no limit", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{UnpaidOrders: 3})
		for i := range 4 {
			want := map[bool]int{true: 201, false: 429}[i < 3]
			check.Equal(t, orderFrom(t, app, fmt.Sprintf("203.0.113.%d", i+1), nil).Status, want, "order %d through it", i+1)
		}
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
		order().Must(t, 303, "the first")
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

package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// photo is the address of a picture that an owner uploaded.
const photo = "/picture/0123456789abcdef0123456789abcdef"

// photographed gives the first item of the demo's menu a picture.
func photographed(t *testing.T) *apptest.App {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE item SET picture = $1 WHERE name = 'Butter Croissant'", photo)
	return app
}

func TestMerchantInfo(t *testing.T) {
	t.Parallel()
	app := photographed(t)
	answer := app.Get(t, "/api/pos/panezski")
	if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("API-05 %d %v", answer.Status, answer.Header)
	}
	info := apptest.JSON[struct {
		Name       string
		Live       bool
		Brand      map[string]string
		Categories []string
		Items      []map[string]any
	}](t, answer)
	t.Run("the business has its name, mode, brand and categories (POS-02 POS-30)", func(t *testing.T) {
		if info.Name != "Panezski" || info.Live || info.Brand["accent"] == "" || !slices.Contains(info.Categories, "From the oven") {
			t.Errorf("%+v", info)
		}
	})
	if slices.Contains(info.Categories, "Sunday roast") {
		t.Error("POS-07 an empty category is listed")
	}
	first := info.Items[0]
	t.Run("an item has its name, category, price, location, image and description (POS-30)", func(t *testing.T) {
		for name, want := range map[string]any{"name": "Butter Croissant", "cat": "From the oven", "available": true, "price": "5.50", "loc": "Kitchen"} {
			if first[name] != want {
				t.Errorf("%s is %v, want %v", name, first[name], want)
			}
		}
		if first["image"] != photo || first["description"] == "" {
			t.Errorf("no image or description: %v", first)
		}
	})
	check.Lacks(t, answer.Body, "Birthday Cake", "POS-06 an unavailable item is listed")
	t.Run("no key of the merchant's account is told (PAY-52)", func(t *testing.T) {
		if low := strings.ToLower(answer.Body); strings.Contains(low, "paylink") || strings.Contains(low, "password") {
			t.Error("the answer holds a key of the merchant's account")
		}
	})
	refused(t, app.Get(t, "/api/pos/nosuch"), http.StatusNotFound)
}

func TestTransactionInfo(t *testing.T) {
	t.Parallel()
	app := photographed(t)
	id := apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", croissants(m{"name": "Ann", "trxRef": "POS"}))).TrxID
	path := "/api/pos/panezski/" + id
	before := app.Get(t, path)
	fields := apptest.JSON[map[string]any](t, before)
	want := []string{"amount", "clientRef", "code", "countryCode", "currency", "date", "description", "errorMsg", "id", "name", "order",
		"refunded", "status", "surcharge", "table", "testMode", "tip", "transactionid", "trxRef"}
	t.Run("a transaction has its fields (PAY-48)", func(t *testing.T) {
		check.List(t, slices.Sorted(maps.Keys(fields)), want, "the fields")
		for name, value := range map[string]any{"id": id, "amount": "11.00", "currency": "AUD", "status": "new", "refunded": "0.00", "testMode": true, "table": "4", "name": "Ann", "trxRef": "POS", "countryCode": "AU", "description": "Food Order"} {
			if fields[name] != value {
				t.Errorf("%s is %v, want %v", name, fields[name], value)
			}
		}
	})
	first := fields["order"].([]any)[0].(m)
	image, _ := first["info"].(m)["image"].(string)
	item, _ := first["info"].(m)["id"].(float64)
	delete(first["info"].(m), "image")
	delete(first["info"].(m), "id")
	t.Run("a line has its name, price, quantity, status and item (POS-31)", func(t *testing.T) {
		if line, _ := json.Marshal(first); item <= 0 || string(line) != `{"info":{"available":true,"cat":"From the oven","description":"Three days in the making, crisp outside and soft within.","loc":"Kitchen","name":"Butter Croissant","price":"5.50","soldOut":false},"name":"Butter Croissant","order":{"qty":2,"status":"open"},"price":"5.50"}` ||
			image != photo {
			t.Errorf("line %s of item %v with the image %q", line, item, image)
		}
	})
	pay(t, app, id, m{})
	after := app.Get(t, path)
	paid := apptest.JSON[struct{ Status, TransactionID, Code, Date string }](t, after)
	t.Run("a transaction that was paid has its transactionid (PAY-55)", func(t *testing.T) {
		if paid.Status != "success" || paid.TransactionID == "" {
			t.Error(after.Body)
		}
	})
	told := strings.NewReplacer(id, "", paid.TransactionID, "", paid.Code, "", paid.Date, "").Replace(after.Body) // these may hold any digits
	for _, secret := range []string{"1111", "12/34", "987", "visa", "pan", "cvc", "card", "Payer"} {
		check.Lacks(t, told, secret, "… of the card is in %s", after.Body)
	}
	check.Equal(t, after.Header.Get("Cache-Control"), "no-store", "Cache-Control")
}

func TestAnothersTransactionLooksMissing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	missing := app.Get(t, "/api/pos/moollar/"+strings.Repeat("A", len(id)))
	refused(t, missing, http.StatusNotFound)
	for _, path := range []string{"/api/pos/moollar/" + id, "/api/pos/nosuch/" + id, "/api/pos/panezski/x", "/api/pos/panezski/demo", "/api/pos/panezski/%00"} {
		if got := app.Get(t, path); got.Status != missing.Status || got.Body != missing.Body {
			t.Errorf("%s: %d %q, want byte for byte %d %q", path, got.Status, got.Body, missing.Status, missing.Body)
		}
	}
	none, foreign := pay(t, app, strings.Repeat("A", len(id)), m{}), pay(t, app, id, m{"merchantId": "moollar"})
	refused(t, none, http.StatusNotFound)
	check.Equal(t, foreign.Status, none.Status, "paying for another merchant")
	check.Equal(t, foreign.Body, none.Body, "paying for another merchant")
	refused(t, pay(t, app, "a\x00", m{}), http.StatusNotFound)
	check.Empty(t, app.Captures(t, id), "it was charged")
}

func TestCallsThatDoNotExist(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, path := range []string{"/api", "/api/", "/api/nothing", "/api/pos/a/b/c", "/api/pos/"} {
		refused(t, app.Get(t, path), http.StatusNotFound)
	}
	for _, path := range []string{"/api/pos", "/api/pay"} {
		refused(t, app.Get(t, path), http.StatusMethodNotAllowed)
		refused(t, app.Do(t, http.MethodDelete, path, nil, nil), http.StatusMethodNotAllowed)
	}
	for path, allowed := range map[string]string{"/api/pay": "POST", "/api/pos": "POST"} {
		check.Contains(t, app.Get(t, path).Header.Get("Allow"), allowed, "%s: Allow", path)
	}
}

func TestABusinessWithoutALogoHasNoLogoAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET logo = ''")
	check.Contains(t, app.Get(t, "/api/pos/panezski").Body, `"logo":""`, "the answer")
}

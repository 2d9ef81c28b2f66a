package pay_test

import (
	"net/http"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/paylink"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// link makes a pay link of panezski for $125.00 and returns its transaction's id.
func link(t testing.TB, app *apptest.App, change func(*paylink.Wanted)) string {
	t.Helper()
	asked := paylink.Wanted{Shop: "panezski", Amount: 12500, Reference: "INV-2041", Description: "Wedding cake, deposit"}
	change(&asked)
	made, err := paylink.Create(t.Context(), app.Pool, []paylink.Wanted{asked})
	check.Must(t, err)
	return made[0].ID
}

func TestAPayLinkIsPaid(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := link(t, app, func(n *paylink.Wanted) {
		n.Expires = paylink.ExpiresAt(time.Date(2034, 12, 31, 13, 30, 0, 0, time.UTC))
	})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET name = 'Another name' WHERE code = 'panezski'")
	v := app.Visit(t, "/pos/panezski/"+id)
	if v.Status != http.StatusOK || state(v) != "form" {
		t.Fatalf("%d %q", v.Status, state(v))
	}
	v.Has("Pay Panezski Bakery & Bar", "125.00 AUD", "Ref "+id, "Wedding cake, deposit", "Reference INV-2041", "Valid until 1 January 2035, 12:30 am AEDT")
	v.HasNot("Your order", "Another name")
	v.Press("Pay $125.00")
	check.MustEqual(t, state(v), "completed", "after paying: %d", v.Status)
	v.Has("Paid to Panezski Bakery & Bar", "Your payment is complete.", "INV-2041").HasNot("Order Again", "Valid until")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT status FROM transaction WHERE id = $1", id), "paid", "the status")
	if captured := app.Captures(t, id); len(captured) != 1 || captured[0].Amount != "125.00" {
		t.Errorf("captured %+v", captured)
	}
	got := app.Get(t, "/api/pos/panezski/"+id)
	check.Contains(t, got.Body, `"clientRef":"INV-2041"`, "as JSON")
	check.Contains(t, got.Body, `"order":[]`, "as JSON")
}

func TestAPayLinkIsBoundToItsMerchantAndItsTime(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := link(t, app, func(n *paylink.Wanted) { n.Reference, n.Description = "", "<b>cake</b>" })
	v := app.Visit(t, "/pos/panezski/"+id).Has("<b>cake</b>").HasNot("Reference", "Valid until")
	check.Lacks(t, v.Body, "<b>cake", "the description is not escaped")
	check.Equal(t, app.Visit(t, "/pos/moollar/"+id).Status, http.StatusNotFound, "at another merchant's address")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET expires_at = now() WHERE id = $1", id)
	over := app.Visit(t, "/pos/panezski/"+id)
	over.Has("This link is no longer valid", "Nothing was charged", "Panezski Bakery & Bar to send you a new one").HasNot("Order Again")
	check.Equal(t, state(over), "expired", "an expired pay link shows")
	over.Hides("input", "name=card")
	if v.Press("Pay $125.00"); state(v) != "expired" || len(app.Captures(t, id)) > 0 {
		t.Errorf("an expired pay link was paid from an open page: %q", state(v))
	}
}

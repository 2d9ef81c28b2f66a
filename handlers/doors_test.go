package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

// TestARemovedAdminStaysRemoved removes an admin from a business, then tries every way back in.
func TestARemovedAdminStaysRemoved(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	const admins, kitchen = "/merchant/admin/" + demo.MerchantUUID + "/admins", "/pos/" + demo.MerchantCode + "/kitchen"
	queries := db.New(app.Pool)
	for _, statement := range []string{
		"INSERT INTO shop (code, name, accent, pl_name, demo_open) VALUES ($1, 'Harbour Kitchens', '#2347c5', 'Harbour Kitchens', true)",
		"UPDATE merchant SET shop_code = code WHERE code = $1",
	} {
		dbtest.Exec(t, app.Pool, statement, demo.MerchantCode)
	}
	check.Must(t, shop.MakeTeam(t.Context(), queries, demo.MerchantCode, uuid.MustParse(demo.MerchantUUID)))
	link := func(by *apptest.App, email string, n int) string {
		t.Helper()
		by.Post(t, admins, url.Values{"email": {email}})
		return by.Link(t, by.Mails(t, email, n)[n-1])
	}
	join := func(who *apptest.App, link string) int {
		t.Helper()
		return who.Post(t, strings.TrimPrefix(link, app.URL), nil).Status
	}
	bob, carl, dave := app.NewPerson(t), app.NewPerson(t), app.NewPerson(t)
	bob.SignUp(t, "bob@example.com")
	carl.SignUp(t, "carl@example.com")
	dave.SignUp(t, "dave@example.com")
	check.MustEqual(t, join(bob, link(app, "bob@example.com", 1)), http.StatusSeeOther, "bob joins")
	carls := link(bob, "carl@example.com", 1)
	if err := app.Compliance.Create(t.Context(), compliance.NewRecord{
		ID: "acme", Business: "Acme Pty Ltd", Admins: []string{demo.Email, "bob@example.com"}, People: []compliance.Asked{{Name: "Bo", Required: []compliance.Part{compliance.AddressPart}}},
	}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{kitchen, "/compliance/acme"} {
		bob.Get(t, path).Must(t, http.StatusOK, "bob at "+path)
	}

	check.Must(t, app.Accounts.SetAdmin(t.Context(), "bob@example.com", demo.MerchantCode, false))
	tries := func(when string) {
		t.Helper()
		for _, path := range []string{kitchen, "/compliance/acme", "/api/compliance/acme"} {
			check.Equal(t, bob.Get(t, path).Status, http.StatusNotFound, "%s, %s: … for bob", when, path)
		}
		bob.Post(t, admins, url.Values{"email": {"bob@example.com"}}).Want(t, http.StatusNotFound, when+", bob invites")
		check.Lacks(t, bob.Get(t, "/merchant/admin").Body, "Harbour Kitchens", "%s, bob sees the dashboard", when)
	}
	tries("removed")
	check.Equal(t, join(carl, carls), http.StatusGone, "carl joins by bob's invitation")
	check.Equal(t, join(dave, link(app, "dave@example.com", 1)), http.StatusSeeOther, "dave joins")
	dave.Get(t, kitchen).Want(t, http.StatusOK, "dave's kitchen")
	tries("after somebody joined")
	app.Get(t, "/compliance/acme").Want(t, http.StatusOK, "the other admin lost the record")
}

// TestARecordIsLostWithItsBusiness removes an admin of two businesses from one of them. The admin loses the record of that business
// although nobody shares it, and keeps the record of the other although an admin of the first shares it.
func TestARecordIsLostWithItsBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	bob.Verify(t, "bob@example.com")
	for _, code := range []string{"panezski", "moollar"} {
		check.Must(t, app.Accounts.SetAdmin(t.Context(), "bob@example.com", code, true))
	}
	asked := []compliance.Asked{{Name: "Bo", Required: []compliance.Part{compliance.AddressPart}}}
	for _, n := range []compliance.NewRecord{
		{ID: "panezski-record", Business: "Bakery Pty Ltd", Shop: "panezski", Admins: []string{"bob@example.com"}, People: asked},
		{ID: "moollar-record", Business: "Moollar Pty Ltd", Shop: "moollar", Admins: []string{"bob@example.com", demo.Email}, People: asked},
	} {
		check.Must(t, app.Compliance.Create(t.Context(), n))
	}
	bob.Get(t, "/compliance/panezski-record").Want(t, http.StatusOK, "the page of a record does not name its business",
		"For Bakery Pty Ltd (Panezski")
	bob.Get(t, "/compliance/moollar-record").Want(t, http.StatusOK, "the page of a record does not name its business", "For Moollar Pty Ltd<")
	check.Must(t, app.Accounts.SetAdmin(t.Context(), "bob@example.com", "panezski", false))
	for path, want := range map[string]int{
		"/compliance/panezski-record": http.StatusNotFound, "/api/compliance/panezski-record": http.StatusNotFound,
		"/compliance/moollar-record": http.StatusOK, "/pos/panezski/kitchen": http.StatusNotFound, "/pos/moollar/kitchen": http.StatusOK,
	} {
		bob.Get(t, path).Want(t, want, path)
	}
}

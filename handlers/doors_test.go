package handlers_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/compliance"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
	"forecourt/internal/must"
	"forecourt/internal/secret"
	"forecourt/internal/shop/shopstore"
)

// TestARemovedAdminStaysRemoved removes an admin from a business, then tries every way back in.
func TestARemovedAdminStaysRemoved(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignIn(t)
	const admins, kitchen = "/merchant/admin/" + demo.MerchantUUID + "/admins", "/pos/" + demo.MerchantCode + "/kitchen"
	queries := db.New(app.Pool)
	for _, statement := range []string{
		"INSERT INTO client (code, name, accent, pl_name, demo_open) VALUES ($1, 'Harbour Kitchens', '#2347c5', 'Harbour Kitchens', true)",
		"UPDATE merchant SET client_code = code WHERE code = $1",
	} {
		dbtest.Exec(t, app.Pool, statement, demo.MerchantCode)
	}
	must.NoError(t, shopstore.MakeTeam(t.Context(), queries, demo.MerchantCode, uuid.MustParse(demo.MerchantUUID)))
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
	if got := join(bob, link(app, "bob@example.com", 1)); got != http.StatusSeeOther {
		t.Fatalf("bob joins: %d", got)
	}
	carls := link(bob, "carl@example.com", 1)
	if _, err := app.Compliance.Create(t.Context(), compliance.NewRecord{
		ID: "acme", Business: "Acme Pty Ltd", Admins: []string{demo.Email, "bob@example.com"}, People: []compliance.Asked{{Name: "Bo", Required: []compliance.Part{compliance.AddressPart}}},
	}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{kitchen, "/compliance/acme"} {
		if got := bob.Get(t, path).Status; got != http.StatusOK {
			t.Fatalf("bob at %s: %d", path, got)
		}
	}

	people, err := account.New(account.Config{Pool: app.Pool, Hasher: secret.NewHasher()})
	must.NoError(t, err)
	must.NoError(t, people.SetAdmin(t.Context(), "bob@example.com", demo.MerchantCode, false))
	tries := func(when string) {
		t.Helper()
		for _, path := range []string{kitchen, "/compliance/acme", "/api/compliance/acme"} {
			if got := bob.Get(t, path).Status; got != http.StatusNotFound {
				t.Errorf("%s, %s: %d for bob", when, path, got)
			}
		}
		if got := bob.Post(t, admins, url.Values{"email": {"bob@example.com"}}).Status; got != http.StatusNotFound {
			t.Errorf("%s, bob invites: %d", when, got)
		}
		if strings.Contains(bob.Get(t, "/merchant/admin").Body, "Harbour Kitchens") {
			t.Errorf("%s, bob sees the dashboard", when)
		}
	}
	tries("removed")
	if got := join(carl, carls); got != http.StatusGone {
		t.Errorf("carl joins by bob's invitation: %d", got)
	}
	if got := join(dave, link(app, "dave@example.com", 1)); got != http.StatusSeeOther {
		t.Errorf("dave joins: %d", got)
	}
	if got := dave.Get(t, kitchen).Status; got != http.StatusOK {
		t.Errorf("dave's kitchen: %d", got)
	}
	tries("after somebody joined")
	if got := app.Get(t, "/compliance/acme").Status; got != http.StatusOK {
		t.Errorf("the other admin lost the record: %d", got)
	}
}

// TestARecordIsLostWithItsBusiness removes an admin of two businesses from one of them. The admin loses the record of that business
// although nobody shares it, and keeps the record of the other although an admin of the first shares it.
func TestARecordIsLostWithItsBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignIn(t)
	bob := app.NewPerson(t)
	bob.SignUp(t, "bob@example.com")
	bob.Verify(t, "bob@example.com")
	people, err := account.New(account.Config{Pool: app.Pool, Hasher: secret.NewHasher()})
	must.NoError(t, err)
	for _, client := range []string{"panezski", "moollar"} {
		must.NoError(t, people.SetAdmin(t.Context(), "bob@example.com", client, true))
	}
	asked := []compliance.Asked{{Name: "Bo", Required: []compliance.Part{compliance.AddressPart}}}
	for _, n := range []compliance.NewRecord{
		{ID: "panezski-record", Business: "Bakery Pty Ltd", Client: "panezski", Admins: []string{"bob@example.com"}, People: asked},
		{ID: "moollar-record", Business: "Moollar Pty Ltd", Client: "moollar", Admins: []string{"bob@example.com", demo.Email}, People: asked},
	} {
		if _, err := app.Compliance.Create(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if got := bob.Get(t, "/compliance/panezski-record"); got.Status != http.StatusOK || !strings.Contains(got.Body, "For Bakery Pty Ltd (Panezski") {
		t.Errorf("the page of a record does not name its business: %d", got.Status)
	}
	if got := bob.Get(t, "/compliance/moollar-record"); got.Status != http.StatusOK || !strings.Contains(got.Body, "For Moollar Pty Ltd<") {
		t.Errorf("the page of a record does not name its business: %d", got.Status)
	}
	must.NoError(t, people.SetAdmin(t.Context(), "bob@example.com", "panezski", false))
	for path, want := range map[string]int{
		"/compliance/panezski-record": http.StatusNotFound, "/api/compliance/panezski-record": http.StatusNotFound,
		"/compliance/moollar-record": http.StatusOK, "/pos/panezski/kitchen": http.StatusNotFound, "/pos/moollar/kitchen": http.StatusOK,
	} {
		if got := bob.Get(t, path).Status; got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if _, err := app.Compliance.Create(t.Context(), compliance.NewRecord{Business: "A", Client: "nowhere", Admins: []string{demo.Email}, People: asked}); !errors.Is(err, compliance.ErrNoShop) {
		t.Errorf("a record for no business: %v", err)
	}
}

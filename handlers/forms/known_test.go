package forms_test

import (
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	view "forecourt/views/forms"
)

func TestKnownAnswersAreFilledIn(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{})
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"van Lee"}, "name": {"Ann's Apples"}})

	v := app.Visit(t, application).Press(view.LetsGo)
	if first, last := v.Value("first"), v.Value("last"); first != "Ann" || last != "van Lee" {
		t.Errorf("the application suggests the name %q %q", first, last)
	}
	v = v.Press("Next")
	check.Equal(t, v.Value("name"), "Ann's Apples", "the application suggests the business")
	v = v.Type("name", "Ann's Apple Bar").Type("country", "GB").Type("url", "apples.example").Press("Next").Tick("paytypes", "In person payments").Press("Next")
	check.Equal(t, v.Value("name"), "Ann van Lee", "the application suggests the stakeholder")
	app.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Zoë"}, "lastName": {"Other"}, "name": {"Another"}})
	if v = app.Visit(t, application+"/0"); v.Value("first") != "Ann" {
		t.Errorf("%q replaced what was typed", v.Value("first"))
	}
	for _, kind := range []string{"wptest", "ddtest", "testacc"} {
		v = app.Visit(t, "/form/"+kind).Press(view.LetsGo)
		if v.Value("name") != "Ann's Apple Bar" || v.Find("option", "value=GB", "selected=") == nil || v.Value("url") != "apples.example" {
			t.Errorf("%s suggests %q at %q, or another country", kind, v.Value("name"), v.Value("url"))
		}
	}
	if v = app.Visit(t, "/form/wptest").Type("name", "Ann's Web Shop").Press("Next").Has("Check your answers", "Ann's Web Shop"); v.Status != 200 {
		t.Errorf("changing it: %d", v.Status)
	}
	if v = app.Visit(t, application+"/1"); v.Value("name") != "Ann's Apple Bar" {
		t.Errorf("another form changed the application to %q", v.Value("name"))
	}

	bob := app.NewPerson(t)
	bob.SignUp(t, "bob@example.com")
	if v = bob.Visit(t, application).Press(view.LetsGo); v.Value("first") != "" {
		t.Errorf("the form of another person suggests %q", v.Value("first"))
	}
	bob.Visit(t, "/merchant/admin").HasNot("Ann's")
}

func TestAFormThatWasNeverBegunSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{})
	for path, words := range map[string]string{
		application: "apply to take real payments", "/form/wptest": "shopping cart plugin", "/form/ddtest": "direct debit", "/form/testacc": "for the services that you choose",
	} {
		v := app.Visit(t, path).Has(welcome, words, "It takes")
		if i := strings.Index(v.Text(), welcome); !strings.HasPrefix(v.Text()[i+len(welcome):], " Use this form to") {
			t.Errorf("%s does not say what it is for below its greeting", path)
		}
	}
	app.Visit(t, application).Press(view.LetsGo).Has("Merchant application", "Primary contact", "Step 1 of 5").HasNot("What you entered is saved").
		Type("first", "Ann").Type("last", "Lee").Press("Next").Has("Merchant application", "Your business")
	// In the same session the form's address leads to its first step (ROUTE-15), which says that nothing is lost.
	app.Visit(t, application).Has("Step 1 of 5", "What you entered is saved.").Follow("Continue with Your business").Has("Step 2 of 5")
	again := app.NewPerson(t)
	again.Post(t, "/signin", url.Values{"email": {"ann@example.com"}, "password": {"Demo-pass-1"}})
	again.Visit(t, application).Has(welcome).HasNot("Use this form to")
}

func TestTheTimeOfSubmissionIsInTheZoneOfTheBusiness(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	handIn(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE form SET submitted_at = '2026-11-22 04:12:00Z'")
	app.Visit(t, application).Has("What you sent on 22 November 2026, 3:12 pm AEDT")
	dbtest.Exec(t, app.Pool, `UPDATE shop SET time_zone = 'Europe/London' WHERE code = 'panezski'`)
	dbtest.Exec(t, app.Pool, `INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, 'viewer' FROM account WHERE email = 'ann@example.com'`)
	app.Visit(t, application).Has("What you sent on 22 November 2026, 4:12 am GMT")
}

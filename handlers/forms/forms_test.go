package forms_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
	view "forecourt/views/forms"
)

const application = "/form/application"

// signedUp returns a site with a person who has just made an account.
func signedUp(t *testing.T, o apptest.Options) *apptest.App {
	t.Helper()
	app := apptest.New(t, o)
	app.SignUp(t, "ann@example.com")
	return app
}

// continuing is like signedUp, after "Let's go!" was pressed.
func continuing(t *testing.T) *apptest.App {
	t.Helper()
	app := signedUp(t, apptest.Options{})
	app.Visit(t, application).Press(view.LetsGo)
	return app
}

// fill answers every step of the application without scripts and ends at the check.
func fill(t *testing.T, app *apptest.App) *apptest.Visitor {
	t.Helper()
	v := app.Visit(t, application)
	if v.Find("button", "value=yes") != nil {
		v.Press(view.LetsGo)
	}
	v = app.Visit(t, application+"/0").Type("first", "Ann").Type("last", "Merchant").Press("Next").Type("name", "Corner Café").Press("Next")
	v = v.Tick("paytypes", "In person payments").Press("Next")
	v = v.Type("name", "Ann Merchant").Tick("director", "0").Press("Next")
	check.MustEqual(t, v.Path, application+"/check", "the last step leads to … (%d):\n%s", v.Status, v.Text())
	return v
}

func handIn(t *testing.T, app *apptest.App) (reference string) {
	t.Helper()
	v := fill(t, app).Press("Send")
	return v.Texts("strong")[0]
}

// welcome is the specification's greeting.
const (
	welcome = "Welcome Back! Are you ready to continue where we left off previously?"
	oops    = "Oops, you should never see this message, so clearly there's an issue!"
)

func TestSignedOutPeople(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, path := range []string{application, application + "/2", application + "/check"} {
		t.Run("the sign-in replaces "+path+" (FORM-01 FORM-02)", func(t *testing.T) {
			app.Visit(t, path).Has("Sign in", "Create one here").HasNot("Let's go!", "First name")
		})
		t.Run("a signed-out post to "+path+" is refused (SEC-02)", func(t *testing.T) {
			app.Post(t, path, url.Values{"first": {"Ann"}}).Want(t, http.StatusUnauthorized, "a signed-out post to "+path)
		})
	}
	v := app.Visit(t, "/form/testacc").Follow("Create one here").Type("email", "new@example.com").Type("password", "Str0ng-pass").Type("confirm", "Str0ng-pass")
	v.Press("Create Account")
	check.Equal(t, v.Path, "/form/testacc", "a new account comes back to its form (FORM-54)")
	check.Contains(t, v.Text(), welcome, "a new account comes back to its form (FORM-54)")
}

func TestTheWelcome(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{})
	for name, path := range map[string]string{"a form (FORM-04 FORM-05 SEC-05 ROUTE-13)": application, "a step (FORM-55)": application + "/2"} {
		t.Run("the welcome comes before "+name, func(t *testing.T) {
			v := app.Visit(t, path).HasNot("First name")
			check.Equal(t, strings.Join(v.Texts("h1"), " "), "Merchant application", "the title")
			check.Equal(t, slices.Contains(v.Texts("p"), welcome), true, "%q is a paragraph of %q", welcome, v.Texts("p"))
			check.Equal(t, slices.Contains(v.Texts("button"), "Let's go!"), true, "a button says Let's go!")
		})
	}
	v := app.Visit(t, application+"/2")
	v.Press("Let's go!")
	check.Equal(t, v.Path, application+"/0", "the button leads to the first step that is not done (FORM-06 FORM-19)")
	app.Visit(t, application+"/0").Has("First name").HasNot(welcome)
	check.Equal(t, app.Visit(t, application).Value("email"), "ann@example.com",
		"the first contact's email is the account's (ROUTE-15 FORM-22)")
	app.Visit(t, "/form/wptest").Has(welcome) // each form has its own
}

func TestFormsAndStepsThatDoNotExist(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	t.Run("forms and steps that do not exist say so (FORM-20 ROUTE-16)", func(t *testing.T) {
		for _, path := range []string{"/form/zzz", "/form/Application", application + "/5", application + "/99", application + "/x", application + "/01", "/form/wptest/2"} {
			v := app.Visit(t, path).Has(oops)
			check.Equal(t, v.Status, http.StatusNotFound, "%s", path)
		}
	})
	for _, id := range []string{"application", "wptest", "ddtest", "testacc"} {
		app.Visit(t, "/form/"+id).HasNot(oops)
	}
}

func TestAnApplicationWithoutScripts(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{Jobs: true})
	v := fill(t, app).Has("Ann Merchant", "ann@example.com", "Corner Café", "Australia", "Pty Ltd", "In person payments", "Director", "Not given")
	app.Visit(t, application+"/4").Has("Check your answers") // nothing is submitted yet
	v.Follow("Change Your business").Type("entityType", "Charity").Press("Next").Has("Check your answers", "Charity").HasNot("Director")
	v.Follow("Change Your business").Type("entityType", "Pty Ltd").Press("Next").Has("Step 4 of 5") // whose director was dropped
}

func TestChangingAStepLeadsBackToTheCheck(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	v := fill(t, app)
	v = v.Follow("Change Payment types")
	v = v.Tick("paytypes", "Recurring payments via bank account or card").Press("Next").Has("Check your answers", "Recurring payments")
	v = v.Follow("Change Your business").Type("entityType", "Trust").Press("Next")
	check.Equal(t, v.Path, application+"/3", "with another entity type the form continues at")
	t.Run("a trust is asked for its trustees, beneficiaries, settlors and appointors (FORM-43 FORM-47)", func(t *testing.T) {
		check.Contains(t, v.Text(), "all trustees, beneficiaries, settlors and appointors", "for a trust the step says")
	})
	v.Has("Trustee", "Beneficiary", "Settlor", "Appointor").HasNot("Director") // FORM-46
}

func TestSubmitting(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{Jobs: true})
	reference := handIn(t, app)
	v := app.Visit(t, application+"/4").Has("Your reference "+reference, "What happens next", "Waiting for review").HasNot("Next ") // FORM-51
	for _, path := range []string{application, application + "/0", application + "/check"} {
		check.Equal(t, app.Visit(t, path).Path, v.Path, "after submitting, %s leads to", path)
	}
	for path, form := range map[string]url.Values{
		application + "/1":     {"country": {"GB"}, "name": {"Other"}, "entityType": {"Charity"}},
		application + "/0":     {"add": {"row"}},
		application + "/check": {},
	} {
		app.Post(t, path, form).Want(t, http.StatusSeeOther, "posting "+path+" again")
	}
	app.Visit(t, application+"/4").Has(reference, "Corner Café").HasNot("Other")
	mails := app.Mails(t, "ann@example.com", 1)
	check.Contains(t, mails[0].Subject, reference, "the mail is")
	check.Equal(t, app.Link(t, mails[0]), application, "the mail is")
	check.Equal(t, len(app.Mails(t, "ann@example.com", 1)), 1, "there are several mails")
}

func TestTheTestForms(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{})
	for _, tt := range []struct {
		id      string
		ticked  int
		choose  bool // asks for services
		request string
	}{{"wptest", 0, false, "Shopping cart test account"}, {"ddtest", 1, true, "Direct debit test account"}, {"testacc", 0, true, "Test account"}} {
		t.Run(tt.id+": services are asked for where the form has them, and its end has a reference (FORM-08 FORM-10 FORM-11 FORM-12 FORM-38 FORM-52)", func(t *testing.T) {
			v := app.Visit(t, "/form/"+tt.id).Press(view.LetsGo).Type("name", "Shop").Press("Next")
			if tt.choose {
				boxes := strings.Count(v.Body, `name="services"`)
				if ticked := strings.Count(v.Body, " checked"); v.Path != "/form/"+tt.id+"/1" || boxes != 5 || ticked != tt.ticked {
					t.Errorf("%d of %d boxes ticked at %s", ticked, boxes, v.Path)
				}
				services := []string{"Hosted Payment Page", "Shopping Cart Plugin", "Direct Debit", "Paylink / SMSpay", "Recurring Payments"}
				check.List(t, v.Texts("label"), services, "the services")
				v.Tick("services", "Direct Debit").Press("Next")
			}
			v.Has("Check your answers").Press("Send")
			v.Has("Your reference")
			check.Equal(t, slices.Contains(v.Texts("p"), tt.request), true, "it ends with the name of the form among %q", v.Texts("p"))
		})
	}
}

func TestAStepWithMistakes(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	v := app.Visit(t, application+"/0").Type("last", "O'Neill & <b>").Type("email", "x").Press("Next")
	if v.Status != http.StatusUnprocessableEntity || v.Path != application+"/0" {
		t.Fatalf("FORM-15 %d at %s", v.Status, v.Path)
	}
	v.Has("There is a problem", "Enter a first name", "Enter an email address like name@example.com")
	check.Equal(t, v.Value("last"), "O'Neill & <b>", "what was typed is lost")
	check.Equal(t, v.Value("email"), "x", "what was typed is lost")
	for _, id := range []string{"first", "email"} {
		v.Shows("a", "href=#"+id)
		v.Shows("input", "id="+id, "aria-invalid=true")
	}
	v.Shows("div", "id=problems", "autofocus=")
	v.Hides("a", "class=back")                                                // FORM-17
	app.Visit(t, application+"/3").HasNot("Stakeholder 1").Has("Step 1 of 5") // FORM-19
	check.Equal(t, app.Visit(t, application+"/0").Value("last"), "", "a step with mistakes was stored")
}

func TestBackKeepsWhatWasSaved(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	v := app.Visit(t, application+"/0").Type("first", "Ann").Type("last", "B").Press("Next")
	check.Equal(t, v.Path, application+"/1", "the second step has its own address and a back link (ROUTE-14 FORM-17)")
	v.Shows("a", "class=back") // ROUTE-14 FORM-17
	v.Follow("Back")
	check.Equal(t, v.Path, application+"/0", "back shows what was saved (FORM-18)")
	check.Equal(t, v.Value("first"), "Ann", "back shows what was saved (FORM-18)")
	other := app.NewPerson(t) // FORM-53 another device
	other.Post(t, "/signin", url.Values{"email": {"ann@example.com"}, "password": {"Demo-pass-1"}})
	check.Equal(t, other.Visit(t, application).Press(view.LetsGo).Path, application+"/1",
		"another device continues where this one was (FORM-53)")
}

func TestRowsWithoutScripts(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	v := app.Visit(t, application+"/0").Type("first", "Ann").Press("Add another contact").Has("Contact 1", "Contact 2")
	check.Equal(t, v.Value("first"), "Ann", "FORM-27 adding a contact loses")
	v.Shows("input", "id=first-2", "autofocus=") // FORM-27
	rows := url.Values{"first": {"Ann", "Bob", "Cem"}, "last": {"A", "B", "C"}, "email": {"a@b.co", "b@b.co", "c@b.co"}}
	rows.Set("remove", "1")
	app.Post(t, application+"/0", rows)
	v = app.Visit(t, application+"/0").HasNot("Contact 3")
	v.Shows("input", "value=Cem", "id=first-2")
	v.Hides("input", "value=Bob")
	rows.Set("remove", "99")
	app.Post(t, application+"/0", rows).Want(t, http.StatusSeeOther, "removing a row that does not exist")
	rows.Del("remove")
	app.Post(t, application+"/0", rows)
	app.Post(t, application+"/1", url.Values{"country": {"AU"}, "name": {"Pub"}, "entityType": {"Partnership"}})
	app.Post(t, application+"/2", url.Values{"paytypes": {"In person payments"}})
	v = app.Visit(t, application+"/3").Has("Please list all partners", "Stakeholder 2").HasNot("Roles") // FORM-48
	v.Press("Add another stakeholder").Has("Stakeholder 3", "Remove stakeholder 3")
	got := app.Post(t, application+"/3", url.Values{"name": {"Ann", "", "Bob"}, "type": {"Individual", "Individual", "Company"}, "director": {"0"}})
	check.Equal(t, got.Location, application+"/check", "two partners: %d to", got.Status)
	app.Visit(t, application+"/check").Has("Ann Individual", "Bob Company").HasNot("Director") // FORM-42
}

func TestChoicesOnTheScreen(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	app.Post(t, application+"/0", url.Values{"first": {"A"}, "last": {"B"}, "email": {"a@b.co"}})
	v := app.Visit(t, application+"/1").Has("Nature of business", "Website") // FORM-31
	options := v.Texts("option")
	t.Run("all countries are listed, Australia and the United Kingdom first (FORM-32 FORM-33)", func(t *testing.T) {
		if n := len(options) - 8; n < 235 || n > 250 || options[0] != "Australia" || options[1] != "United Kingdom" {
			t.Errorf("%d countries, first %q", n, options[:2])
		}
	})
	for _, chosen := range []string{"AU", "Pty Ltd"} { // FORM-34 FORM-35
		if option := v.Find("option", "value="+chosen); option == nil || !slices.ContainsFunc(option.Attr, isSelected) {
			t.Errorf("%s is not chosen", chosen)
		}
	}
	v.Type("name", "Pub").Type("entityName", "Pub Ltd").Type("natureOfBusiness", "Beer").Type("url", "pub.example").Press("Next")
	again := app.Visit(t, application+"/1")
	for name, want := range map[string]string{"name": "Pub", "entityName": "Pub Ltd", "url": "pub.example"} {
		check.Equal(t, again.Value(name), want, "FORM-31 %s after a reload", name)
	}
	check.List(t, again.Texts("textarea"), []string{"Beer"}, "FORM-31 the nature of the business after a reload")
	v = app.Visit(t, application+"/2")
	types := []string{"In person payments", "Online payments through a website or app", "Recurring payments via bank account or card"}
	check.List(t, v.Texts("label"), types, "there are three payment types (FORM-40)")
	check.Equal(t, strings.Count(v.Body, `name="paytypes"`), 3, "there are three payment types (FORM-40)")
	app.Post(t, application+"/2", url.Values{"paytypes": {"In person payments"}})
	v = app.Visit(t, application+"/3").Has("Director", "Shareholder").HasNot("Trustee") // FORM-44
	check.Contains(t, v.Text(), "directors and shareholders with 25% or more of shares",
		"a company is asked for its directors and shareholders (FORM-45)")
	for _, entity := range []string{"Sole Proprietor", "Charity", "Public Company", "Not For Profit", "Other"} {
		app.Post(t, application+"/1", url.Values{"country": {"AU"}, "name": {"Pub"}, "entityType": {entity}})
		app.Visit(t, application+"/3").HasNot("list all", "Roles").Has("if you want to name any") // FORM-49
	}
}

func TestTooMuchInAField(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	app.Post(t, application+"/0", url.Values{"first": {"Ann"}, "last": {"B"}, "email": {"a@b.co"}})
	got := app.Post(t, application+"/0", url.Values{"first": {strings.Repeat("x", 1<<20)}, "last": {"B"}, "email": {"a@b.co"}})
	got.Want(t, http.StatusRequestEntityTooLarge, "a value of 1 MB", view.TooLarge, `value="Ann"`)
	got = app.Post(t, application+"/0", url.Values{"first": {strings.Repeat("x", 200)}, "last": {"B"}, "email": {"a@b.co"}, "add": {"row"}})
	got.Want(t, http.StatusUnprocessableEntity, "a value of 200 letters", "at most 100 characters")
	check.Equal(t, app.Visit(t, application+"/0").Value("first"), "Ann", "the stored name is now")
}

func TestHostileSteps(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	for i, value := range []string{"\x00", "\xff\xfe", "\r\nSet-Cookie: x=y", "<script>alert(1)</script>", "\u202e", "'; DROP TABLE form; --", `{"a":[`, "٣"} {
		for _, field := range []string{"first", "email", "add", "remove", "continue"} {
			form := url.Values{"first": {"Ann"}, "last": {"B"}, "email": {"a@b.co"}, field: {value, value}}
			if got := app.Post(t, application+"/0", form); got.Status >= 500 || strings.Contains(got.Body, "<script>alert") {
				t.Errorf("%d %s=%q: %d", i, field, value, got.Status)
			}
		}
		for _, field := range []string{"country", "name", "entityType", "url", "natureOfBusiness"} {
			form := url.Values{"country": {"AU"}, "name": {"x"}, "entityType": {"Other"}, field: {value}}
			if got := app.Post(t, application+"/1", form); got.Status >= 500 || strings.Contains(got.Body, "<script>alert") {
				t.Errorf("%d %s=%q: %d", i, field, value, got.Status)
			}
		}
		if got := app.Post(t, application+"/3", url.Values{"name": {value}, "type": {value}, "director": {value, "99999999999999999999", "-1"}}); got.Status >= 500 {
			t.Errorf("%d: %d", i, got.Status)
		}
	}
}

func TestAnExpiredSessionLosesNothing(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '31 minutes'")
	got := app.Post(t, application+"/0", url.Values{"first": {"Ann", "Bob"}, "last": {"B", ""}, "email": {"a@b.co", ""}})
	got.Must(t, http.StatusUnauthorized, "a post after the session's end")
	v := app.Read(t, application+"/0", got).Type("email", "ann@example.com").Type("password", "Demo-pass-1").Press("Sign in")
	v.Has("You were saving: Application").Press("Save it").Has("Step 2 of 5")
	if v := app.Visit(t, application+"/0").Has("Contact 2"); v.Value("first") != "Ann" || v.Find("input", "value=Bob") == nil {
		t.Errorf("the form lost what was typed: %q", v.Value("first"))
	}
	app.Post(t, application+"/0", url.Values{"first": {"Ann"}, "last": {"B"}, "email": {"a@b.co"}})
	app.Visit(t, application+"/1").Has("Step 2 of 5")
	app.Visit(t, application+"/0").HasNot("Contact 2")
}

func TestOnlyItsOwnerSeesADraft(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	reference := handIn(t, app)
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	bob.Visit(t, application+"/4").Has(welcome).HasNot(reference, "Corner Café")
	missing, foreign := bob.Get(t, "/staff/forms/A-2222-22"), bob.Get(t, "/staff/forms/"+reference)
	missing.Want(t, http.StatusNotFound, "the staff page")
	check.Equal(t, foreign.Anonymous(), missing.Anonymous(), "the staff page")
}

func TestHTMXGetsThePanelAlone(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	got := app.Part(t, application+"/0", `<section id="form"`)
	check.Equal(t, fmt.Sprint(got.Header["Vary"]), "[HX-Request Accept-Encoding]", "Vary")
}

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
	v = v.Type("name", "Ann's Apple Bar").Type("country", "GB").Type("url", "apples.example").Press("Next").Tick("paytypes",
		"In person payments").Press("Next")
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
	v = app.Visit(t, "/form/wptest").Type("name", "Ann's Web Shop").Press("Next").Has("Check your answers", "Ann's Web Shop")
	v.Want(t, 200, "changing it")
	v = app.Visit(t, application+"/1")
	check.Equal(t, v.Value("name"), "Ann's Apple Bar", "another form changed the application to")

	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	v = bob.Visit(t, application).Press(view.LetsGo)
	check.Equal(t, v.Value("first"), "", "the form of another person suggests")
	bob.Visit(t, "/merchant/admin").HasNot("Ann's")
}

func TestAFormThatWasNeverBegunSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{})
	for path, words := range map[string]string{
		application: "apply to take real payments", "/form/wptest": "shopping cart plugin", "/form/ddtest": "direct debit",
		"/form/testacc": "for the services that you choose",
	} {
		v := app.Visit(t, path).Has(welcome, words, "It takes")
		if i := strings.Index(v.Text(), welcome); !strings.HasPrefix(v.Text()[i+len(welcome):], " Use this form to") {
			t.Errorf("%s does not say what it is for below its greeting", path)
		}
	}
	app.Visit(t, application).Press(view.LetsGo).Has("Merchant application", "Primary contact",
		"Step 1 of 5").HasNot("What you entered is saved").
		Type("first", "Ann").Type("last", "Lee").Press("Next").Has("Merchant application", "Your business")
	// In the same session the form's address leads to its first step (ROUTE-15), which says that nothing is lost.
	app.Visit(t, application).Has("Step 1 of 5", "What you entered is saved.").Follow("Continue with Your business").Has("Step 2 of 5")
	again := app.NewPerson(t).SignInAs(t, "ann@example.com")
	again.Visit(t, application).Has(welcome).HasNot("Use this form to")
}

func TestTheTimeOfSubmissionIsInTheZoneOfTheBusiness(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	handIn(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE form SET submitted_at = '2026-11-22 04:12:00Z'")
	app.Visit(t, application).Has("What you sent on 22 November 2026, 3:12 pm AEDT")
	dbtest.Exec(t, app.Pool, `UPDATE shop SET time_zone = 'Europe/London' WHERE code = 'panezski'`)
	dbtest.Exec(t, app.Pool,
		`INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, 'viewer' FROM account WHERE email = 'ann@example.com'`)
	app.Visit(t, application).Has("What you sent on 22 November 2026, 4:12 am GMT")
}

func isSelected(a nethtml.Attribute) bool { return a.Key == "selected" }

func TestTheQueueIsForStaff(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	reference := handIn(t, app)
	for _, path := range []string{"/staff/forms", "/staff/forms/" + reference} {
		app.Get(t, path).Want(t, http.StatusNotFound, path+" for an applicant")
		app.NewPerson(t).Visit(t, path).Has("Sign in").HasNot(reference)
	}
	app.Post(t, "/staff/forms/"+reference, url.Values{"decision": {"approved"}, "seen": {"1"}}).Want(t, http.StatusNotFound,
		"an applicant decides")
	staff := app.NewPerson(t).SignInStaff(t)
	staff.Visit(t, "/staff/forms").Has(reference, "Corner Café", "Merchant application", "ann@example.com", "Waiting 1")
	staff.Visit(t, "/staff/forms?form=wptest").HasNot(reference).Has("Nothing is waiting for you")
	staff.Visit(t, "/staff/forms?state=approved&page=-3").HasNot(reference).Has("No forms here")
	staff.Visit(t, "/staff/forms?state=all&page=99999999999").HasNot(reference)
	staff.Visit(t, "/staff/forms/"+strings.ToLower(reference)).Has("Ann Merchant", "Director", "sent the form")
	staff.Get(t, "/staff/forms/A-2222-22").Want(t, http.StatusNotFound, "an unknown reference")
	staff.Post(t, "/staff/forms/"+reference, url.Values{"reason": {strings.Repeat("x", 70<<10)}}).Want(t, http.StatusRequestEntityTooLarge,
		"an endless reason")
}

func TestAskingForMoreAndApproving(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{Jobs: true})
	reference := handIn(t, app)
	page := "/staff/forms/" + reference
	staff, other := app.NewPerson(t).SignInStaff(t), app.NewPerson(t).SignInStaff(t)
	stale := other.Visit(t, page)

	staff.Visit(t, page).Press("Record decision").Has("Choose a decision")
	staff.Visit(t, page).Tick("decision", "returned").Press("Record decision").Has("Say why")
	staff.Visit(t, page).Tick("decision", "returned").Type("reason", "Who is the other director?").Press("Record decision").
		Has("Asked for more", "Who is the other director?").HasNot("Record decision")
	stale.Tick("decision", "approved").Press("Record decision").Has("Your decision was not recorded. This is its state now.")
	check.Equal(t, stale.Status, http.StatusConflict, "a decision on an old submission")

	mails := app.Mails(t, "ann@example.com", 2)
	asked := slices.IndexFunc(mails, func(m apptest.Mail) bool {
		return strings.Contains(html.UnescapeString(m.Plain), "Who is the other director?")
	})
	if asked < 0 || app.Link(t, mails[asked]) != application {
		t.Errorf("the mails are %+v", mails)
	}
	app.Visit(t, application+"/check").Has("Who is the other director?", "Send again").
		Type("note", "It is Bo Lee").Press("Send again").Has(reference, "Waiting for review")
	staff.Visit(t, page).Has("Answer to what we asked It is Bo Lee")
	other.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"1"}}).Want(t, http.StatusConflict, "a decision on earlier answers")
	for range 2 { // a double click
		staff.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"2"}, "reason": {"All in order"}}).Want(t, http.StatusSeeOther,
			"approving")
	}
	app.Visit(t, application).Has("You are approved", "All in order", reference)
	staff.Visit(t, page).Has("Approved", demo.StaffEmail+" approved it")
	mails = app.Mails(t, "ann@example.com", 5) // the last two: the approval, and what to do next
	approved := slices.IndexFunc(mails, func(m apptest.Mail) bool { return strings.Contains(m.Subject, "approved") })
	if len(mails) != 5 || approved < 0 {
		t.Errorf("%d mails, none reports the approval: %t", len(mails), approved < 0)
	}
}

func TestMain(m *testing.M) { dbtest.Main(m) }

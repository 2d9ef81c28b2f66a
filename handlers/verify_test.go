package handlers_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

// site returns a site with jobs that is not a demo.
func site(t *testing.T) *apptest.App {
	t.Helper()
	return apptest.New(t, apptest.Options{Live: true, Jobs: true})
}

// applied returns a person whose application only needs to be submitted.
func applied(t *testing.T, app *apptest.App, email string) *apptest.App {
	t.Helper()
	person := app.NewPerson(t).SignUp(t, email)
	owner := shop.Person{ID: accountOf(t, app, email), Email: email, Proof: account.OperatorProof()}
	for i, step := range []form.Step{
		&form.PrimaryContact{Contacts: []form.Contact{{First: "Mal", Last: "Ory", Email: email}}},
		&form.BusinessInfo{Country: "AU", TradingName: "Corner Café", EntityType: form.PtyLtd},
		&form.PaymentTypes{PayTypes: []string{"In person payments"}},
		&form.StakeHolders{People: []form.StakeHolder{{Name: "Mal", Type: "Individual", RoleFlags: form.RoleFlags{Director: true}}}},
	} {
		if _, err := app.Forms.Save(t.Context(), owner, form.Application, i, step); err != nil {
			t.Fatal(err)
		}
	}
	person.Post(t, "/form/application", nil) // "Let's go!"
	return person
}

func accountOf(t *testing.T, app *apptest.App, email string) uuid.UUID {
	t.Helper()
	return dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", email)
}

// merchantOf makes a merchant for a person, which needs no verified address.
func merchantOf(t *testing.T, person *apptest.App, email string) {
	t.Helper()
	made := person.PostJSON(t, "/api/create", map[string]any{
		"uid": accountOf(t, person, email), "name": "Corner Café", "products": []string{"api"},
	}, "Sec-Fetch-Site", "same-origin")
	made.Must(t, http.StatusCreated, "a merchant")
}

// TestAnUnverifiedAddressOpensNothing signs up with somebody else's address and tries everything that needs a verified one.
func TestAnUnverifiedAddressOpensNothing(t *testing.T) {
	t.Parallel()
	app := site(t)
	const boss, checkOne = "boss@example.com", "/form/application/check"
	mallory := applied(t, app, boss)

	v := mallory.Visit(t, checkOne).Has("Check your answers", "Corner Café", "Confirm your email address before you send this form")
	v.Press("Send")
	v.Want(t, http.StatusForbidden, "a form")
	v.Has("Corner Café", "open the link that we emailed to boss@example.com")
	merchantOf(t, mallory, boss)
	invite := mallory.Visit(t, "/merchant/admin").Type("email", "friend@example.com").Press("Invite")
	invite.Want(t, http.StatusForbidden, "an invitation")
	check.Equal(t, invite.Value("email"), "friend@example.com", "an invitation")
	invite.Has("Confirm your email address before you invite somebody")

	for what, err := range map[string]error{
		"staff": app.Accounts.SetStaff(t.Context(), boss, true), "admin": app.Accounts.SetAdmin(t.Context(), boss, "panezski", true),
	} {
		if !errors.Is(err, account.ErrUnverified) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for path, want := range map[string]int{"/staff/forms": http.StatusNotFound, "/pos/panezski/kitchen": http.StatusNotFound, "/compliance/acme": http.StatusNotFound} {
		check.Equal(t, mallory.Get(t, path).Status, want, "%s", path)
	}

	// The owner of the address opens the link in a browser that is not signed in to the account.
	letter := app.Verifications(t, boss, 1)[0]
	link := app.Link(t, letter)
	owner := app.NewPerson(t)
	owner.Visit(t, link).Has("Sign in")
	owner.SignUp(t, "other@example.com")
	owner.Visit(t, link).Has("This link is for boss@example.com, and you are signed in as other@example.com")
	check.Equal(t, owner.Post(t, link, nil).Status, http.StatusGone, "another account's link")
	// A program that opens every link in a mail presses no button.
	mallory.Get(t, link)
	check.Equal(t, mallory.Post(t, checkOne, nil).Status, http.StatusForbidden, "after the link was only opened")
	if mails := app.Mails(t, "friend@example.com", 0); len(mails) > 0 {
		t.Errorf("an invitation went out: %+v", mails)
	}
}

func TestAVerifiedAddressOpensTheRest(t *testing.T) {
	t.Parallel()
	app := site(t)
	const email = "ann@example.com"
	ann := applied(t, app, email)
	if v := ann.Visit(t, ann.Link(t, app.Verifications(t, email, 1)[0])).Press("Confirm and go on"); v.Path != "/form/application/check" {
		t.Errorf("the link leads to %s (%d)", v.Path, v.Status)
	}
	v := ann.Visit(t, "/form/application/check").HasNot("Confirm your email address").Press("Send").Has("Your reference")
	check.Equal(t, v.Status, http.StatusOK, "the form")
	ann.Visit(t, "/account").HasNot("Confirm your email address")
	merchantOf(t, ann, email)
	ann.Visit(t, "/merchant/admin").Type("email", "bob@example.com").Press("Invite").Has("The invitation is on its way.")
	check.NoError(t, app.Accounts.SetStaff(t.Context(), email, true), "staff")

	// An invitation verifies an address too, because it was mailed.
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	bob.Post(t, app.Link(t, app.Mails(t, "bob@example.com", 1)[0]), nil)
	check.NoError(t, app.Accounts.SetAdmin(t.Context(), "bob@example.com", "panezski", true), "an invited admin")
	// So does the link for a new password.
	carl := app.NewPerson(t).SignUp(t, "carl@example.com")
	carl.Post(t, "/reset", url.Values{"email": {"carl@example.com"}})
	carl.Post(t, app.Link(t, app.Mails(t, "carl@example.com", 1)[0]), url.Values{"password": {"New-pass-2"}, "confirm": {"New-pass-2"}})
	check.NoError(t, app.Accounts.SetStaff(t.Context(), "carl@example.com", true), "after a new password")
}

func TestTheFirstStaffAccountIsVerified(t *testing.T) {
	t.Parallel()
	app := site(t)
	dbtest.Exec(t, app.Pool, "UPDATE account SET demo_open = false")
	token, err := account.OfferFirst(t.Context(), db.New(app.Pool))
	check.Must(t, err)
	first := app.NewPerson(t)
	made := first.Post(t, "/first/"+token.Reveal(), url.Values{"email": {"first@example.com"}, "password": {again}, "confirm": {again}})
	made.Must(t, http.StatusSeeOther, "the answer")
	first.Visit(t, "/account").HasNot("Confirm your email address")
}

func TestVerificationLinksAreLimitedToFive(t *testing.T) {
	t.Parallel()
	app := site(t)
	const email = "victim@example.com"
	mallory := applied(t, app, email)
	mallory.Visit(t, "/account").Has("Confirm your email address before you send forms or invite others")
	for range 5 {
		mallory.Visit(t, "/form/application/check").Press("Send the link again").Has("A new link is on its way", "Corner Café")
	}
	for _, path := range []string{"/account", "/form/application/check"} {
		mallory.Visit(t, path).Press("Send the link again").Has("We have already emailed you several links.")
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count FROM throttle WHERE subject = 'verification network'"), 6,
		"the sign-up's letter and five more; a refused request does not count")
	if mails := app.Verifications(t, email, 6); len(mails) != 6 { // one from the sign-up
		t.Errorf("%d letters", len(mails))
	}
	for _, mail := range app.Verifications(t, email, 6) {
		check.Lacks(t, mail.Plain, "Corner", "the letter holds what mallory typed")
	}
	// An older link also works.
	mallory.Verify(t, email)
}

func TestTheLinkThatVerifiesAnAddressLeadsBackToTheSetUp(t *testing.T) {
	t.Parallel()
	app := site(t)
	confirm := func(email, want string) {
		t.Helper()
		person := app.NewPerson(t).SignUp(t, email)
		letter := app.Verifications(t, email, 1)[0]
		switch want {
		case "/merchant/admin?step=kind":
			person.Post(t, "/merchant/admin?step=welcome", url.Values{"firstName": {"Ann"}, "lastName": {"Lee"}, "name": {"Fitzroy Cup"}})
			want = "/merchant/admin"
		case "/merchant/admin":
			merchantOf(t, person, email)
		case "/desk/new?m=":
			made := person.PostJSON(t, "/api/create", map[string]any{
				"uid": accountOf(t, person, email), "name": "Fitzroy Cup", "products": []string{"lbs"},
			}, "Sec-Fetch-Site", "same-origin")
			made.Must(t, http.StatusCreated, "a merchant")
			want += dbtest.Value[string](t, app.Pool, "SELECT uuid::text FROM merchant WHERE uid = $1", accountOf(t, app, email))
		}
		check.Equal(t, person.Post(t, app.Link(t, letter), nil).Location, want, "%s", email)
	}
	confirm("began@example.com", "/merchant/admin?step=kind")
	confirm("shop@example.com", "/desk/new?m=")
	confirm("builds@example.com", "/merchant/admin")
	confirm("nothing@example.com", "/desk")
}

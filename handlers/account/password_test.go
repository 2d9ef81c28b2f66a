package account_test

import (
	"net/http"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

func twice(password string) url.Values {
	return url.Values{"password": {password}, "confirm": {password}}
}

func TestCommonPasswordsAreRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, password := range []string{"Password1!", "P@ssw0rd", "Qwerty1!", "Forecourt1!", "Welcome1!", "Iloveyou1!", "Aa1!aaaa", "Summer2026!", "Admin@123", "Barnaby7!"} {
		form := twice(password)
		form.Set("email", "barnaby@kettle-shop.example")
		app.NewPerson(t).Post(t, "/signup", form).Want(t, http.StatusUnprocessableEntity, password, "harder to guess")
	}
	app = app.SignUp(t, "ann@example.com")
	form := twice("Password1!")
	form.Set("do", "password")
	form.Set("old-password", demo.Password)
	app.Post(t, "/account", form).Want(t, http.StatusUnprocessableEntity, "on the account's page", "harder to guess")
}

func TestSharedAccountsKeepTheirPasswords(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	form := twice("An0ther-pass")
	form.Set("do", "password")
	form.Set("old-password", demo.Password)
	app.Post(t, "/account", form).Want(t, http.StatusUnprocessableEntity, "on the account's page", "shares this account")
	visitor := app.NewPerson(t)
	ask(t, visitor, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	visitor.Post(t, link, twice("An0ther-pass")).Want(t, http.StatusUnprocessableEntity, "by a mailed link", "shares this account")
	app.NewPerson(t).SignIn(t)
}

func TestStaffNeedTwelveCharacters(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, "ann@example.com")
	dbtest.Exec(t, app.Pool, "UPDATE account SET staff = true WHERE email = 'ann@example.com'")
	visitor := app.NewPerson(t)
	ask(t, visitor, "ann@example.com")
	link := app.Link(t, app.Letter(t, "ann@example.com", "Choose a new password"))
	visitor.Post(t, link, twice("Tr0ub-dour!")).Want(t, http.StatusUnprocessableEntity, "11 characters", "at least 12 characters")
	visitor.Post(t, link, twice("Tr0ub-dour!9")).Leads(t, "/signin?reset", "12 characters")
}

func TestANewPasswordListsTheKitchenScreens(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Post(t, "/desk/panezski/screens", url.Values{"do": {"connect"}, "name": {"Tablet at the grill"}}).Must(t, http.StatusOK, "connect")
	app.Get(t, "/account").Want(t, http.StatusOK, "the account", "Kitchen screens that you connected", "Tablet at the grill")
	app.Post(t, "/account", url.Values{"do": {"screens"}}).Leads(t, "/account?done=screens", "disconnect")
	check.Lacks(t, app.Get(t, "/account").Body, "Tablet at the grill", "the account")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kitchen_device WHERE name = 'Tablet at the grill' AND ended_at IS NULL"), 0, "screens that work")
}

func TestSessionsOfStaffEndSooner(t *testing.T) {
	t.Parallel()
	for unused, lives := range map[string]bool{"14 minutes": true, "16 minutes": false} {
		app := apptest.SignedIn(t)
		dbtest.Exec(t, app.Pool, "UPDATE account SET staff = true WHERE email = $1", demo.Email)
		dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - $1::interval", unused)
		check.Equal(t, signedIn(t, app), lives, "signed in after %s", unused)
	}
}

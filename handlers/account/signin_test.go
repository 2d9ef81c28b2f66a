package account_test

import (
	"net/http"
	"net/url"
	"testing"

	"forecourt/internal/apptest"
	"forecourt/internal/demo"
	view "forecourt/views/account"
)

func TestSigningUpInAndOut(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	form := url.Values{"email": {" Ann@Example.com "}, "password": {"Str0ng-pass"}, "confirm": {"Str0ng-pass"}, "to": {"/signin?to=/privacy"}}
	if got := app.Post(t, "/signup", form); got.Status != http.StatusSeeOther || got.Location != "/signin?to=/privacy" {
		t.Fatalf("AUTH-01: %d to %q\n%s", got.Status, got.Location, got.Body)
	}
	if got := app.Get(t, "/signin?to=/privacy"); got.Location != "/privacy" {
		t.Errorf("ADMIN-49 a new account is not signed in: %d %q", got.Status, got.Location)
	}
	if got := app.NewPerson(t).Post(t, "/signup", form); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("ADMIN-48 the same email again: %d", got.Status)
	}
	app.Post(t, "/signout", nil)
	t.Run("who signed out is not signed in (AUTH-03)", func(t *testing.T) {
		if got := app.Get(t, "/signin?to=/privacy"); got.Status != http.StatusOK {
			t.Errorf("signed in after signing out: %d", got.Status)
		}
	})
	t.Run("email and password sign in (AUTH-02)", func(t *testing.T) {
		if got := app.Post(t, "/signin", url.Values{"email": {"ANN@example.com"}, "password": {"Str0ng-pass"}}); got.Status != http.StatusSeeOther || got.Location != "/desk" {
			t.Errorf("%d to %q", got.Status, got.Location)
		}
	})
}

func TestSigningInLeadsToThisSiteOnly(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, to := range []string{"https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\tevil", "\r\nX: y", "evil"} {
		got := app.NewPerson(t).Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {demo.Password}, "to": {to}})
		if got.Location != "/" {
			t.Errorf("%q leads to %q", to, got.Location)
		}
	}
}

func TestAWrongPasswordAndAnUnknownEmailGetTheSameAnswer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	wrong := app.Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {"Wrong-pass-1"}})
	unknown := app.Post(t, "/signin", url.Values{"email": {"nobody@example.com"}, "password": {"Wrong-pass-1"}})
	if wrong.Status != http.StatusUnprocessableEntity || unknown.Status != wrong.Status {
		t.Errorf("%d and %d", wrong.Status, unknown.Status)
	}
	v := app.Visit(t, "/signin").Type("email", "nobody@example.com").Type("password", "x").Press("Sign in").Has(view.WrongCredentials)
	if v.Value("email") != "nobody@example.com" || v.Value("password") != "" {
		t.Error("the form lost the email, or repeats the password")
	}
}

func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	guess := func(password string) int {
		return app.NewPerson(t).Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {password}}).Status
	}
	for range 5 {
		if got := guess("Wrong-pass-1"); got != http.StatusUnprocessableEntity {
			t.Fatalf("a guess: %d", got)
		}
	}
	if got := guess(demo.Password); got != http.StatusTooManyRequests {
		t.Errorf("the sixth try in 15 minutes, with the right password: %d", got)
	}
	if got := app.Post(t, "/signin", url.Values{"email": {demo.StaffEmail}, "password": {demo.Password}}).Status; got != http.StatusSeeOther {
		t.Errorf("another account is refused: %d", got)
	}
}

func TestAWriteWithACookieSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	if got := app.Do(t, http.MethodPost, "/signout", nil, form).Status; got != http.StatusForbidden {
		t.Errorf("with neither header: %d", got)
	}
	form.Set("Origin", "https://evil.example")
	if got := app.Do(t, http.MethodPost, "/signout", nil, form).Status; got != http.StatusForbidden {
		t.Errorf("from elsewhere: %d", got)
	}
	form.Set("Origin", app.URL)
	if got := app.Do(t, http.MethodPost, "/signout", nil, form).Status; got != http.StatusSeeOther {
		t.Errorf("from here: %d", got)
	}
}

package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
	view "forecourt/views/account"
)

func TestSigningUpInAndOut(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	weak := app.Post(t, "/signup", url.Values{"email": {"ann@example.com"}, "password": {"Aa1!aaa"}, "confirm": {"Aa1!aaa"}})
	if weak.Status != http.StatusUnprocessableEntity || strings.Count(weak.Body, "Minimum 8 characters") != 2 {
		t.Errorf("AUTH-16: %d, the problem is not in the summary and under the field:\n%s", weak.Status, weak.Body)
	}
	form := url.Values{"email": {" Ann@Example.com "}, "password": {"Str0ng-pass"}, "confirm": {"Str0ng-pass"}, "to": {"/signin?to=/privacy"}}
	if got := app.Post(t, "/signup", form); got.Status != http.StatusSeeOther || got.Location != "/signin?to=/privacy" {
		t.Fatalf("AUTH-01: %d to %q\n%s", got.Status, got.Location, got.Body)
	}
	got := app.Get(t, "/signin?to=/privacy")
	check.Equal(t, got.Location, "/privacy", "ADMIN-49 a new account is not signed in: %d", got.Status)
	app.NewPerson(t).Post(t, "/signup", form).Want(t, http.StatusUnprocessableEntity, "ADMIN-48 the same email again")
	app.Post(t, "/signout", nil)
	t.Run("who signed out is not signed in (AUTH-03)", func(t *testing.T) {
		app.Get(t, "/signin?to=/privacy").Want(t, http.StatusOK, "signed in after signing out")
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
		check.Equal(t, got.Location, "/", "%q leads to", to)
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
		must.Equal(t, guess("Wrong-pass-1"), http.StatusUnprocessableEntity, "a guess")
	}
	check.Equal(t, guess(demo.Password), http.StatusTooManyRequests, "the sixth try in 15 minutes, with the right password")
	check.Equal(t, app.Post(t, "/signin", url.Values{"email": {demo.StaffEmail}, "password": {demo.Password}}).Status, http.StatusSeeOther,
		"another account is refused")
	got := app.PostJSON(t, "/signin", map[string]string{"email": demo.Email, "password": demo.Password})
	if answer := apptest.JSON[identity](t, got); got.Status != http.StatusTooManyRequests || answer.Success || !strings.HasPrefix(answer.Error, "Too many attempts") {
		t.Errorf("the identity call: %d %+v", got.Status, answer)
	}
}

func TestAWriteWithACookieSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusForbidden, "with neither header")
	form.Set("Origin", "https://evil.example")
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusForbidden, "from elsewhere")
	form.Set("Origin", app.URL)
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusSeeOther, "from here")
}

package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

// letters returns how many letters of a kind were queued.
func letters(t *testing.T, app *apptest.App, kind string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args->>'letter' = '"+kind+"'")
}

func TestASignInFromANewBrowserIsMailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignUp(t, ann)
	in := url.Values{"email": {ann}, "password": {demo.Password}}
	app.Post(t, "/signin", in)
	check.Equal(t, letters(t, app, account.LetterNewBrowser), 0, "letters about the browser that made the account")
	thief := app.NewPerson(t)
	thief.Post(t, "/signin", url.Values{"email": {ann}, "password": {"Wrong-pass-1"}})
	thief.Post(t, "/signin", in)
	thief.Post(t, "/signin", in)
	check.Equal(t, letters(t, app, account.LetterNewBrowser), 1, "letters about a new browser that signs in twice")
	app.NewPerson(t).PostJSON(t, "/signin", map[string]string{"email": ann, "password": demo.Password})
	check.Equal(t, letters(t, app, account.LetterNewBrowser), 2, "letters after the identity call")
	for range 10 {
		app.NewPerson(t).Post(t, "/signin", in)
	}
	check.Equal(t, letters(t, app, account.LetterNewBrowser), 10, "letters in a day")
	app.SignIn(t)
	check.Equal(t, letters(t, app, account.LetterNewBrowser), 10, "the demo's account gets a letter")
}

func TestTheLetterAboutANewBrowserNamesIt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignUp(t, ann)
	agent := "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 see http://evil.example"
	app.NewPerson(t).Do(t, http.MethodPost, "/signin", strings.NewReader(url.Values{"email": {ann}, "password": {demo.Password}}.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "User-Agent": {agent},
	})
	var plain string
	apptest.Eventually(t, "the letter", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT plain FROM mail WHERE recipient = $1 AND kind = $2", ann, account.LetterNewBrowser).Scan(&plain) == nil
	})
	if text := strings.Join(strings.Fields(plain), " "); !strings.Contains(text, "Chrome on Windows, at 127.0.0.1, signed in to your account just now.") || strings.Contains(text, "evil") {
		t.Errorf("the letter says %s", text)
	}
}

func TestTheSecurityLogListsWhatHappened(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	bob := s.NewPerson(t)
	bob.SignUp(t, "bob@example.com")
	thief := s.half(t)
	step(t, thief, "code", "000000")
	step(t, thief, "recovery", s.recovery[0])
	s.Post(t, "/account/two-step", url.Values{"do": {"codes"}, "code": {s.fresh(t)}})
	s.Post(t, "/account", url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}})
	v := s.Visit(t, "/account").Follow("Security log: every sign-in and change")
	var at int
	for _, line := range []string{
		"Password changed on the account page", "New recovery codes made; the old ones ended", "Signed in with the password and a recovery code", "A recovery code was used",
		"The right password was entered, then a wrong code", "Two-step sign-in turned on", "Confirmed again before an important change", "Signed in with the password",
	} {
		found := strings.Index(v.Body[at:], line)
		if found < 0 {
			t.Fatalf("no %q after byte %d: %s", line, at, v.Body)
		}
		at += found
	}
	v.Has("at 127.0.0.1")
	must.NoError(t, s.Accounts.GivePassword(t.Context(), "bob@example.com", secret.New("B0bs-password")))
	bob.Post(t, "/signin", url.Values{"email": {"bob@example.com"}, "password": {"B0bs-password"}})
	bob.Visit(t, "/account/security").Has("New password set by our staff").HasNot("Two-step", "recovery code was used")
}

func TestTheSecurityLogHasPages(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignUp(t, ann)
	dbtest.Exec(t, app.Pool, "INSERT INTO account_event (account_id, kind) SELECT account_id, 'line ' || n FROM account_event, generate_series(1, 60) n")
	v := app.Visit(t, "/account/security").Has("line 60", "line 11").HasNot("line 10 ", "Newest").Follow("Older").Has("line 10 ", "line 1 ", "Signed in").HasNot("line 11", "Older")
	v.Follow("Newest").Has("line 60")
}

package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// signedIn reports whether a browser is signed in.
func signedIn(t *testing.T, app *apptest.App) bool {
	t.Helper()
	return strings.Contains(app.Get(t, "/account").Body, "Where you are signed in")
}

func cookie(t *testing.T, app *apptest.App) string {
	t.Helper()
	site, err := url.Parse(app.URL)
	check.Must(t, err)
	for _, c := range app.Client.Jar.Cookies(site) {
		if c.Name == "forecourt" {
			return c.Value
		}
	}
	return ""
}

func TestSessionsEndByThemselves(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, age, unused string
		lives             bool
	}{
		{"unused for 29 minutes", "1 hour", "29 minutes", true},
		{"unused for 31 minutes", "1 hour", "31 minutes", false},
		{"in use for almost 12 hours", "11 hours 59 minutes", "0 minutes", true},
		{"in use for more than 12 hours", "12 hours 1 minute", "0 minutes", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.SignedIn(t)
			dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - $1::interval, seen_at = now() - $2::interval", tt.age, tt.unused)
			check.Equal(t, signedIn(t, app), tt.lives, "signed in")
		})
	}
}

func TestASessionIsTouchedOnceAMinute(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	fresh := func() bool {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session WHERE seen_at > now() - interval '20 seconds'") == 1
	}
	dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '50 seconds'")
	if signedIn(t, app); fresh() {
		t.Error("touched after 50 seconds")
	}
	dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '70 seconds'")
	if signedIn(t, app); !fresh() {
		t.Error("not touched after 70 seconds")
	}
}

func TestSigningInOpensANewSession(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	old := cookie(t, app)
	app.SignIn(t)
	if old == "" || cookie(t, app) == old {
		t.Errorf("the session is still %q", old)
	}
	check.Lacks(t, app.NewPerson(t).Do(t, http.MethodGet, "/account", nil, http.Header{"Cookie": {"forecourt=" + old}}).Body, "Where you are signed in",
		"the old session still works")
	app.Post(t, "/signout", nil)
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session"), 0, "signing out ends the session (AUTH-03)")
}

func TestPeopleEndOnlyTheirOwnSessions(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	phone, stranger := app.NewPerson(t), app.NewPerson(t)
	app.SignIn(t)
	phone.SignIn(t)
	stranger.SignInStaff(t)
	handle := func(email, keep string) string {
		id := dbtest.Value[string](t, app.Pool, `SELECT s.handle::text FROM session s JOIN account a ON a.id = s.account_id
			WHERE a.email = $1 ORDER BY s.created_at DESC LIMIT 1`, email)
		check.MustEqual(t, id != keep, true, "%s has another session", email)
		return id
	}
	own, foreign := handle(demo.Email, ""), handle(demo.StaffEmail, "")
	dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() + interval '1 minute' WHERE handle = $1", own) // the phone was used last
	v := app.Visit(t, "/account").Has("This browser", "Where you are signed in")
	if strings.Index(v.Body, "This browser") > strings.Index(v.Body, `value="`+own) {
		t.Error("another browser stands before this one")
	}
	v.Shows("button", "value="+own)
	v.Hides("button", "value="+foreign)
	missing := app.Post(t, "/account", url.Values{"end": {"0b0e1f5e-92a8-4f0e-8f7c-3d0f3ad5a3a1"}})
	for name, got := range map[string]apptest.Answer{
		"somebody else's session": app.Post(t, "/account", url.Values{"end": {foreign}}), "no id": app.Post(t, "/account", url.Values{"end": {"x"}}),
		"nothing": app.Post(t, "/account", nil), "an unknown session": missing,
	} {
		got.Want(t, http.StatusNotFound, name)
	}
	app.Post(t, "/account", url.Values{"end": {own}}).Want(t, http.StatusSeeOther, "their own")
	if signedIn(t, phone) || !signedIn(t, app) || !signedIn(t, stranger) {
		t.Error("the wrong session ended")
	}
	phone.SignIn(t)
	app.Visit(t, "/account").Press("Sign out everywhere")
	if signedIn(t, phone) || signedIn(t, app) || !signedIn(t, stranger) {
		t.Error("signing out everywhere left a session open, or ended somebody else's")
	}
}

func TestChangingThePasswordEndsOtherSessionsAndIsMailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	unshared(t, app)
	phone := app.NewPerson(t)
	app.SignIn(t)
	phone.SignIn(t)
	dbtest.Exec(t, app.Pool, `WITH r AS (INSERT INTO push_registration (key, endpoint, auth, p256dh) VALUES (repeat('0', 64), 'https://push.example/1', 'a', 'p') RETURNING key)
		INSERT INTO notice_browser (push_key, account_id) SELECT r.key, a.id FROM r, account a WHERE a.email = $1`, demo.Email)
	v := app.Visit(t, "/account").Type("old-password", "Wrong-pass-1").Type("password", "An0ther-pass").Type("confirm", "An0ther-pass").Press("Change password")
	v.Has("That is not your current password.")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "a wrong password")
	v.Type("old-password", demo.Password).Type("password", "An0ther-pass").Type("confirm", "An0ther-pass").Press("Change password").Has("Your password is changed")
	check.Equal(t, signedIn(t, phone), false, "the other session is still open, or this one has ended: signed in")
	check.Equal(t, signedIn(t, app), true, "the other session is still open, or this one has ended: signed in")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM notice_browser"), 0, "a browser still gets notices")
	check.Equal(t, app.Mails(t, demo.Email, 1)[0].Subject, "Your password was changed", "the mail")
}

func TestPeopleChangeTheirName(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/account").Type("name", strings.Repeat("n", 101)).Press("Save name")
	v.Want(t, http.StatusUnprocessableEntity, "too long")
	check.Equal(t, len(v.Value("name")), 101, "too long")
	check.Equal(t, v.Type("name", " Zoë O'Hara ").Press("Save name").Has("Your name is saved.").Value("name"), "Zoë O'Hara", "the name")
}

func TestAFormOfAnEndedSessionWaitsForItsAccount(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	other := app.NewPerson(t)
	app.SignIn(t)
	other.SignInStaff(t)
	late := func(fields url.Values) *apptest.Visitor {
		t.Helper()
		timeOut(t, app)
		got := app.Post(t, "/account", fields)
		if got.Status != http.StatusUnauthorized || strings.Contains(got.Body, "Canary") {
			t.Fatalf("a form after the session's end: %d %s", got.Status, got.Body)
		}
		return app.Read(t, "/account", got)
	}
	name := url.Values{"do": {"name"}, "name": {"Canary Typed"}}
	gate := late(name).Has("What you typed is kept for an hour: sign in to save it.")
	sealed := dbtest.Value[[]byte](t, app.Pool, "SELECT sealed FROM kept")
	check.Lacks(t, string(sealed), "Canary", "the kept form can be read")
	check.Lacks(t, string(sealed), "name", "the kept form can be read")
	v := gate.Type("email", demo.Email).Type("password", demo.Password).Press("Sign in")
	v.Has("Save what you typed?", "Your account", "just now in Unknown browser. You were signed out before it was saved.")
	waits := v.Path
	other.Get(t, waits).Want(t, http.StatusGone, "somebody else sees what waits")
	proveBy(t, other, "/account", strings.TrimPrefix(waits, "/kept/"), nil).Want(t, http.StatusGone, "somebody else sends it")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 1, "somebody else sends it")
	check.Equal(t, v.Press("Save it").Has("Your name is saved.").Value("name"), "Canary Typed", "the name is")
	app.Visit(t, waits).Has("Nothing is waiting here", "or waits for another account.")

	sent := func() *apptest.Visitor {
		t.Helper()
		return late(name).Type("email", demo.Email).Type("password", demo.Password).Press("Sign in").Has("You were saving")
	}
	check.Equal(t, sent().Press("Discard").Status, http.StatusOK, "a discarded form is still kept")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 0, "a discarded form is still kept")
	v = sent()
	dbtest.Exec(t, app.Pool, "UPDATE kept SET created_at = now() - interval '61 minutes'")
	v.Press("Save it").Has("Nothing is waiting here")

	dbtest.Exec(t, app.Pool, "DELETE FROM kept")
	stranger := app.NewPerson(t)
	stranger.Post(t, "/account", name).Want(t, http.StatusUnauthorized, "a stranger's form gets")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 0, "a stranger's form gets")
}

// What a mechanism must not store, even sealed, is asked for again, and the page says so.
func TestAFormWithAPasswordAFileOrACardNumberDoesNotWait(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	timeOut(t, app)
	const page, record = "/account", "/compliance/demo-compliance"
	for what, got := range map[string]apptest.Answer{
		"a password":    app.Post(t, page, url.Values{"do": {"password"}, "password": {"Canary-pass-1"}}),
		"a card number": app.Post(t, page, url.Values{"do": {"name"}, "name": {"My card is 4111 1111 1111 1111"}}),
		"a file":        app.PostFile(t, record, url.Values{"person": {"1"}}, "dlfront", []byte("photo")),
		"a long text":   app.Post(t, page, url.Values{"name": {strings.Repeat("a", 70<<10)}}),
	} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 0, "%s", what)
		check.Contains(t, got.Body, "You are signed out, so nothing was saved.", "%s", what)
	}
	if got := app.Post(t, "/desk/panezski/nowhere", url.Values{"name": {"x"}}); got.Status != http.StatusNotFound && got.Status != http.StatusMethodNotAllowed {
		t.Errorf("a form for no page: %d", got.Status)
	}
	got := app.PostFile(t, record, url.Values{"person": {"1"}}, "dlfront", nil)
	check.Contains(t, got.Body, "kept for an hour", "a form whose file is empty: %d", got.Status)
}

func timeOut(t *testing.T, app *apptest.App) {
	t.Helper()
	dbtest.Exec(t, app.Pool, `UPDATE session s SET seen_at = now() - interval '31 minutes' FROM account a
		WHERE a.id = s.account_id AND a.email = $1`, demo.Email)
}

// Whoever has the cookie of a timed-out session could fill the disk with what they send.
func TestATimedOutSessionKeepsOneFormAndAnAccountFive(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	send := func(path string, keeps bool) {
		t.Helper()
		got := app.Post(t, path, url.Values{"name": {strings.Repeat("a", 9000)}})
		says := map[bool]string{true: "kept for an hour", false: "You are signed out, so nothing was saved."}[keeps]
		got.Want(t, http.StatusUnauthorized, path, says)
	}
	for _, form := range []string{
		"/account", "/merchant/admin", "/form/application/1", "/desk/panezski/menu/group/1", "/staff/forms/1", "/desk/panezski/shop", "/account",
	} {
		app.SignIn(t)
		timeOut(t, app)
		send(form, true)
		send("/form/application/0", false)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 5, "forms are kept")
}

func TestBrowsersAreNamedInPlainWords(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0":                  "Edge on Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1":        "Safari on iPhone",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
		"Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36":     "Samsung Internet on Android",
		"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0":                                                                         "Firefox on Linux",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15":                          "Safari on Mac",
		"<script>alert(1)</script>": "Unknown browser",
	} {
		form := url.Values{"email": {demo.Email}, "password": {demo.Password}}
		app.NewPerson(t).Do(t, http.MethodPost, "/signin", strings.NewReader(form.Encode()), http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "User-Agent": {agent},
		})
		app.Visit(t, "/account").Has(want)
	}
	app.NewPerson(t).Do(t, http.MethodPost, "/signin", strings.NewReader(url.Values{"email": {demo.Email}, "password": {demo.Password}}.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "User-Agent": {"Till 4111 1111 1111 1111"},
	})
	if dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session WHERE agent LIKE '%4111%'") != 0 || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session WHERE agent = 'Till [redacted]'") != 1 {
		t.Error("a card number in the name of a browser is stored")
	}
}

func TestMain(m *testing.M) { dbtest.Main(m) }

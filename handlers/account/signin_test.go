package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	accounts "forecourt/internal/people/account"
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
	kept := dbtest.Value[string](t, app.Pool, "SELECT password_hash FROM account WHERE email = 'ann@example.com'")
	check.Equal(t, strings.HasPrefix(kept, "$argon2id$v=19$m=19456,t=2,p=1$"), true, "AUTH-01 the password is kept as %s", kept)
	got := app.Get(t, "/signin?to=/privacy")
	check.Equal(t, got.Location, "/privacy", "ADMIN-49 a new account is not signed in: %d", got.Status)
	app.NewPerson(t).Post(t, "/signup", form).Want(t, http.StatusUnprocessableEntity, "ADMIN-48 the same email again")
	app.Post(t, "/signout", nil)
	app.Get(t, "/signin?to=/privacy").Want(t, http.StatusOK, "who signed out is not signed in (AUTH-03)")
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
	v := app.Visit(t, "/signin").Type("email", "nobody@example.com").Type("password", "x").Press("Sign in").Has("Incorrect email or password.")
	check.Equal(t, v.Value("email"), "nobody@example.com", "the form lost the email, or repeats the password")
	check.Equal(t, v.Value("password"), "", "the form lost the email, or repeats the password")
}

func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	guess := func(password string) int {
		return app.NewPerson(t).Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {password}}).Status
	}
	for range 5 {
		check.MustEqual(t, guess("Wrong-pass-1"), http.StatusUnprocessableEntity, "a guess")
	}
	check.Equal(t, guess(demo.Password), http.StatusTooManyRequests, "the sixth try in 15 minutes, with the right password")
	app.Post(t, "/signin", url.Values{"email": {demo.StaffEmail}, "password": {demo.Password}}).Want(t, http.StatusSeeOther,
		"another account is refused")
	got := app.NewPerson(t).PostJSON(t, "/signin", map[string]string{"email": demo.Email, "password": demo.Password})
	if answer := apptest.JSON[identity](t, got); got.Status != http.StatusTooManyRequests || answer.Success ||
		!strings.HasPrefix(answer.Error, "Too many attempts") {
		t.Errorf("the identity call: %d %+v", got.Status, answer)
	}
}

func TestAWriteWithACookieSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusForbidden, "with neither header")
	form.Set("Origin", "https://evil.example")
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusForbidden, "from elsewhere")
	form.Set("Origin", app.URL)
	app.Do(t, http.MethodPost, "/signout", nil, form).Want(t, http.StatusSeeOther, "from here")
}

type identity struct {
	Success bool
	User    *struct{ UID, Email, Name string }
	Error   string
}

// generous limits let a test try often.
var generous = accounts.Limits{SignInAccount: 100_000, SignInAddress: 100_000}

func TestTheIdentityCalls(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	call := func(path, email, password string) (int, identity) {
		got := app.NewPerson(t).PostJSON(t, path, map[string]string{"email": email, "password": password})
		return got.Status, apptest.JSON[identity](t, got)
	}
	for _, tt := range []struct {
		name, path, email, password string
		status                      int
		err                         string // "" for success
	}{
		{"sign-in (AUTH-04)", "/signin", demo.Email, demo.Password, 200, ""},
		{"sign-up (AUTH-04)", "/signup", "new@example.com", "Str0ng-pass", 200, ""},
		{"a wrong password (AUTH-05 AUTH-06 ADMIN-47)", "/signin", demo.StaffEmail, "Wrong-pass-1", 422, "Incorrect email or password."},
		{"a weak password (AUTH-05)", "/signup", "weak@example.com", "a", 422, "Password requires at least Uppercase, Number, Special character"},
		{"an address that has an account (AUTH-05 ADMIN-48)", "/signup", demo.Email, "Str0ng-pass", 422, view.EmailTaken},
		{"no address (AUTH-05)", "/signup", "x", "Str0ng-pass", 422, "Enter an email address like name@example.com."},
		{"another address in brackets (AUTH-05)", "/signup", "a1<target@x.co>", "Str0ng-pass", 422,
			"Enter an email address like name@example.com."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, got := call(tt.path, tt.email, tt.password)
			if status != tt.status || got.Success != (tt.err == "") || got.Error != tt.err {
				t.Errorf("%d %+v", status, got)
			}
			if got.Success && (got.User == nil || got.User.Email != tt.email || got.User.UID == "") {
				t.Errorf("the user is %+v", got.User)
			}
		})
	}
	app.PostJSON(t, "/signin", map[string]string{"email": demo.Email, "password": demo.Password})
	if !signedIn(t, app) {
		t.Error("the call opens no session")
	}
	for _, body := range []string{"", "{", "[]", `{"email":1}`, "\xff", strings.Repeat("[", 5000),
		`{"email":"` + strings.Repeat("a", 20_000) + `"}`} {
		got := app.NewPerson(t).Do(t, http.MethodPost, "/signin", strings.NewReader(body), http.Header{"Content-Type": {"application/json"}})
		if answer := apptest.JSON[identity](t, got); got.Status < 400 || got.Status > 499 || answer.Success || answer.Error == "" {
			t.Errorf("%.40q: %d %s", body, got.Status, got.Body)
		}
	}
}

func TestHTMXIsRedirectedToAWholePage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	send := func(password string) apptest.Answer {
		form := url.Values{"email": {demo.Email}, "password": {password}, "to": {"/pos/panezski"}}
		return app.Do(t, http.MethodPost, "/signin", strings.NewReader(form.Encode()), http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "Hx-Request": {"true"},
		})
	}
	if got := send("wrong"); got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "<html") ||
		!strings.Contains(got.Body, `id="account"`) {
		t.Errorf("a wrong password swaps %d %.200s", got.Status, got.Body)
	}
	if got := send(demo.Password); got.Status != http.StatusNoContent || got.Header.Get("HX-Redirect") != "/pos/panezski" {
		t.Errorf("%d to %q", got.Status, got.Header.Get("HX-Redirect"))
	}
}

func TestHostileInputIsTheVisitorsOwnFault(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Accounts: generous})
	signed := app.NewPerson(t).SignIn(t)
	values := []string{
		strings.Repeat("a", 15_000), strings.Repeat("a", 70_000), "a\x00b@c.de", "\xff\xfe", "a@b.co\r\nBcc: x@y.zz",
		"<script>alert(1)</script>@x.yy",
		"' OR 1=1 --@x.yy", "\u202e@x.yy", "٣@x.yy", "%00", "../../etc/passwd", "{{.}}", "\ud7ff\U0010ffff@x.yy",
	}
	for _, value := range values {
		for _, path := range []string{"/signin", "/signup", "/reset", "/reset/x", "/reset/" + url.PathEscape(value[:min(len(value), 3000)]),
			"/account", "/signout"} {
			form := url.Values{"email": {value}, "password": {value}, "confirm": {value}, "name": {value}, "do": {value}, "end": {value},
				"to": {value}, "old-password": {value}}
			for _, do := range []string{value, "name", "password"} {
				form.Set("do", do)
				browser := app
				if path == "/account" {
					browser = signed
				}
				got := browser.Post(t, path, form)
				if got.Status >= 500 || strings.Contains(got.Body, "<script>alert") || len(got.Header.Values("Bcc")) > 0 {
					t.Errorf("POST %.40s with %.40q: %d", path, value, got.Status)
				}
			}
			if got := app.Get(t, path+"?to="+url.QueryEscape(value[:min(len(value), 3000)])); got.Status >= 500 ||
				strings.Contains(got.Body, "<script>alert") {
				t.Errorf("GET %.40s with %.40q: %d", path, value, got.Status)
			}
		}
	}
}

// letters returns how many letters of a kind were queued.
func letters(t *testing.T, app *apptest.App, kind string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args->>'letter' = '"+kind+"'")
}

func TestASignInFromANewBrowserIsMailed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	in := url.Values{"email": {ann}, "password": {demo.Password}}
	app.Post(t, "/signin", in)
	check.Equal(t, letters(t, app, accounts.LetterNewBrowser), 0, "letters about the browser that made the account")
	thief := app.NewPerson(t)
	thief.Post(t, "/signin", url.Values{"email": {ann}, "password": {"Wrong-pass-1"}})
	thief.Post(t, "/signin", in)
	thief.Post(t, "/signin", in)
	check.Equal(t, letters(t, app, accounts.LetterNewBrowser), 1, "letters about a new browser that signs in twice")
	app.NewPerson(t).PostJSON(t, "/signin", map[string]string{"email": ann, "password": demo.Password})
	check.Equal(t, letters(t, app, accounts.LetterNewBrowser), 2, "letters after the identity call")
	for range 10 {
		app.NewPerson(t).Post(t, "/signin", in)
	}
	check.Equal(t, letters(t, app, accounts.LetterNewBrowser), 10, "letters in a day")
	app.SignIn(t)
	check.Equal(t, letters(t, app, accounts.LetterNewBrowser), 10, "the demo's account gets a letter")
}

func TestTheLetterAboutANewBrowserNamesIt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	agent := "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 see http://evil.example"
	app.NewPerson(t).Do(t, http.MethodPost, "/signin", strings.NewReader(url.Values{"email": {ann}, "password": {demo.Password}}.Encode()),
		http.Header{
			"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "User-Agent": {agent},
		})
	text := strings.Join(strings.Fields(app.Letter(t, ann, "Chrome on Windows").Plain), " ")
	check.Contains(t, text, "Chrome on Windows, at 127.0.0.1, signed in to your account just now.", "the letter")
	check.Lacks(t, text, "evil", "the letter")
}

func TestTheSecurityLogListsWhatHappened(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	bob := s.NewPerson(t).SignUp(t, "bob@example.com")
	thief := s.half(t)
	step(t, thief, "code", "000000")
	step(t, thief, "recovery", s.recovery[0])
	s.Post(t, "/account/two-step", url.Values{"do": {"codes"}, "code": {s.fresh(t)}})
	s.Post(t, "/account", url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {"An0ther-pass"},
		"confirm": {"An0ther-pass"}})
	v := s.Visit(t, "/account").Follow("Security log: every sign-in and change")
	var at int
	for _, line := range []string{
		"Password changed on the account page", "New recovery codes made; the old ones ended", "Signed in with the password and a recovery code",
		"A recovery code was used",
		"The right password was entered, then a wrong code", "Two-step sign-in turned on", "Confirmed again before an important change",
		"Signed in with the password",
	} {
		found := strings.Index(v.Body[at:], line)
		if found < 0 {
			t.Fatalf("no %q after byte %d: %s", line, at, v.Body)
		}
		at += found
	}
	v.Has("at 127.0.0.1")
	check.Must(t, s.Accounts.GivePassword(t.Context(), "bob@example.com", secret.New("Third-pass-1")))
	bob.Post(t, "/signin", url.Values{"email": {"bob@example.com"}, "password": {"Third-pass-1"}})
	bob.Visit(t, "/account/security").Has("New password set by our staff").HasNot("Two-step", "recovery code was used")
}

func TestTheSecurityLogHasPages(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	dbtest.Exec(t, app.Pool,
		"INSERT INTO account_event (account_id, kind) SELECT account_id, 'line ' || n || '.' FROM account_event, generate_series(1, 60) n")
	v := app.Visit(t, "/account/security").Has("line 60.", "line 11.").HasNot("line 10.", "Newest").Follow("Older").Has("line 10.", "line 9.",
		"Signed in").HasNot("line 11.", "Older")
	v.Follow("Newest").Has("line 60.")
}

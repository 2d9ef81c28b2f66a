package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
	view "forecourt/views/account"
)

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
		{"a wrong password (AUTH-05 AUTH-06 ADMIN-47)", "/signin", demo.StaffEmail, "Wrong-pass-1", 422, view.WrongCredentials},
		{"a weak password (AUTH-05)", "/signup", "weak@example.com", "a", 422, "Password requires at least Uppercase, Number, Special character"},
		{"an address that has an account (AUTH-05 ADMIN-48)", "/signup", demo.Email, "Str0ng-pass", 422, view.EmailTaken},
		{"no address (AUTH-05)", "/signup", "x", "Str0ng-pass", 422, "Enter an email address like name@example.com."},
		{"another address in brackets (AUTH-05)", "/signup", "a1<target@x.co>", "Str0ng-pass", 422, "Enter an email address like name@example.com."},
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
	for _, body := range []string{"", "{", "[]", `{"email":1}`, "\xff", strings.Repeat("[", 5000), `{"email":"` + strings.Repeat("a", 20_000) + `"}`} {
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
	if got := send("wrong"); got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "<html") || !strings.Contains(got.Body, `id="account"`) {
		t.Errorf("a wrong password swaps %d %.200s", got.Status, got.Body)
	}
	if got := send(demo.Password); got.Status != http.StatusNoContent || got.Header.Get("HX-Redirect") != "/pos/panezski" {
		t.Errorf("%d to %q", got.Status, got.Header.Get("HX-Redirect"))
	}
}

func TestHostileInputIsTheVisitorsOwnFault(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Accounts: generous})
	signed := app.NewPerson(t)
	signed.SignIn(t)
	values := []string{
		strings.Repeat("a", 15_000), strings.Repeat("a", 70_000), "a\x00b@c.de", "\xff\xfe", "a@b.co\r\nBcc: x@y.zz", "<script>alert(1)</script>@x.yy",
		"' OR 1=1 --@x.yy", "\u202e@x.yy", "٣@x.yy", "%00", "../../etc/passwd", "{{.}}", "\ud7ff\U0010ffff@x.yy",
	}
	for _, value := range values {
		for _, path := range []string{"/signin", "/signup", "/reset", "/reset/x", "/reset/" + url.PathEscape(value[:min(len(value), 3000)]), "/account", "/signout"} {
			form := url.Values{"email": {value}, "password": {value}, "confirm": {value}, "name": {value}, "do": {value}, "end": {value}, "to": {value}, "old-password": {value}}
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
			if got := app.Get(t, path+"?to="+url.QueryEscape(value[:min(len(value), 3000)])); got.Status >= 500 || strings.Contains(got.Body, "<script>alert") {
				t.Errorf("GET %.40s with %.40q: %d", path, value, got.Status)
			}
		}
	}
}

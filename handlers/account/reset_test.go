package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
)

func ask(t *testing.T, app *apptest.App, email string) {
	t.Helper()
	if got := app.Post(t, "/reset", url.Values{"email": {email}}); got.Status != http.StatusSeeOther || got.Location != "/reset?sent" {
		t.Fatalf("asking for %s: %d to %q", email, got.Status, got.Location)
	}
}

func TestAPasswordIsResetByMailOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignIn(t)
	visitor := app.NewPerson(t)
	ask(t, visitor, "nobody@example.com")
	ask(t, visitor, " "+strings.ToUpper(demo.Email))
	first := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	ask(t, visitor, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 2)[1])
	if got := visitor.Get(t, first); got.Status != http.StatusGone {
		t.Errorf("an older link: %d", got.Status)
	}

	page := visitor.Get(t, link)
	if page.Status != http.StatusOK || page.Header.Get("Referrer-Policy") != "strict-origin" || page.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the link: %d %v", page.Status, page.Header)
	}
	token := link[strings.LastIndexByte(link, '/')+1:]
	if strings.Contains(page.Body, token) {
		t.Error("the page repeats the token")
	}
	if got := visitor.Post(t, link, url.Values{"password": {"weak"}, "confirm": {"weak"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Password requires at least") {
		t.Errorf("a weak password: %d", got.Status)
	}
	fresh := url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}
	if got := visitor.Post(t, link, fresh); got.Status != http.StatusSeeOther || got.Location != "/signin?reset" {
		t.Fatalf("the new password: %d to %q", got.Status, got.Location)
	}
	if got := app.Get(t, "/account"); !strings.Contains(got.Body, "Forgot your password?") {
		t.Error("a session outlives the reset")
	}
	if got := visitor.Get(t, "/account"); !strings.Contains(got.Body, "Forgot your password?") {
		t.Error("the link signed its visitor in")
	}
	for _, again := range []apptest.Answer{visitor.Get(t, link), visitor.Post(t, link, fresh), visitor.Get(t, "/reset/never-made"), visitor.Post(t, "/reset/%00%ff", fresh)} {
		if again.Status != http.StatusGone || !strings.Contains(again.Body, "Get a new link") {
			t.Errorf("a used link: %d", again.Status)
		}
	}
	signIn := func(password string) int {
		return visitor.Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {password}}).Status
	}
	if old, now := signIn(demo.Password), signIn("An0ther-pass"); old != http.StatusUnprocessableEntity || now != http.StatusSeeOther {
		t.Errorf("the old password: %d, the new one: %d", old, now)
	}
	if told := app.Mails(t, demo.Email, 3)[2]; told.Subject != "Your password was changed" {
		t.Errorf("the last mail says %q", told.Subject)
	}
	if n := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE recipient = 'nobody@example.com'"); n != 0 {
		t.Errorf("%d mails to somebody without an account", n)
	}
}

func TestAResetLinkWorksForHalfAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	ask(t, app, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '29 minutes'")
	if got := app.Get(t, link).Status; got != http.StatusOK {
		t.Errorf("after 29 minutes: %d", got)
	}
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '2 minutes'")
	if got := app.Get(t, link).Status; got != http.StatusGone {
		t.Errorf("after 31 minutes: %d", got)
	}
	if got := app.Post(t, link, url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}).Status; got != http.StatusGone {
		t.Errorf("used after 31 minutes: %d", got)
	}
}

func TestResetRequestsAreLimitedAlikeForEverybody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, email := range []string{demo.Email, "nobody@example.com"} {
		for range 5 {
			ask(t, app, email)
		}
		if got := app.Post(t, "/reset", url.Values{"email": {email}}); got.Status != http.StatusTooManyRequests {
			t.Errorf("the sixth time for %s: %d", email, got.Status)
		}
	}
	if got := app.Post(t, "/reset", url.Values{"email": {"no address"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("no address: %d", got.Status)
	}
}

func TestAResetQueuesTheSameWorkForAnUnknownAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	queued := func(email string) (jobs int) {
		t.Helper()
		count := func() (n int) {
			if err := app.Pool.QueryRow(t.Context(), "SELECT count(*) FROM river_job").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := count()
		ask(t, app.NewPerson(t), email)
		return count() - before
	}
	if known, unknown := queued(demo.Email), queued("nobody@example.com"); known != 1 || unknown != known {
		t.Errorf("a known address queues %d jobs, an unknown one %d", known, unknown)
	}
}

func TestTheNewPasswordMustDifferFromTheOldOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignUp(t, ann)
	same := url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {demo.Password}, "confirm": {demo.Password}}
	if got := app.Post(t, "/account", same); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "That is your current password. Choose another one.") {
		t.Errorf("a change: %d", got.Status)
	}
	visitor := app.NewPerson(t)
	ask(t, visitor, ann)
	link := app.Link(t, app.Mails(t, ann, 1)[0])
	again := url.Values{"password": {demo.Password}, "confirm": {demo.Password}}
	for i := range 5 {
		if got := visitor.Post(t, link, again); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "That is your current password.") {
			t.Fatalf("try %d: %d", i, got.Status)
		}
	}
	if got := visitor.Post(t, link, again); got.Status != http.StatusTooManyRequests { // so that nobody finds the password by trying
		t.Errorf("the sixth try: %d", got.Status)
	}
	if !signedIn(t, app) || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE kind = 'password changed'") != 0 {
		t.Error("the password was changed")
	}
}

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
	"forecourt/internal/upkeep/demo"
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
	visitor.Get(t, first).Want(t, http.StatusGone, "an older link")

	page := visitor.Get(t, link)
	if page.Status != http.StatusOK || page.Header.Get("Referrer-Policy") != "strict-origin" || page.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the link: %d %v", page.Status, page.Header)
	}
	token := link[strings.LastIndexByte(link, '/')+1:]
	check.Lacks(t, page.Body, token, "the page repeats the token")
	got := visitor.Post(t, link, url.Values{"password": {"weak"}, "confirm": {"weak"}})
	got.Want(t, http.StatusUnprocessableEntity, "a weak password", "Password requires at least")
	fresh := url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}
	if got := visitor.Post(t, link, fresh); got.Status != http.StatusSeeOther || got.Location != "/signin?reset" {
		t.Fatalf("the new password: %d to %q", got.Status, got.Location)
	}
	check.Contains(t, app.Get(t, "/account").Body, "Forgot your password?", "a session outlives the reset")
	check.Contains(t, visitor.Get(t, "/account").Body, "Forgot your password?", "the link signed its visitor in")
	for _, again := range []apptest.Answer{visitor.Get(t, link), visitor.Post(t, link, fresh), visitor.Get(t, "/reset/never-made"), visitor.Post(t, "/reset/%00%ff", fresh)} {
		again.Want(t, http.StatusGone, "a used link", "Get a new link")
	}
	signIn := func(password string) int {
		return visitor.Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {password}}).Status
	}
	if old, now := signIn(demo.Password), signIn("An0ther-pass"); old != http.StatusUnprocessableEntity || now != http.StatusSeeOther {
		t.Errorf("the old password: %d, the new one: %d", old, now)
	}
	check.Equal(t, app.Mails(t, demo.Email, 3)[2].Subject, "Your password was changed", "the last mail says")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE recipient = 'nobody@example.com'"), 0,
		"mails to somebody without an account")
}

func TestAResetLinkWorksForHalfAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	ask(t, app, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '29 minutes'")
	app.Get(t, link).Want(t, http.StatusOK, "after 29 minutes")
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '2 minutes'")
	app.Get(t, link).Want(t, http.StatusGone, "after 31 minutes")
	app.Post(t, link, url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}).Want(t, http.StatusGone, "used after 31 minutes")
}

func TestResetRequestsAreLimitedAlikeForEverybody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, email := range []string{demo.Email, "nobody@example.com"} {
		for range 5 {
			ask(t, app, email)
		}
		app.Post(t, "/reset", url.Values{"email": {email}}).Want(t, http.StatusTooManyRequests, "the sixth time for "+email)
	}
	app.Post(t, "/reset", url.Values{"email": {"no address"}}).Want(t, http.StatusUnprocessableEntity, "no address")
}

func TestAResetQueuesTheSameWorkForAnUnknownAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	queued := func(email string) (jobs int) {
		t.Helper()
		count := func() (n int) {
			must.NoError(t, app.Pool.QueryRow(t.Context(), "SELECT count(*) FROM river_job").Scan(&n))
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
	app.Post(t, "/account", same).Want(t, http.StatusUnprocessableEntity, "a change", "That is your current password. Choose another one.")
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

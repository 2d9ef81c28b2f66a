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

const teamPage = "/desk/panezski/team"

var invitation = url.Values{"do": {"invite"}, "email": {"pat@example.com"}, "role": {"floor"}}

// grow makes every session, and so its last proof, as old as an interval.
func grow(t *testing.T, app *apptest.App, age string) {
	t.Helper()
	dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - $1::interval, proved_at = NULL", age)
}

// kept sends an invitation when the last proof is too old, and returns the id of the kept form.
func kept(t *testing.T, app *apptest.App) string {
	t.Helper()
	grow(t, app, "11 minutes")
	got := app.Post(t, teamPage, invitation)
	id, found := strings.CutPrefix(got.Location, "/kept/")
	if got.Status != http.StatusSeeOther || !found {
		t.Fatalf("an invitation after 11 minutes: %d %q", got.Status, got.Location)
	}
	return id
}

func invited(t *testing.T, app *apptest.App) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop_invite")
}

func proveBy(t *testing.T, app *apptest.App, path, id string, fields url.Values) apptest.Answer {
	t.Helper()
	return app.Post(t, path+"?kept="+id, fields)
}

var right = url.Values{"password": {demo.Password}}

func TestAProofHoldsForTenMinutes(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, tt := range []struct {
		name, created string
		proved        any
		asked         bool
	}{
		{"9 minutes after the sign-in", "9 minutes", nil, false},
		{"11 minutes after the sign-in", "11 minutes", nil, true},
		{"9 minutes after a proof", "5 hours", "9 minutes", false},
		{"11 minutes after a proof", "5 hours", "11 minutes", true},
	} {
		dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - $1::interval, proved_at = now() - $2::interval", tt.created, tt.proved)
		got := app.Post(t, teamPage, invitation)
		asked := strings.HasPrefix(got.Location, "/kept/")
		check.Equal(t, asked, tt.asked, "asked, %s: %d %q", tt.name, got.Status, got.Location)
	}
}

func TestASentFormGoesThroughAfterAProof(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	grow(t, app, "11 minutes")
	v := app.Visit(t, teamPage).Type("email", "pat@example.com").Press("Send invitation")
	v.Has("Confirm that it is you")
	check.Equal(t, invited(t, app), 0, "an invitation was made without a proof")
	before := cookie(t, app)
	if v.Type("password", "Wrong-pass-1").Press("Confirm and continue"); v.Status != http.StatusUnprocessableEntity || invited(t, app) != 0 {
		t.Errorf("a wrong password: %d", v.Status)
	}
	v.Type("password", demo.Password).Press("Confirm and continue")
	check.Equal(t, invited(t, app), 1, "a right one: %d", v.Status)
	v.Has("The invitation is on its way to pat@example.com.")
	check.Lacks(t, app.NewPerson(t).Do(t, http.MethodGet, "/account", nil, http.Header{"Cookie": {"forecourt=" + before}}).Body, "Where you are signed in",
		"the session still works under its id from before the proof")
	if got := app.Post(t, teamPage, url.Values{"do": {"invite"}, "email": {"kim@example.com"}, "role": {"floor"}}); strings.HasPrefix(got.Location, "/kept/") {
		t.Error("the next change asks again")
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 0, "forms are still kept")
}

func TestOnlyItsAccountSendsAKeptFormOnceToItsAddress(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := kept(t, app)
	other := app.NewPerson(t).SignUp(t, ann)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	other.Get(t, "/kept/"+id).Want(t, http.StatusGone, "another owner sees it")
	proveBy(t, other, teamPage, id, right).Want(t, http.StatusGone, "another owner sends it")
	check.Equal(t, invited(t, app), 0, "another owner sends it")
	same := app.NewPerson(t).SignIn(t)
	grow(t, app, "11 minutes")
	proveBy(t, same, teamPage, id, url.Values{}).Want(t, http.StatusUnprocessableEntity,
		"another session of the account sends it without a proof")
	check.Equal(t, invited(t, app), 0, "another session of the account sends it without a proof")
	app.NewPerson(t).Post(t, teamPage+"?kept="+id, right).Want(t, http.StatusUnauthorized, "a visitor without a session sends it")
	check.Equal(t, invited(t, app), 0, "a visitor without a session sends it")
	if got := app.Do(t, http.MethodPost, teamPage+"?kept="+id, strings.NewReader(right.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"cross-site"},
	}); got.Status != http.StatusForbidden || invited(t, app) != 0 {
		t.Errorf("another site sends it: %d", got.Status)
	}
	proveBy(t, app, teamPage, id, right).Must(t, http.StatusSeeOther, "its owner sends it")
	check.MustEqual(t, invited(t, app), 1, "its owner sends it")
	dbtest.Exec(t, app.Pool, "DELETE FROM shop_invite")
	for name, fields := range map[string]url.Values{"with the password": right, "with nothing": {}} {
		proveBy(t, app, teamPage, id, fields).Want(t, http.StatusGone, "again, "+name)
		check.Equal(t, invited(t, app), 0, "again, %s", name)
	}
	id = kept(t, app)
	proveBy(t, app, "/desk/panezski/live", id, right).Want(t, http.StatusGone, "at another address")
	check.Equal(t, invited(t, app), 0, "at another address")
	id = kept(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE kept SET created_at = now() - interval '61 minutes'")
	proveBy(t, app, teamPage, id, right).Want(t, http.StatusGone, "after 61 minutes")
	check.Equal(t, invited(t, app), 0, "after 61 minutes")
}

func TestConcurrentRequestsSendAKeptFormOnce(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := kept(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE session SET proved_at = now()") // in another tab
	hold, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	dbtest.Exec(t, hold, "SELECT FROM kept FOR UPDATE")
	late := make(chan int, 1)
	go func() {
		late <- atOnce([]*apptest.App{app, app, app, app}, http.StatusGone, func(b *apptest.App) int { return proveBy(t, b, teamPage, id, nil).Status })
	}()
	apptest.Eventually(t, "all have found the form", func() bool {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%KeptTake%' AND datname = current_database()") == 4
	})
	check.Must(t, hold.Rollback(t.Context()))
	if got := <-late; got != 3 || invited(t, app) != 1 {
		t.Errorf("%d of 4 came too late, %d invitations", got, invited(t, app))
	}
}

func TestAProofCountsForOneSession(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	thief := app.NewPerson(t).SignIn(t)
	proveBy(t, app, teamPage, kept(t, app), right).Must(t, http.StatusSeeOther, "the proof")
	thief.Post(t, teamPage, invitation).Leads(t, "/kept/…", "another session of the account is not asked for a proof")
}

func TestAProofTakesACodeWhereThereIsASecondStep(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	check.Must(t, s.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	id, code := kept(t, s.App), s.fresh(t)
	proveBy(t, s.App, teamPage, id, right).Want(t, http.StatusUnprocessableEntity, "a password alone")
	check.Equal(t, invited(t, s.App), 0, "a password alone")
	proveBy(t, s.App, teamPage, id, url.Values{"password": {"Wrong-pass-1"}, "code": {code}}).Want(t, http.StatusUnprocessableEntity,
		"a code alone")
	check.Equal(t, invited(t, s.App), 0, "a code alone")
	both := url.Values{"password": {demo.Password}, "code": {code}}
	proveBy(t, s.App, teamPage, id, both).Want(t, http.StatusSeeOther, "both")
	check.Equal(t, invited(t, s.App), 1, "both")
	proveBy(t, s.App, teamPage, kept(t, s.App), both).Want(t, http.StatusUnprocessableEntity, "a replayed code")
	proveBy(t, s.App, teamPage, kept(t, s.App), url.Values{"password": {demo.Password}, "code": {s.recovery[0]}}).Want(t, http.StatusSeeOther,
		"a recovery code")
}

func TestGuessingAtAProofIsLimitedLikeTheSignIn(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := kept(t, app)
	for range 5 {
		proveBy(t, app, teamPage, id, url.Values{"password": {"Wrong-pass-1"}}).Must(t, http.StatusUnprocessableEntity, "a guess")
	}
	proveBy(t, app, teamPage, id, right).Want(t, http.StatusTooManyRequests, "the sixth try, with the right password")
	check.Equal(t, invited(t, app), 0, "the sixth try, with the right password")
}

func TestChangingThePasswordIsAProof(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	grow(t, app, "11 minutes")
	app.Post(t, "/account", url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}})
	check.Lacks(t, app.Post(t, teamPage, invitation).Location, "/kept/", "after a change of the password")
	check.Equal(t, invited(t, app), 1, "after a change of the password")
}

func TestChangingThePasswordIsNoProofForAnAccountWithASecondStep(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	check.Must(t, s.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	grow(t, s.App, "11 minutes")
	got := s.Post(t, "/account", url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}})
	got.Must(t, http.StatusSeeOther, "changing the password")
	s.Post(t, teamPage, invitation).Leads(t, "/kept/…", "after a change of the password")
	check.Equal(t, invited(t, s.App), 0, "after a change of the password")
}

func TestSettingUpCodesIsNoProofBesideAPasskey(t *testing.T) {
	t.Parallel()
	app := hired(t)
	device := addPasskey(t, app)
	beStaff(t, app, true)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	open := app.NewPerson(t)
	enter(t, open, device.Sign(t, asked(t, open))).Must(t, http.StatusSeeOther, "the passkey signs in")
	grow(t, app, "11 minutes")
	for _, sent := range []url.Values{{"do": {"start"}}, {"do": {"start"}, "password": {demo.Password}}} {
		check.Equal(t, open.Post(t, "/account/two-step", sent).Status, http.StatusSeeOther, "the status, %v", sent)
	}
	check.Equal(t, dbtest.Value[int](t, open.Pool, "SELECT count(*) FROM totp"), 0, "keys for codes")
	check.Lacks(t, open.Get(t, "/account/two-step").Body, `name="password"`, "beside a passkey the page asks for the password")
	open.Post(t, teamPage, invitation).Leads(t, "/kept/…", "after the password alone an invitation")
	check.Equal(t, invited(t, open), 0, "after the password alone an invitation")
}

func TestCodesThatWereBegunBeforeThereWasAPasskeyNeedAProof(t *testing.T) {
	t.Parallel()
	app := hired(t)
	key := begin(t, app)
	addPasskey(t, app)
	beStaff(t, app, true)
	grow(t, app, "11 minutes")
	got := app.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {secured{App: app, key: key}.code(t, 0)}})
	if on := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM totp WHERE confirmed_at IS NOT NULL"); !strings.HasPrefix(got.Location, "/kept/") || on != 0 {
		t.Errorf("%d %q, %d keys are confirmed", got.Status, got.Location, on)
	}
}

func TestAPasskeyBeginsToSetUpCodesAndNoPasswordIsKept(t *testing.T) {
	t.Parallel()
	app := hired(t)
	device := addPasskey(t, app)
	beStaff(t, app, true)
	open := app.NewPerson(t)
	enter(t, open, device.Sign(t, asked(t, open)))
	grow(t, app, "11 minutes")
	start := url.Values{"do": {"start"}, "to": {"/desk"}}
	got := open.Post(t, "/account/two-step", start)
	id, found := strings.CutPrefix(got.Location, "/kept/")
	if !found {
		t.Fatalf("it asks for no proof: %d %q", got.Status, got.Location)
	}
	got = proveBy(t, open, "/account/two-step", id, url.Values{"passkey": {device.Sign(t, open.Post(t, "/account/passkeys/ask", nil).Body)}})
	got.Leads(t, "/account/two-step?to=%2Fdesk", "after the proof")
	check.Contains(t, open.Get(t, got.Location).Body, "Enter the code that it shows", "the setup has not begun")
	start.Set("password", demo.Password) // a page from before the account needed a passkey
	got = open.Post(t, "/account/two-step", start)
	if kept := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"); got.Location != "/account/two-step?to=%2Fdesk" || kept != 0 {
		t.Errorf("a form with the password: %d %q, %d forms are kept", got.Status, got.Location, kept)
	}
}

func TestAFormWithACardNumberOrAPasswordAsksForTheProofAlone(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	grow(t, app, "11 minutes")
	for name, value := range map[string]string{"confirm": "Blue-kettle-7", "4111 1111 1111 1111": "", "note": "4111 1111 1111 1111"} {
		form := url.Values{"do": {"invite"}, "email": {"pat@example.com"}, "role": {"floor"}, name: {value}}
		app.Read(t, teamPage, app.Post(t, teamPage, form)).Has("so it does not wait here")
	}
	v := app.Read(t, teamPage, app.Post(t, teamPage, url.Values{"do": {"invite"}, "email": {"pat@example.com"}, "password": {"x"}})).Has("so it does not wait here")
	v.Type("password", demo.Password).Press("Confirm and continue")
	check.Equal(t, invited(t, app), 0, "a form with a card number was sent")
	check.Lacks(t, app.Post(t, teamPage, invitation).Location, "/kept/", "after the proof")
	check.Equal(t, invited(t, app), 1, "after the proof")
	app.SignInStaff(t)
	grow(t, app, "11 minutes")
	const page = "/staff/accounts/panezski"
	got := app.Post(t, page, url.Values{"do": {"set"}, "live": {"false"}, "mode": {"test"}, "mid": {"canary-mid"}, "password": {"Canary-paylink-1"}})
	check.Lacks(t, dbtest.Value[string](t, app.Pool, "SELECT encode(sealed, 'escape') FROM kept"), "Canary", "a form with a password")
	app.Visit(t, got.Location).Has("so it does not wait here")
}

func TestKeptFormsAreSealedAndFew(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for range 7 {
		kept(t, app)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), 5, "forms of an account")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept WHERE position('pat' IN encode(sealed, 'escape')) > 0"), 0,
		"a kept form can be read")
	other := app.NewPerson(t).SignUp(t, ann)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	moved := kept(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE kept SET account_id = (SELECT id FROM account WHERE email = $1)", ann)
	if got := proveBy(t, other, teamPage, moved, right); got.Status == http.StatusSeeOther || invited(t, app) != 0 {
		t.Errorf("a form moved to another account can be sent: %d", got.Status)
	}
	id := kept(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '31 minutes'")
	before := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept")
	app.Post(t, teamPage+"?kept="+id, url.Values{"password": {demo.Password}, "code": {"123456"}})
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM kept"), before, "the form of a late code is kept")
}

func TestAProgramGetsASecretOnlyAfterAProof(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	secret := "/merchant/admin/" + demo.MerchantUUID + "/secret"
	ask := func() apptest.Answer {
		return app.Do(t, http.MethodPost, secret, nil, http.Header{"Accept": {"application/json"}, "Sec-Fetch-Site": {"same-origin"}})
	}
	ask().Must(t, http.StatusOK, "just after the sign-in")
	grow(t, app, "11 minutes")
	if got := ask(); got.Status != http.StatusForbidden || strings.Contains(got.Body, `"key"`) {
		t.Errorf("after 11 minutes: %d", got.Status)
	}
	swap := app.Do(t, http.MethodPost, secret+"?e", strings.NewReader("x=y"), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "Hx-Request": {"true"},
	})
	if to := swap.Header.Get("HX-Redirect"); swap.Status != http.StatusNoContent || !strings.HasPrefix(to, "/kept/") || !strings.HasSuffix(to, "?e") {
		t.Errorf("the page's script in a frame gets %d %q", swap.Status, to)
	}
}

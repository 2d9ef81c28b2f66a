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

// hired is a site that is not a demo, where ann has signed up with a verified address.
func hired(t *testing.T) *apptest.App {
	t.Helper()
	app := apptest.New(t, apptest.Options{Live: true, Jobs: true}).SignUp(t, ann)
	dbtest.Exec(t, app.Pool, "UPDATE account SET verified_at = now()")
	return app
}

func beStaff(t *testing.T, app *apptest.App, staff bool) {
	t.Helper()
	check.Must(t, app.Accounts.SetStaff(t.Context(), ann, staff))
}

// led fails the test unless the pages redirect to the set-up, and the set-up back to them.
func led(t *testing.T, app *apptest.App, paths ...string) {
	t.Helper()
	for _, path := range paths {
		app.Get(t, path).Leads(t, "/account/two-step?to="+url.QueryEscape(path), path)
	}
}

func opens(t *testing.T, app *apptest.App, paths ...string) {
	t.Helper()
	for _, path := range paths {
		app.Get(t, path).Want(t, http.StatusOK, path)
	}
}

func TestStaffCanDoNothingWithoutASecondStep(t *testing.T) {
	t.Parallel()
	app := hired(t)
	opens(t, app, "/desk")
	beStaff(t, app, true) // with a session opened before
	led(t, app, "/staff/forms", "/staff/live?state=waiting", "/desk", "/merchant/admin")
	app.Post(t, "/staff/site/nav/product", url.Values{"do": {"up"}}).Leads(t, "/account/two-step", "a write")
	app.PostJSON(t, "/api/create", map[string]any{"name": "X"}, "Sec-Fetch-Site", "same-origin").Want(t, http.StatusForbidden, "a call")
	opens(t, app, "/", "/account", "/account/two-step")
	for name, to := range map[string]string{"": "/account/two-step?to=%2Fstaff", "/staff/live": "/account/two-step?to=%2Fstaff%2Flive"} {
		check.Equal(t, app.NewPerson(t).Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}, "to": {name}}).Location, to,
			"a sign-in for %q leads to", name)
	}
	v := app.Visit(t, "/account/two-step?to=%2Fstaff%2Fforms").Has("Set it up to continue.").Type("password", demo.Password).Press("Begin")
	s := secured{App: app, key: strings.ReplaceAll(keyText.FindStringSubmatch(v.Body)[1], " ", "")}
	led(t, app, "/staff/forms")
	v.Type("code", s.code(t, 0)).Press("Turn on two-step sign-in").Follow("I have kept them")
	v.Want(t, http.StatusOK, "after the set-up")
	check.Equal(t, v.Path, "/staff/forms", "after the set-up")
}

func TestOwnersOfALiveBusinessCanDoNothingWithoutASecondStep(t *testing.T) {
	t.Parallel()
	app := hired(t)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	opens(t, app, "/desk/panezski", "/pos/panezski/kitchen")
	app.Visit(t, "/desk/panezski/live").Has("You have not set it up yet.").Follow("Set it up").Has("Two-step sign-in")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	led(t, app, "/desk/panezski", "/desk/panezski/team", "/desk/panezski/exports", "/pos/panezski/kitchen", "/merchant/admin", "/desk")
	dbtest.Exec(t, app.Pool, "UPDATE shop_member SET role = 'manager' WHERE account_id = (SELECT id FROM account WHERE email = $1)", ann)
	opens(t, app, "/desk/panezski", "/pos/panezski/kitchen")
	dbtest.Exec(t, app.Pool, "UPDATE shop_member SET role = 'owner'")
	setUp(t, app)
	opens(t, app, "/desk/panezski", "/desk/panezski/team", "/pos/panezski/kitchen")
	check.Lacks(t, app.Get(t, "/desk/panezski").Body, "not set it up yet", "the checklist still asks for two-step sign-in")
}

// The test tries every address of the desk, whatever right it needs, because it is easy to forget a new kind of right.
func TestNothingOfALiveDeskOpensWithoutASecondStep(t *testing.T) {
	t.Parallel()
	app := hired(t)
	check.Must(t, app.Accounts.SetAdmin(t.Context(), ann, "panezski", true))
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	asked := 0
	for _, route := range app.Site.Map {
		path := strings.NewReplacer("{client}", "panezski", "{id}", "1", "{no}", "1", "{file}", "menu.csv").Replace(route.Path)
		if !strings.HasPrefix(path, "/desk/panezski") || strings.Contains(path, "{") {
			continue
		}
		asked++
		if route.Method == http.MethodGet {
			led(t, app, path)
		} else if got := app.Post(t, path, url.Values{"do": {"x"}}); got.Location != "/account/two-step" {
			t.Errorf("%s %s: %d %q", route.Method, path, got.Status, got.Location)
		}
	}
	if asked < 60 {
		t.Errorf("only %d addresses were requested", asked)
	}
}

func TestADemoAsksForNoSecondStep(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	beStaff(t, app, true)
	opens(t, app, "/staff/forms")
	app.SignIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true")
	opens(t, app, "/desk/panezski")
}

func TestTheLastFactorStaysWhileItIsNeeded(t *testing.T) {
	t.Parallel()
	app := hired(t)
	s := setUp(t, app)
	remove := func(b *apptest.App) apptest.Answer {
		return b.Post(t, "/account/two-step", url.Values{"do": {"remove"}, "password": {demo.Password}, "code": {s.recovery[0]}})
	}
	beStaff(t, app, true)
	app.Visit(t, "/account/two-step").Has("must keep it on").HasNot("Turn off two-step sign-in")
	if got := atOnce([]*apptest.App{app, app, app}, http.StatusConflict, func(b *apptest.App) int { return remove(b).Status }); got != 3 || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM totp") != 1 {
		t.Errorf("%d of 3 refused, %d factors left", got, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM totp"))
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM recovery_code WHERE used_at IS NULL"), 10, "recovery codes are left")
	beStaff(t, app, false)
	remove(app).Want(t, http.StatusSeeOther, "removing a factor that is not needed")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM totp"), 0, "removing a factor that is not needed")
	beStaff(t, app, true)
	led(t, app, "/staff/forms") // although the session was opened with a code
}

func TestThePageMarksPasskeysOfAnotherHostName(t *testing.T) {
	t.Parallel()
	app := hired(t)
	addPasskey(t, app)
	beStaff(t, app, true)
	dbtest.Exec(t, app.Pool, "UPDATE passkey SET rp_id = 'pay.before.example'")
	browser := app.NewPerson(t)
	got := browser.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
	browser.Visit(t, got.Location).Has("Your passkeys were made for pay.before.example, and work there only.").HasNot("Use a passkey")
}

func TestAfterALockOutTheSecondStepIsSetUpAgain(t *testing.T) {
	t.Parallel()
	app := hired(t)
	setUp(t, app)
	beStaff(t, app, true)
	check.Must(t, app.Accounts.DropTwoStep(t.Context(), ann, "operator jo"))
	check.Equal(t, app.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}}).Location, "/account/two-step?to=%2Fstaff",
		"the sign-in")
	led(t, app, "/staff/forms")
}

func TestTheSecondStepMovesToAnotherApp(t *testing.T) {
	t.Parallel()
	app := hired(t)
	s := setUp(t, app)
	other := s.half(t)
	step(t, other, "code", s.fresh(t))
	for _, tt := range []struct{ name, password, code string }{
		{"a wrong password", "Wrong-pass-1", s.fresh(t)}, {"a wrong code", demo.Password, "000000"},
	} {
		got := app.Post(t, "/account/two-step", url.Values{"do": {"move"}, "password": {tt.password}, "code": {tt.code}})
		if got.Status != http.StatusUnprocessableEntity || keyText.MatchString(app.Get(t, "/account/two-step").Body) {
			t.Errorf("%s begins a move: %d", tt.name, got.Status)
		}
	}
	v := app.Visit(t, "/account/two-step").Type("password", demo.Password).Type("code", s.fresh(t)).Press("Move to another app")
	next := secured{App: app, key: strings.ReplaceAll(keyText.FindStringSubmatch(v.Body)[1], " ", "")}
	if next.key == s.key {
		t.Fatal("the new app gets the old key")
	}
	if keyText.MatchString(other.Get(t, "/account/two-step").Body) {
		t.Error("another session sees the new key")
	}
	if got := other.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {next.code(t, 0)}}); got.Status != http.StatusSeeOther || !signedIn(t, app) {
		t.Errorf("another session completes the move: %d", got.Status)
	}
	check.Equal(t, step(t, s.half(t), "code", s.fresh(t)), http.StatusSeeOther, "the old app, before the new one has made a code")
	v.Type("code", "000000").Press("Use this app from now on")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "a wrong first code")
	v.Type("code", next.code(t, 0)).Press("Use this app from now on").Has("Your new app makes the codes now.")
	check.Equal(t, signedIn(t, other), false, "the other browser is still signed in, or this one is not: signed in")
	check.Equal(t, signedIn(t, app), true, "the other browser is still signed in, or this one is not: signed in")
	late := s.half(t)
	if got := step(t, late, "code", s.fresh(t)); got == http.StatusSeeOther {
		t.Error("the old app still works")
	}
	check.Equal(t, step(t, late, "code", next.fresh(t)), http.StatusSeeOther, "the new app")
	s.mail(t, 2, "Two-step sign-in moved to another app")
}

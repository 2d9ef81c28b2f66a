package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
	view "forecourt/views/account"
)

// opensWith reports whether a browser that has only a session's cookie is signed in.
func opensWith(t *testing.T, app *apptest.App, session string) bool {
	t.Helper()
	got := app.NewPerson(t).Do(t, http.MethodGet, "/account", nil, http.Header{"Cookie": {"forecourt=" + session}})
	return strings.Contains(got.Body, "Where you are signed in")
}

// TestASignInReplacesAPlantedSession puts a session that an attacker knows into ann's browser before she signs in there.
func TestASignInReplacesAPlantedSession(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	device := addPasskey(t, s.App)
	pat := s.NewPerson(t)
	pat.SignUp(t, "pat@example.com")
	password := func(b *apptest.App, email string) {
		b.Post(t, "/signin", url.Values{"email": {email}, "password": {demo.Password}})
	}
	for name, signIn := range map[string]func(*apptest.App){
		"a password": func(b *apptest.App) { password(b, "pat@example.com") },
		"a code":     func(b *apptest.App) { password(b, ann); step(t, b, "code", s.fresh(t)) },
		"a recovery code": func(b *apptest.App) {
			password(b, ann)
			step(t, b, "recovery", s.recovery[0])
			s.recovery = s.recovery[1:]
		},
		"a passkey": func(b *apptest.App) { enter(t, b, device.Sign(t, asked(t, b))) },
	} {
		mallory := s.NewPerson(t)
		mallory.SignUp(t, strings.ReplaceAll(name, " ", ".")+"@example.com")
		for kind, planted := range map[string]string{"the attacker's own": cookie(t, mallory), "an unknown one": "AAAAAAAAAAAAAAAAAAAAAAAAAA"} {
			victim := s.NewPerson(t)
			site, _ := url.Parse(s.URL)
			victim.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "forecourt", Value: planted, Path: "/"}})
			signIn(victim)
			if cookie(t, victim) == planted || !signedIn(t, victim) || !strings.Contains(victim.Get(t, "/account/two-step").Body, "Two-step sign-in") {
				t.Errorf("%s, with the session %s: the browser is not signed in to a session of its own", name, kind)
			}
			if opensWith(t, s.App, planted) {
				t.Errorf("%s, with the session %s: the planted session opens the account", name, kind)
			}
		}
	}
}

func TestAStolenRecoveryCodeIsWorthOneSignIn(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	device := addPasskey(t, s.App)
	stolen := s.recovery[0]
	thief := s.half(t)
	if got := step(t, thief, "recovery", stolen); got != http.StatusSeeOther || !signedIn(t, thief) {
		t.Fatalf("the sign-in: %d", got)
	}
	check.Contains(t, s.mail(t, 3, "A recovery code was used").Plain, "9 of them are left", "the mail says")
	s.Visit(t, "/account/security").Has("Signed in with the password and a recovery code", "A recovery code was used")
	for name, form := range map[string]url.Values{
		"to turn two-step sign-in off": {"do": {"remove"}, "password": {demo.Password}, "code": {stolen}},
		"to move it to another app":    {"do": {"move"}, "password": {demo.Password}, "code": {stolen}},
		"for new recovery codes":       {"do": {"codes"}, "code": {stolen}},
	} {
		thief.Post(t, "/account/two-step", form).Want(t, http.StatusUnprocessableEntity, "second use, "+name)
	}
	id := keptStart(t, thief) // ten minutes later
	check.Equal(t, proveBy(t, thief, "/account/passkeys", id, url.Values{"password": {demo.Password}, "code": {stolen}}).Status, http.StatusUnprocessableEntity,
		"second use, as a proof")
	owner := s.NewPerson(t)
	enter(t, owner, device.Sign(t, asked(t, owner)))
	owner.Post(t, "/account/two-step", url.Values{"do": {"codes"}, "code": {s.fresh(t)}}).Must(t, http.StatusOK, "new recovery codes")
	if signedIn(t, thief) || !signedIn(t, owner) {
		t.Error("the stolen code's session is still open, or the owner's has ended")
	}
	if got := step(t, s.half(t), "recovery", s.recovery[1]); got == http.StatusSeeOther {
		t.Error("another of the old codes signs in")
	}
}

// TestTakingAFactorAwayEndsEarlierSessions removes or replaces each factor that another browser may have signed in with. Other changes
// end sessions in TestASecondStepIsSetUpWithAPasswordAndACode, TestTheSecondStepMovesToAnotherApp,
// TestChangingThePasswordEndsOtherSessionsAndIsMailed, TestAPasswordIsResetByMailOnce and TestAnOperatorRemovesASecondStepThatWasLost.
func TestTakingAFactorAwayEndsEarlierSessions(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	device := addPasskey(t, s.App)
	for _, change := range []struct {
		name, path, leads string
		form              func() url.Values
	}{
		{"new recovery codes", "/account/two-step", "", func() url.Values { return url.Values{"do": {"codes"}, "code": {s.fresh(t)}} }},
		{"a removed passkey", "/account/passkeys", "/account/passkeys?done=removed", func() url.Values {
			return url.Values{"do": {"remove"}, "id": {passkeyID.FindStringSubmatch(s.Get(t, "/account/passkeys").Body)[1]}}
		}},
		{"two-step sign-in turned off", "/account/two-step", "/account/two-step?removed", func() url.Values {
			return url.Values{"do": {"remove"}, "password": {demo.Password}, "code": {s.fresh(t)}}
		}},
	} {
		other := s.half(t)
		if change.path == "/account/passkeys" {
			enter(t, other, device.Sign(t, asked(t, other)))
		} else {
			step(t, other, "code", s.fresh(t))
		}
		if !signedIn(t, other) {
			t.Fatalf("%s: the other browser is not signed in", change.name)
		}
		if got := s.Post(t, change.path, change.form()); got.Location != change.leads || got.Status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %q", change.name, got.Status, got.Location)
		}
		if signedIn(t, other) || !signedIn(t, s.App) {
			t.Errorf("%s: the other session is still open, or this one has ended", change.name)
		}
	}
}

func TestAProofByPasskeyIsGoodOnce(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	device := addPasskey(t, s.App)
	wanted := func() string { return s.Post(t, "/account/passkeys/ask", nil).Body }
	id, answer := keptStart(t, s.App), device.Sign(t, wanted())
	before := cookie(t, s.App)
	proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {answer}}).Must(t, http.StatusOK, "the right one")
	if opensWith(t, s.App, before) || !signedIn(t, s.App) {
		t.Error("the session still works under its id from before the proof, or its new id does not work")
	}
	id = keptStart(t, s.App)
	got := proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {answer}})
	got.Want(t, http.StatusUnprocessableEntity, "replayed", view.PasskeyLate(accounts.ChallengeFor))
	copied := *device
	copied.Count = 1
	got = proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {copied.Sign(t, wanted())}})
	got.Want(t, http.StatusUnprocessableEntity, "with a counter that went back", view.PasskeyCopied)
}

// TestASquattersCodesDoNotLockTheOwnerOut signs up with another person's address and turns on two-step sign-in.
func TestASquattersCodesDoNotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	owner := s.NewPerson(t)
	reset := func(n int, password string) {
		t.Helper()
		ask(t, owner, ann)
		var link string
		for _, m := range s.Mails(t, ann, n) {
			if m.Subject == "Choose a new password" {
				link = s.Link(t, m)
			}
		}
		owner.Post(t, link, url.Values{"password": {password}, "confirm": {password}}).Must(t, http.StatusSeeOther, "a new password")
	}
	reset(2, "An0ther-pass")
	if got := owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {"An0ther-pass"}}); got.Location != "/desk" || !signedIn(t, owner) {
		t.Fatalf("the owner signs in: %d %q", got.Status, got.Location)
	}
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT (SELECT count(*) FROM totp) + (SELECT count(*) FROM recovery_code)"), 0,
		"keys and recovery codes of the squatter are left")
	owner.Visit(t, "/account/security").Has("Two-step sign-in turned off")

	// The owner's own factors survive the next reset of the password.
	reset(4, demo.Password)
	owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
	setUp(t, owner)
	reset(7, "Third-pass-1")
	got := owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {"Third-pass-1"}})
	check.Equal(t, got.Location, "/signin/code", "the sign-in does not ask for the owner's codes: %d", got.Status)
}

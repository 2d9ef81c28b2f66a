package account_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
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
	s.NewPerson(t).SignUp(t, "pat@example.com")
	for name, signIn := range map[string]func(*apptest.App){
		"a password": func(b *apptest.App) { b.SignInAs(t, "pat@example.com") },
		"a code":     func(b *apptest.App) { step(t, b.SignInAs(t, ann), "code", s.fresh(t)) },
		"a recovery code": func(b *apptest.App) {
			step(t, b.SignInAs(t, ann), "recovery", s.recovery[0])
			s.recovery = s.recovery[1:]
		},
		"a passkey": func(b *apptest.App) { enter(t, b, device.Sign(t, asked(t, b))) },
	} {
		mallory := s.NewPerson(t).SignUp(t, strings.ReplaceAll(name, " ", ".")+"@example.com")
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
	check.Equal(t, signedIn(t, thief), false, "the stolen code's session is still open, or the owner's has ended: signed in")
	check.Equal(t, signedIn(t, owner), true, "the stolen code's session is still open, or the owner's has ended: signed in")
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
	check.Equal(t, opensWith(t, s.App, before), false,
		"the session still works under its id from before the proof, or its new id does not work")
	check.Equal(t, signedIn(t, s.App), true,
		"the session still works under its id from before the proof, or its new id does not work: signed in")
	id = keptStart(t, s.App)
	got := proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {answer}})
	got.Want(t, http.StatusUnprocessableEntity, "replayed", "That took longer than five minutes. Please try again.")
	copied := *device
	copied.Count = 1
	got = proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {copied.Sign(t, wanted())}})
	got.Want(t, http.StatusUnprocessableEntity, "with a counter that went back", accounts.ErrCopied.Error())
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

// guesser is a browser that comes from an address of its choice.
type guesser struct {
	*apptest.App
	from string
}

func (g guesser) post(t *testing.T, path string, form url.Values) apptest.Answer {
	t.Helper()
	return g.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "X-Forwarded-For": {g.from},
	})
}

// guesses types wrong codes until the site stops checking them, and returns how many it checked.
func (g guesser) guesses(t *testing.T) (checked int) {
	t.Helper()
	for checked <= 30 && g.post(t, "/signin/code", url.Values{"code": {"000000"}}).Status == http.StatusUnprocessableEntity {
		checked++
	}
	return checked
}

// TestAResetGivesNoMoreGuesses plays an attacker who reads the owner's mail. Each reset makes one more browser known to the site.
func TestAResetGivesNoMoreGuesses(t *testing.T) {
	t.Parallel()
	behind := apptest.Options{Jobs: true, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	for name, tt := range map[string]struct {
		networks int // that use the password first
		want     int
	}{"in one network": {1, 5}, "in many networks": {4, 20}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, checked := newSecured(t, behind), 0
			s.Verify(t, ann) // otherwise a reset removes the factors
			for n := range tt.networks {
				checked += guesser{s.half(t), fmt.Sprintf("203.0.113.%d", n)}.guesses(t)
			}
			for n := range 3 {
				thief := guesser{s.NewPerson(t), fmt.Sprintf("203.0.113.%d", n%tt.networks)}
				thief.post(t, "/reset", url.Values{"email": {ann}})
				link := ""
				for _, m := range s.Mails(t, ann, 2+2*n) { // one about the second step, then two for each reset: the link and the change
					if m.Subject == "Choose a new password" {
						link = s.Link(t, m)
					}
				}
				password := fmt.Sprintf("An0ther-pass-%d", n)
				got := thief.post(t, link, url.Values{"password": {password}, "confirm": {password}})
				check.MustEqual(t, got.Location, "/signin?reset", "reset %d: %d", n+1, got.Status)
				got = thief.post(t, "/signin", url.Values{"email": {ann}, "password": {password}})
				check.MustEqual(t, got.Location, "/signin/code", "the new password leads to %d", got.Status)
				checked += thief.guesses(t)
			}
			check.Equal(t, checked, tt.want, "guesses were checked")
		})
	}
}

// TestTwentyGuessesAnHourInKnownBrowsersToo signs in with codes in six browsers and guesses in each.
func TestTwentyGuessesAnHourInKnownBrowsersToo(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	var browsers []guesser
	for n := range 6 {
		browser := guesser{s.half(t), "127.0.0.1"}
		check.MustEqual(t, step(t, browser.App, "recovery", s.recovery[n]), http.StatusSeeOther, "recovery code %d", n+1)
		browsers = append(browsers, browser)
	}
	checked := guesser{s.half(t), "127.0.0.1"}.guesses(t) // in an unknown browser
	for _, browser := range browsers {
		browser.Post(t, "/signout", nil)
		browser.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
		if got := browser.guesses(t); got > 5 {
			t.Errorf("%d guesses in one browser", got)
		} else {
			checked += got
		}
	}
	check.Equal(t, checked, 20, "guesses were checked")
}

// TestACodeMakesABrowserKnown uses up the tries of a network. A browser in which a code was typed has tries of its own, and so has the one that set up
// the second step. A browser known only by the password has none.
func TestACodeMakesABrowserKnown(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	before := app.NewPerson(t).SignInAs(t, ann)
	s := setUp(t, app)
	gave := s.half(t)
	check.MustEqual(t, step(t, gave, "code", s.fresh(t)), http.StatusSeeOther, "a code")
	check.MustEqual(t, (guesser{s.half(t), ""}).guesses(t), 5, "a stranger's guesses")
	for name, tt := range map[string]struct {
		browser *apptest.App
		want    int
	}{
		"gave a code": {gave, http.StatusSeeOther}, "set it up": {s.App, http.StatusSeeOther},
		"gave a password alone": {before, http.StatusTooManyRequests},
	} {
		tt.browser.Post(t, "/signout", nil)
		tt.browser.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
		check.Equal(t, step(t, tt.browser, "code", s.fresh(t)), tt.want, "a browser that %s", name)
	}
}

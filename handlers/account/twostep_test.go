package account_test

import (
	"encoding/base64"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/hotp"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
	view "forecourt/views/account"
)

const ann = "ann@example.com"

// secured is a site where ann has set up a second step in the browser App.
type secured struct {
	*apptest.App
	key      string
	recovery []string
}

var (
	keyText = regexp.MustCompile(`<code class="key-text">([^<]+)</code>`)
	codes   = regexp.MustCompile(`[a-z2-7]{5}(?:-[a-z2-7]{5}){3}-[a-z2-7]{6}`)
)

func newSecured(t *testing.T, o apptest.Options) secured {
	t.Helper()
	app := apptest.New(t, o)
	app.SignUp(t, ann)
	return setUp(t, app)
}

func setUp(t *testing.T, app *apptest.App) secured {
	t.Helper()
	s := secured{App: app, key: begin(t, app)}
	got := app.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {s.code(t, 0)}})
	s.recovery = codes.FindAllString(got.Body, -1)
	got.Must(t, http.StatusOK, "confirm")
	check.MustEqual(t, len(s.recovery), 10, "confirm")
	return s
}

// begin starts a set-up and returns the key.
func begin(t *testing.T, app *apptest.App) string {
	t.Helper()
	app.Post(t, "/account/two-step", url.Values{"do": {"start"}, "password": {demo.Password}}).Must(t, http.StatusSeeOther, "start")
	found := keyText.FindStringSubmatch(app.Get(t, "/account/two-step").Body)
	if found == nil {
		t.Fatal("no key is shown")
	}
	return strings.ReplaceAll(found[1], " ", "")
}

// code returns the code for the time step that is so many steps after the current one.
func (s secured) code(t *testing.T, after int64) string {
	t.Helper()
	code, err := hotp.GenerateCode(s.key, uint64(time.Now().Unix()/30+after))
	check.Must(t, err)
	return code
}

// fresh returns a code that the account accepts, whatever codes were used before.
func (s secured) fresh(t *testing.T) string {
	t.Helper()
	dbtest.Exec(t, s.Pool, "UPDATE totp SET last_step = 0")
	return s.code(t, 0)
}

// half signs in another browser as far as the second step.
func (s secured) half(t *testing.T) *apptest.App {
	t.Helper()
	browser := s.NewPerson(t)
	got := browser.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}, "to": {"/account"}})
	got.Leads(t, "/signin/code?to=%2Faccount", "a right password")
	return browser
}

// mail waits for n letters to ann and returns the one with a subject.
func (s secured) mail(t *testing.T, n int, subject string) apptest.Mail {
	t.Helper()
	for _, m := range s.Mails(t, ann, n) {
		if m.Subject == subject {
			return m
		}
	}
	t.Fatalf("no mail says %q", subject)
	return apptest.Mail{}
}

func step(t *testing.T, browser *apptest.App, field, code string) int {
	t.Helper()
	return browser.Post(t, "/signin/code", url.Values{field: {code}, "to": {"/account"}}).Status
}

func TestASecondStepIsSetUpWithAPasswordAndACode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	phone := app.NewPerson(t).SignInAs(t, ann)
	if got := app.Post(t, "/account/two-step", url.Values{"do": {"start"}, "password": {"Wrong-pass-1"}}); got.Status != http.StatusUnprocessableEntity ||
		keyText.MatchString(app.Get(t, "/account/two-step").Body) {
		t.Errorf("a wrong password starts it: %d", got.Status)
	}
	begin(t, app)
	if keyText.MatchString(phone.Get(t, "/account/two-step").Body) {
		t.Error("another session of the account sees the key")
	}
	phone.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {"000000"}}).Want(t, http.StatusSeeOther,
		"another session confirms the set-up")
	got := app.Post(t, "/account/two-step", url.Values{"do": {"confirm"}, "code": {"000000"}})
	got.Want(t, http.StatusUnprocessableEntity, "a wrong code", accounts.ErrCode.Error())
	check.Equal(t, app.NewPerson(t).Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}}).Location, "/desk",
		"the sign-in asks for a second step that was not confirmed")
	s := setUp(t, app)
	check.Equal(t, signedIn(t, phone), false, "the other browser is still signed in, or this one is not: signed in")
	check.Equal(t, signedIn(t, app), true, "the other browser is still signed in, or this one is not: signed in")
	if got := app.Get(t, "/account/two-step").Body; codes.MatchString(got) || strings.Contains(got, s.key) {
		t.Error("the page shows the codes or the key again")
	}
	check.Equal(t, app.Mails(t, ann, 1)[0].Subject, "Two-step sign-in is on", "the mail")
	app.Visit(t, "/account").Has("You have 10 recovery codes left.")
}

func TestAPasswordAloneOpensNothing(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	thief := s.half(t)
	half := ""
	site, _ := url.Parse(s.URL)
	for _, c := range thief.Client.Jar.Cookies(site) {
		if c.Name == "forecourt" || c.Name == "forecourt-known" {
			t.Errorf("a half-finished sign-in gets the cookie %s", c.Name)
		}
		if c.Name == "forecourt-half" {
			half = c.Value
		}
	}
	if signedIn(t, thief) || thief.Get(t, "/account/two-step").Status == http.StatusOK && strings.Contains(thief.Get(t, "/account/two-step").Body, "Turn it off") {
		t.Error("a half-finished sign-in opens the account")
	}
	if got := s.NewPerson(t).Do(t, http.MethodGet, "/account", nil, http.Header{"Cookie": {"forecourt=" + half}}); half == "" || strings.Contains(got.Body, "Where you are signed in") {
		t.Errorf("the half cookie %q works as a session", half)
	}
	if got := s.NewPerson(t).PostJSON(t, "/signin", map[string]string{"email": ann, "password": demo.Password}); got.Status != http.StatusForbidden || len(got.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("the identity call: %d", got.Status)
	}
	stranger := s.NewPerson(t)
	check.Equal(t, stranger.Post(t, "/signin/code", url.Values{"code": {s.fresh(t)}}).Location, "/signin", "a code without a password")
	check.Equal(t, signedIn(t, stranger), false, "a code without a password: signed in")
	dbtest.Exec(t, s.Pool, "UPDATE half_session SET created_at = now() - interval '601 seconds'")
	if got := step(t, thief, "code", s.fresh(t)); signedIn(t, thief) {
		t.Errorf("after ten minutes: %d", got)
	}
	honest := s.half(t)
	check.Equal(t, step(t, honest, "code", s.fresh(t)), http.StatusSeeOther, "password and code")
	check.Equal(t, signedIn(t, honest), true, "password and code: signed in")
	honest.Visit(t, "/account").Has(", with a code from an app")
	// The previous version, or a race with the set-up, may have opened a session with the password alone.
	dbtest.Exec(t, s.Pool, "UPDATE session SET factor = ''")
	check.Equal(t, signedIn(t, honest), false, "a session without the second step still works: signed in")
	check.Equal(t, signedIn(t, s.App), false, "a session without the second step still works: signed in")
}

func TestACodeWorksOnce(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	code := s.fresh(t)
	check.MustEqual(t, step(t, s.half(t), "code", code), http.StatusSeeOther, "the first use")
	replay := s.half(t)
	check.Equal(t, step(t, replay, "code", code), http.StatusUnprocessableEntity, "a replayed code")
	check.Equal(t, signedIn(t, replay), false, "a replayed code: signed in")
	check.Equal(t, step(t, replay, "recovery", strings.ToUpper(s.recovery[3])), http.StatusSeeOther, "a recovery code")
	check.Equal(t, signedIn(t, replay), true, "a recovery code: signed in")
	stolen := s.half(t)
	check.Equal(t, step(t, stolen, "recovery", s.recovery[3]), http.StatusUnprocessableEntity, "a used recovery code")
	check.Equal(t, signedIn(t, stolen), false, "a used recovery code: signed in")
	check.Contains(t, s.mail(t, 2, "A recovery code was used").Plain, "9 of them are left", "the mail says")
	got := s.Post(t, "/account/two-step", url.Values{"do": {"codes"}, "code": {s.recovery[4]}})
	if fresh := codes.FindAllString(got.Body, -1); len(fresh) != 10 || fresh[0] == s.recovery[0] {
		t.Errorf("new codes: %d %v", got.Status, fresh)
	}
	check.Equal(t, step(t, stolen, "recovery", s.recovery[5]), http.StatusUnprocessableEntity, "a code that was replaced")
}

// atOnce sends a request from several browsers at once and returns how many got a status.
func atOnce(browsers []*apptest.App, status int, send func(*apptest.App) int) int {
	var wait sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for _, browser := range browsers {
		wait.Go(func() {
			if send(browser) == status {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return n
}

func TestSeveralBrowsersWithOneCodeOneGetsIn(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	for field, code := range map[string]string{"code": s.fresh(t), "recovery": s.recovery[0]} {
		browsers := []*apptest.App{s.half(t), s.half(t), s.half(t), s.half(t)}
		check.Equal(t, atOnce(browsers, http.StatusSeeOther, func(b *apptest.App) int { return step(t, b, field, code) }), 1,
			"browsers got in with one %s", field)
	}
}

func TestRemovingTheLastFactorTakesItAndThePasswordOnce(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	remove := func(b *apptest.App, password, code string) apptest.Answer {
		return b.Post(t, "/account/two-step", url.Values{"do": {"remove"}, "password": {password}, "code": {code}})
	}
	remove(s.App, "Wrong-pass-1", s.fresh(t)).Want(t, http.StatusUnprocessableEntity, "a wrong password", view.WrongPassword)
	remove(s.App, demo.Password, "000000").Want(t, http.StatusUnprocessableEntity, "a wrong code")
	other := s.half(t)
	step(t, other, "recovery", s.recovery[0])
	code := s.fresh(t)
	done := atOnce([]*apptest.App{s.App, other, s.App, other}, http.StatusSeeOther, func(b *apptest.App) int {
		got := remove(b, demo.Password, code)
		if got.Location == "/account/two-step" { // no second step is left
			return 0
		}
		return got.Status
	})
	check.Equal(t, done, 1, "requests removed it with one code")
	check.Equal(t, s.NewPerson(t).Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}}).Location, "/desk",
		"a sign-in afterwards")
	check.Equal(t, dbtest.Value[int](t, s.Pool, "SELECT count(*) FROM recovery_code"), 0, "recovery codes are left")
	s.mail(t, 3, "Two-step sign-in is off")
	check.Equal(t, dbtest.Value[int](t, s.Pool, "SELECT count(*) FROM audit WHERE action = 'two-step sign-in removed' AND actor = 'ann@example.com'"), 1,
		"lines in the audit log")
}

func TestAMailedLinkDoesNotPassTheSecondStep(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	s.Verify(t, ann) // otherwise a reset removes the second step
	before, thief := s.half(t), s.NewPerson(t)
	thief.Post(t, "/reset", url.Values{"email": {ann}})
	link := s.Link(t, s.mail(t, 2, "Choose a new password"))
	thief.Post(t, link, url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}).Must(t, http.StatusSeeOther, "the reset")
	if got := thief.Post(t, "/signin", url.Values{"email": {ann}, "password": {"An0ther-pass"}}); got.Location != "/signin/code" || signedIn(t, thief) {
		t.Errorf("the new password leads to %d %q", got.Status, got.Location)
	}
	if step(t, before, "code", s.fresh(t)); signedIn(t, before) {
		t.Error("a sign-in begun with the old password goes on after the reset")
	}
	check.Equal(t, step(t, thief, "code", s.fresh(t)), http.StatusSeeOther, "the owner's code")
	check.Equal(t, signedIn(t, thief), true, "the owner's code: signed in")
}

func TestGuessingCodesIsLimitedAndNoWeapon(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	owner := s.half(t)
	check.MustEqual(t, step(t, owner, "code", s.fresh(t)), http.StatusSeeOther, "step")
	thief := s.half(t)
	for range 5 {
		check.MustEqual(t, step(t, thief, "code", "000000"), http.StatusUnprocessableEntity, "a guess")
	}
	check.Equal(t, step(t, thief, "code", s.fresh(t)), http.StatusTooManyRequests, "the sixth try, with the right code")
	check.Equal(t, step(t, s.half(t), "recovery", s.recovery[0]), http.StatusTooManyRequests, "the seventh, with a recovery code")
	owner.Post(t, "/signout", nil)
	owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
	check.Equal(t, step(t, owner, "code", s.fresh(t)), http.StatusSeeOther, "the owner's own browser")
	check.Equal(t, signedIn(t, owner), true, "the owner's own browser: signed in")
}

func TestConcurrentGuessesAreCountedBeforeTheyAreChecked(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	thief := s.half(t)
	browsers := make([]*apptest.App, 20)
	for i := range browsers {
		browsers[i] = thief
	}
	if got := atOnce(browsers, http.StatusUnprocessableEntity, func(b *apptest.App) int { return step(t, b, "code", "000000") }); got > 5 {
		t.Errorf("%d of 20 guesses at once were checked", got)
	}
}

func TestDemoAccountsHaveNoSecondStep(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	got := app.Post(t, "/account/two-step", url.Values{"do": {"start"}, "password": {demo.Password}})
	if got.Status != http.StatusConflict || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM totp") != 0 {
		t.Errorf("status %d, or a key was stored", got.Status)
	}
}

func TestTheKeyIsSealedForItsAccount(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	check.Equal(t, dbtest.Value[int](t, s.Pool, "SELECT count(*) FROM totp WHERE position('"+s.key+"' IN encode(sealed, 'escape')) > 0"), 0,
		"the key can be read")
	bob := s.NewPerson(t).SignUp(t, "bob@example.com")
	other := setUp(t, bob)
	dbtest.Exec(t, s.Pool, "UPDATE totp SET last_step = 0, sealed = (SELECT t.sealed FROM totp t JOIN account a ON a.id = t.account_id WHERE a.email = 'bob@example.com')")
	if got := step(t, s.half(t), "code", other.code(t, 0)); got == http.StatusSeeOther {
		t.Errorf("a key moved to another account works: %d", got)
	}
}

func TestAnOperatorRemovesASecondStepThatWasLost(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	check.Must(t, s.Accounts.DropTwoStep(t.Context(), " Ann@Example.com ", "operator jo"))
	if signedIn(t, s.App) {
		t.Error("a session is still open")
	}
	check.Equal(t, s.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}}).Location, "/desk", "the password alone")
	check.Equal(t, signedIn(t, s.App), true, "the password alone leads to: signed in")
	s.mail(t, 2, "Two-step sign-in is off")
	check.Equal(t, dbtest.Value[int](t, s.Pool, "SELECT count(*) FROM audit WHERE action = 'two-step sign-in removed' AND actor = 'operator jo'"), 1,
		"lines in the audit log")
	check.ErrorIs(t, s.Accounts.DropTwoStep(t.Context(), ann, "operator jo"), accounts.ErrNoStep, "again")
}

func TestRecoveryCodesAreSavedAsAFileWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	got := s.Post(t, "/account/two-step", url.Values{"do": {"codes"}, "code": {s.fresh(t)}})
	recovery := codes.FindAllString(got.Body, -1)
	file := regexp.MustCompile(`href="data:text/plain;charset=utf-8;base64,([^"]+)" download="recovery-codes.txt">`)
	link := file.FindStringSubmatch(got.Body)
	if link == nil {
		t.Fatalf("no file\n%s", got.Body)
	}
	raw, err := base64.StdEncoding.DecodeString(html.UnescapeString(link[1]))
	text := string(raw)
	check.Must(t, err, "the file")
	check.Contains(t, text, ann, "the file")
	for _, code := range recovery[:10] {
		check.Contains(t, text, code, "the file lacks")
	}
}

func TestTheDemoSaysThatItsSignInStays(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/account").Has("Everybody who tries the demo shares this account, so its password and its sign-in stay as they are.").
		HasNot("Change password", "Set up two-step sign-in", "Set up a passkey")
	for _, page := range []string{"/account/two-step", "/account/passkeys"} {
		app.Visit(t, page).Has("Everybody who tries the demo shares this account, so its sign-in cannot be changed").HasNot("Begin", "Add a passkey")
	}
}

func TestALostKeyIsReportedAndRecoveryCodesStillWork(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	dbtest.Exec(t, s.Pool, "UPDATE totp SET sealed = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'")
	browser := s.half(t)
	got := browser.Post(t, "/signin/code", url.Values{"code": {"123456"}, "to": {"/account"}})
	got.Want(t, http.StatusServiceUnavailable, "a code", "We cannot check codes from your app right now")
	check.Equal(t, step(t, browser, "recovery", s.recovery[0]), http.StatusSeeOther, "a recovery code")
	check.Equal(t, signedIn(t, browser), true, "a recovery code: signed in")
}

func TestARecoveryCodeOffersToReplaceALostPhone(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{Jobs: true})
	lost := s.half(t)
	lost.Post(t, "/signin/code", url.Values{"recovery": {s.recovery[0]}, "to": {"/account"}}).
		Leads(t, "/account/two-step?lost=&to=%2Faccount", "a recovery code")
	lost.Visit(t, "/account/two-step?lost=&to=%2Faccount").Has("Is your phone lost?", "Move to another app").
		Follow("I have my phone: continue").Has("Where you are signed in")
	s.half(t).Post(t, "/signin/code", url.Values{"code": {s.fresh(t)}, "to": {"/account"}}).Leads(t, "/account", "a code from the phone")
	s.Visit(t, "/account/two-step").HasNot("Is your phone lost?")
}

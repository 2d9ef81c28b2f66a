package handlers_test

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
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

// someone is a browser with a network address.
type someone struct {
	*apptest.App
	from string
}

// newcomer returns a browser without cookies.
func newcomer(t *testing.T, app *apptest.App, from string) someone {
	t.Helper()
	return someone{app.NewPerson(t), from}
}

func (s someone) post(t *testing.T, path string, form url.Values) apptest.Answer {
	t.Helper()
	return s.Do(t, http.MethodPost, path, strings.NewReader(form.Encode()), http.Header{
		"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}, "X-Forwarded-For": {s.from},
	})
}

func (s someone) get(t *testing.T, path string) apptest.Answer {
	t.Helper()
	return s.Do(t, http.MethodGet, path, nil, http.Header{"X-Forwarded-For": {s.from}})
}

func (s someone) signIn(t *testing.T, email, password string) apptest.Answer {
	t.Helper()
	return s.post(t, "/signin", url.Values{"email": {email}, "password": {password}})
}

// behindProxy returns a site that trusts X-Forwarded-For.
func behindProxy() apptest.Options {
	return apptest.Options{Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

const (
	strangers, home, elsewhere = "203.0.113.66", "198.51.100.7", "192.0.2.9"
	wrong, again               = "Wrong-pass-1", "An0ther-pass"
	in, refused, held          = http.StatusSeeOther, http.StatusUnprocessableEntity, http.StatusTooManyRequests
	resetHelps                 = "You can also reset your password."
)

// TestALockIsNoWeapon has a stranger fail to sign in to an account until every try is refused. The owner still gets in.
func TestALockIsNoWeapon(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	owner.post(t, "/signout", nil)
	for n := range 5 {
		check.MustEqual(t, newcomer(t, app, strangers).signIn(t, demo.Email, wrong).Status, refused, "guess %d", n+1)
	}
	got := newcomer(t, app, strangers).signIn(t, demo.Email, demo.Password)
	got.Want(t, held, "the stranger's sixth guess, with the right password", resetHelps)
	newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password).Want(t, in, "the owner in a new browser in another network")
	owner.from = strangers
	owner.signIn(t, demo.Email, demo.Password).Want(t, in, "the owner's browser in the stranger's network")

	// Fifteen more failures use up the network's tries of an hour, for all accounts.
	for n := range 15 {
		newcomer(t, app, strangers).signIn(t, fmt.Sprintf("nobody%d@example.com", n), wrong)
	}
	got = newcomer(t, app, strangers).signIn(t, demo.StaffEmail, demo.Password)
	check.Equal(t, got.Status, held, "a network without tries left")
	check.Lacks(t, got.Body, resetHelps, "a network without tries left")
	owner.post(t, "/signout", nil)
	owner.signIn(t, demo.Email, demo.Password).Want(t, in, "the owner's browser in a network without tries left")
}

// TestGuessesFromEverywhereAreBounded spreads guesses over many networks.
func TestGuessesFromEverywhereAreBounded(t *testing.T) {
	t.Parallel()
	o := behindProxy()
	o.Jobs, o.Accounts = true, account.Limits{SignInOverall: 12}
	app := apptest.New(t, o)
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	owner.post(t, "/signout", nil)
	guess := func(n int) int {
		return newcomer(t, app, fmt.Sprintf("203.0.113.%d", n)).signIn(t, demo.Email, wrong).Status
	}
	for n := range 12 {
		check.MustEqual(t, guess(n), refused, "guess %d", n+1)
	}
	check.Equal(t, guess(99), held, "the thirteenth guess, from a network of its own")
	newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password).Want(t, held, "a new browser in the meantime")
	owner.signIn(t, demo.Email, demo.Password).Want(t, in, "the owner's browser")

	dbtest.Exec(t, app.Pool, "UPDATE account SET demo_open = NULL WHERE email = $1", demo.Email) // a shared account keeps its password
	fresh := newcomer(t, app, elsewhere)
	fresh.post(t, "/reset", url.Values{"email": {demo.Email}}).Must(t, in, "asking for a new password")
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	got := fresh.post(t, link, url.Values{"password": {again}, "confirm": {again}})
	check.MustEqual(t, got.Location, "/signin?reset", "the new password: %d", got.Status)
	for n := range 13 {
		guess(100 + n)
	}
	fresh.signIn(t, demo.Email, again).Want(t, in, "after the new password, while the guesses go on")
}

// TestAKnownBrowserIsLimitedToo guesses with a known browser's cookie.
func TestAKnownBrowserIsLimitedToo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	thief := newcomer(t, app, strangers) // who took over a browser
	thief.signIn(t, demo.Email, demo.Password)
	thief.post(t, "/signout", nil)
	for n := range 5 {
		thief.from = fmt.Sprintf("203.0.113.%d", n)
		check.MustEqual(t, thief.signIn(t, demo.Email, wrong).Status, refused, "guess %d", n+1)
	}
	thief.from = elsewhere
	thief.signIn(t, demo.Email, demo.Password).Want(t, held, "the sixth guess")

	// A browser known for one account is a stranger to another, and its cookie cannot be forged.
	stranger := newcomer(t, app, home)
	stranger.post(t, "/signup", url.Values{"email": {"eve@example.com"}, "password": {again}, "confirm": {again}})
	stranger.post(t, "/signout", nil)
	for range 5 {
		stranger.signIn(t, demo.StaffEmail, wrong)
	}
	stranger.signIn(t, demo.StaffEmail, demo.Password).Want(t, held, "with the cookie of another account")
	site, _ := url.Parse(app.URL)
	for _, cookie := range stranger.Client.Jar.Cookies(site) {
		if strings.HasSuffix(cookie.Name, "-known") {
			cookie.Value = strings.Repeat("A", len(cookie.Value)) + ".%00." + cookie.Value
			stranger.Client.Jar.SetCookies(site, []*http.Cookie{cookie})
		}
	}
	stranger.signIn(t, demo.StaffEmail, demo.Password).Want(t, held, "with a forged cookie")
}

// TestANewPasswordEndsKnownBrowsers has somebody copy a known browser, and the owner choose a new password by mail.
func TestANewPasswordEndsKnownBrowsers(t *testing.T) {
	t.Parallel()
	o := behindProxy()
	o.Jobs = true
	app := apptest.New(t, o)
	dbtest.Exec(t, app.Pool, "UPDATE account SET demo_open = NULL WHERE email = $1", demo.Email) // a shared account keeps its password
	owner, thief := newcomer(t, app, home), newcomer(t, app, elsewhere)
	for name, who := range map[string]someone{"the owner": owner, "the thief": thief} {
		who.signIn(t, demo.Email, demo.Password).Must(t, in, name)
		who.post(t, "/signout", nil)
	}
	for n := range 5 {
		check.MustEqual(t, owner.signIn(t, demo.Email, wrong).Status, refused, "guess %d in the owner's browser", n+1)
	}
	owner.signIn(t, demo.Email, demo.Password).Must(t, held, "the owner after five failures")
	owner.post(t, "/reset", url.Values{"email": {demo.Email}}).Must(t, in, "asking for a new password")
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	owner.post(t, link, url.Values{"password": {again}, "confirm": {again}}).Must(t, in, "the new password")
	owner.signIn(t, demo.Email, again).Want(t, in, "the owner with the new password")

	for n := range 5 {
		check.MustEqual(t, newcomer(t, app, elsewhere).signIn(t, demo.Email, wrong).Status, refused, "a stranger's guess %d", n+1)
	}
	thief.signIn(t, demo.Email, again).Want(t, held, "a browser that was known with the old password")
	owner.post(t, "/signout", nil)
	owner.from = elsewhere
	owner.signIn(t, demo.Email, again).Want(t, in, "the owner's browser, in the stranger's network")
}

// TestAStrangerCannotUseUpTheOwnersResets requests reset links for another person's account until the site sends no more.
func TestAStrangerCannotUseUpTheOwnersResets(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	owner := newcomer(t, app, home)
	owner.signIn(t, demo.Email, demo.Password)
	owner.post(t, "/signout", nil)
	ask := func(s someone) int {
		return s.post(t, "/reset", url.Values{"email": {demo.Email}}).Status
	}
	for n := range 5 {
		check.MustEqual(t, ask(newcomer(t, app, strangers)), in, "link %d", n+1)
	}
	check.Equal(t, ask(newcomer(t, app, strangers)), held, "the stranger's sixth link")
	for n := range 5 {
		check.Equal(t, ask(newcomer(t, app, fmt.Sprintf("192.0.2.%d", n))), in, "from another network")
	}
	check.Equal(t, ask(newcomer(t, app, "192.0.2.200")), held, "the eleventh link to one mailbox")
	check.Equal(t, ask(owner), in, "from the owner's browser")
}

func TestKnownBrowsersGetTenLinksTogetherHoweverOftenSomebodySignsIn(t *testing.T) {
	t.Parallel()
	options := behindProxy()
	options.Jobs = true
	app := apptest.New(t, options)
	sent := 0
	for n := range 4 {
		browser := newcomer(t, app, home) // which the sign-in makes known
		browser.signIn(t, demo.Email, demo.Password).Must(t, in, "sign-in")
		browser.post(t, "/signout", nil)
		for range 5 {
			status, want := browser.post(t, "/reset", url.Values{"email": {demo.Email}}).Status, in
			if sent++; sent > 10 {
				want = held
			}
			check.Equal(t, status, want, "link %d, in browser %d", sent, n+1)
		}
	}
	newcomer(t, app, elsewhere).post(t, "/reset", url.Values{"email": {demo.Email}}).Want(t, in, "in a browser that is not known")
	app.Mails(t, demo.Email, 11) // waits until they are written
	// Four letters are written at a time, none of which sees the others' links.
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM password_reset") <= 4, true, "the older links are deleted")
}

// TestAPasswordFromAnOperatorLiftsTheLock gives a new password to a person locked out by strangers and by wrong guesses.
func TestAPasswordFromAnOperatorLiftsTheLock(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	known := newcomer(t, app, home)
	known.signIn(t, demo.Email, demo.Password).Must(t, in, "the owner")
	known.post(t, "/signout", nil)
	for _, from := range []string{home, elsewhere} {
		who := newcomer(t, app, from)
		for range 6 {
			who.signIn(t, demo.Email, wrong)
			known.signIn(t, demo.Email, wrong)
		}
		who.signIn(t, demo.Email, demo.Password).Must(t, held, "not locked from "+from)
	}
	other := newcomer(t, app, elsewhere)
	for range 6 {
		other.signIn(t, demo.StaffEmail, wrong)
	}
	check.Must(t, app.Accounts.GivePassword(t.Context(), demo.Email, secret.New(again)))
	for name, who := range map[string]someone{"at home": newcomer(t, app, home), "elsewhere": newcomer(t, app, elsewhere), "in a known browser": known} {
		who.signIn(t, demo.Email, again).Want(t, in, name)
	}
	other.signIn(t, demo.StaffEmail, demo.Password).Want(t, held, "the lock of another account was lifted")
}

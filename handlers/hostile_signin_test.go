package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
	"forecourt/internal/fault"
	"forecourt/internal/invite"
	"forecourt/internal/secret"
	"forecourt/internal/throttle"
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
	if got := owner.signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Fatalf("the owner: %d", got.Status)
	}
	owner.post(t, "/signout", nil)
	for n := range 5 {
		if got := newcomer(t, app, strangers).signIn(t, demo.Email, wrong); got.Status != refused {
			t.Fatalf("guess %d: %d", n+1, got.Status)
		}
	}
	got := newcomer(t, app, strangers).signIn(t, demo.Email, demo.Password)
	if got.Status != held || !strings.Contains(got.Body, resetHelps) {
		t.Errorf("the stranger's sixth guess, with the right password: %d", got.Status)
	}
	if got := newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Errorf("the owner in a new browser in another network: %d", got.Status)
	}
	owner.from = strangers
	if got := owner.signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Errorf("the owner's browser in the stranger's network: %d", got.Status)
	}

	// Fifteen more failures use up the network's tries of an hour, for all accounts.
	for n := range 15 {
		newcomer(t, app, strangers).signIn(t, fmt.Sprintf("nobody%d@example.com", n), wrong)
	}
	got = newcomer(t, app, strangers).signIn(t, demo.StaffEmail, demo.Password)
	if got.Status != held || strings.Contains(got.Body, resetHelps) {
		t.Errorf("a network without tries left: %d, promises a reset: %t", got.Status, strings.Contains(got.Body, resetHelps))
	}
	owner.post(t, "/signout", nil)
	if got := owner.signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Errorf("the owner's browser in a network without tries left: %d", got.Status)
	}
}

// TestGuessesFromEverywhereAreBounded spreads guesses over many networks.
func TestGuessesFromEverywhereAreBounded(t *testing.T) {
	t.Parallel()
	o := behindProxy()
	o.Jobs, o.Accounts = true, account.Limits{SignInOverall: 12}
	app := apptest.New(t, o)
	owner := newcomer(t, app, home)
	if got := owner.signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Fatalf("the owner: %d", got.Status)
	}
	owner.post(t, "/signout", nil)
	guess := func(n int) int {
		return newcomer(t, app, fmt.Sprintf("203.0.113.%d", n)).signIn(t, demo.Email, wrong).Status
	}
	for n := range 12 {
		if got := guess(n); got != refused {
			t.Fatalf("guess %d: %d", n+1, got)
		}
	}
	if got := guess(99); got != held {
		t.Errorf("the thirteenth guess, from a network of its own: %d", got)
	}
	if got := newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password).Status; got != held {
		t.Errorf("a new browser in the meantime: %d", got)
	}
	if got := owner.signIn(t, demo.Email, demo.Password).Status; got != in {
		t.Errorf("the owner's browser: %d", got)
	}

	fresh := newcomer(t, app, elsewhere)
	if got := fresh.post(t, "/reset", url.Values{"email": {demo.Email}}); got.Status != in {
		t.Fatalf("asking for a new password: %d", got.Status)
	}
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	if got := fresh.post(t, link, url.Values{"password": {again}, "confirm": {again}}); got.Location != "/signin?reset" {
		t.Fatalf("the new password: %d", got.Status)
	}
	for n := range 13 {
		guess(100 + n)
	}
	if got := fresh.signIn(t, demo.Email, again).Status; got != in {
		t.Errorf("after the new password, while the guesses go on: %d", got)
	}
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
		if got := thief.signIn(t, demo.Email, wrong).Status; got != refused {
			t.Fatalf("guess %d: %d", n+1, got)
		}
	}
	thief.from = elsewhere
	if got := thief.signIn(t, demo.Email, demo.Password).Status; got != held {
		t.Errorf("the sixth guess: %d", got)
	}

	// A browser known for one account is a stranger to another, and its cookie cannot be forged.
	stranger := newcomer(t, app, home)
	stranger.post(t, "/signup", url.Values{"email": {"eve@example.com"}, "password": {again}, "confirm": {again}})
	stranger.post(t, "/signout", nil)
	for range 5 {
		stranger.signIn(t, demo.StaffEmail, wrong)
	}
	if got := stranger.signIn(t, demo.StaffEmail, demo.Password).Status; got != held {
		t.Errorf("with the cookie of another account: %d", got)
	}
	site, _ := url.Parse(app.URL)
	for _, cookie := range stranger.Client.Jar.Cookies(site) {
		if strings.HasSuffix(cookie.Name, "-known") {
			cookie.Value = strings.Repeat("A", len(cookie.Value)) + ".%00." + cookie.Value
			stranger.Client.Jar.SetCookies(site, []*http.Cookie{cookie})
		}
	}
	if got := stranger.signIn(t, demo.StaffEmail, demo.Password).Status; got != held {
		t.Errorf("with a forged cookie: %d", got)
	}
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
		if got := ask(newcomer(t, app, strangers)); got != in {
			t.Fatalf("link %d: %d", n+1, got)
		}
	}
	if got := ask(newcomer(t, app, strangers)); got != held {
		t.Errorf("the stranger's sixth link: %d", got)
	}
	for n := range 5 {
		if got := ask(newcomer(t, app, fmt.Sprintf("192.0.2.%d", n))); got != in {
			t.Errorf("from another network: %d", got)
		}
	}
	if got := ask(newcomer(t, app, "192.0.2.200")); got != held {
		t.Errorf("the eleventh link to one mailbox: %d", got)
	}
	if got := ask(owner); got != in {
		t.Errorf("from the owner's browser: %d", got)
	}
}

// TestAPasswordFromAnOperatorLiftsTheLock gives a new password to a person locked out by strangers and by wrong guesses.
func TestAPasswordFromAnOperatorLiftsTheLock(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	known := newcomer(t, app, home)
	if got := known.signIn(t, demo.Email, demo.Password); got.Status != in {
		t.Fatalf("the owner: %d", got.Status)
	}
	known.post(t, "/signout", nil)
	for _, from := range []string{home, elsewhere} {
		who := newcomer(t, app, from)
		for range 6 {
			who.signIn(t, demo.Email, wrong)
			known.signIn(t, demo.Email, wrong)
		}
		if got := who.signIn(t, demo.Email, demo.Password).Status; got != held {
			t.Fatalf("not locked from %s: %d", from, got)
		}
	}
	other := newcomer(t, app, elsewhere)
	for range 6 {
		other.signIn(t, demo.StaffEmail, wrong)
	}
	if err := app.Accounts.GivePassword(t.Context(), demo.Email, secret.New(again)); err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]someone{"at home": newcomer(t, app, home), "elsewhere": newcomer(t, app, elsewhere), "in a known browser": known} {
		if got := who.signIn(t, demo.Email, again).Status; got != in {
			t.Errorf("%s: %d", name, got)
		}
	}
	if got := other.signIn(t, demo.StaffEmail, demo.Password).Status; got != held {
		t.Errorf("the lock of another account was lifted: %d", got)
	}
}

// TestAFloodFromOneNetworkKeepsNobodyElseOut signs in from other networks while one sends as many passwords as it can.
func TestAFloodFromOneNetworkKeepsNobodyElseOut(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	full := make(chan struct{})
	var once sync.Once
	ctx, stop := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	for n := range 25 {
		flood.Go(func() {
			for try := 0; ctx.Err() == nil; try++ {
				got := newcomer(t, app, strangers).post(t, "/signup", url.Values{"email": {fmt.Sprintf("flood%d-%d@example.com", n, try)}, "password": {again}, "confirm": {again}})
				if strings.Contains(got.Body, "Many people are signing in") {
					once.Do(func() { close(full) })
				}
			}
		})
	}
	<-full
	var others sync.WaitGroup
	for n := range 6 {
		others.Go(func() {
			if got := newcomer(t, app, fmt.Sprintf("192.0.2.%d", n+1)).signIn(t, demo.Email, demo.Password).Status; got != in {
				t.Errorf("sign-in %d from another network: %d", n+1, got)
			}
		})
	}
	others.Wait()
	stop()
	flood.Wait()
}

// TestEachPasswordCountsForItsNetwork fills the share that a network has of the queue for passwords, and tries each rule that checks or
// sets one.
func TestEachPasswordCountsForItsNetwork(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	hasher, keys := secret.NewHasher(), secret.Key("key")
	people, err := account.New(account.Config{Pool: app.Pool, Hasher: hasher, Mail: app.Mail, Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	invites := invite.New(app.Pool, hasher, keys, invite.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	defer crowd.Wait()
	defer cancel()
	enter := func() error {
		_, leave, err := hasher.Enter(ctx, throttle.Network(netip.MustParseAddr(strangers)))
		if err == nil {
			<-ctx.Done()
			leave()
		}
		return err
	}
	full := make(chan struct{})
	for range 17 {
		crowd.Go(func() {
			if fault.CodeOf(enter()) == fault.TooMany {
				close(full)
			}
		})
	}
	<-full
	owner := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", demo.Email)
	link, err := account.NewResetToken(t.Context(), db.New(app.Pool), owner)
	if err != nil {
		t.Fatal(err)
	}
	credentials := func(from netip.Addr) account.Credentials {
		return account.Credentials{Email: demo.Email, Password: secret.New(demo.Password), From: from}
	}
	fresh := func(name string, from netip.Addr) account.NewUser {
		return account.NewUser{Credentials: account.Credentials{Email: name + "@example.com", Password: secret.New(again), From: from}, Confirm: secret.New(again)}
	}
	for _, tt := range []struct {
		name string
		try  func(from netip.Addr) error
	}{
		{"a sign-in", func(from netip.Addr) error {
			_, err := people.SignIn(t.Context(), credentials(from))
			return err
		}},
		{"a sign-up", func(from netip.Addr) error {
			_, err := people.SignUp(t.Context(), fresh("ann", from))
			return err
		}},
		{"an account by a mailed link", func(from netip.Addr) error {
			_, err := people.MakeBy(t.Context(), fresh("bob", from), func(pgx.Tx, account.User) error { return nil })
			return err
		}},
		{"another password", func(from netip.Addr) error {
			return people.ChangePassword(t.Context(), account.User{ID: owner}, uuid.Nil, credentials(from), secret.New(again), secret.New(again))
		}},
		{"another password by a mailed link", func(from netip.Addr) error {
			_, err := people.Reset(t.Context(), link, secret.New(demo.Password+"2"), secret.New(demo.Password+"2"), from)
			return err
		}},
		{"a bearer token", func(from netip.Addr) error {
			_, err := invites.Generate(t.Context(), invite.Request{
				DocID: demo.InviteID, Email: demo.Email, SecretKey: secret.New(demo.InviteKey), Password: secret.New(again), From: from,
			})
			return err
		}},
	} {
		if err := tt.try(netip.MustParseAddr(strangers)); fault.CodeOf(err) != fault.TooMany {
			t.Errorf("%s from the network: %v", tt.name, err)
		}
		if err := tt.try(netip.MustParseAddr(elsewhere)); err != nil {
			t.Errorf("%s from elsewhere: %v", tt.name, err)
		}
	}
}

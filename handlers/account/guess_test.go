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
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

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
				must.Equal(t, got.Location, "/signin?reset", "reset %d: %d", n+1, got.Status)
				got = thief.post(t, "/signin", url.Values{"email": {ann}, "password": {password}})
				must.Equal(t, got.Location, "/signin/code", "the new password leads to %d", got.Status)
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
		must.Equal(t, step(t, browser.App, "recovery", s.recovery[n]), http.StatusSeeOther, "recovery code %d", n+1)
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
	app := apptest.New(t, apptest.Options{})
	app.SignUp(t, ann)
	before := app.NewPerson(t)
	before.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
	s := setUp(t, app)
	gave := s.half(t)
	must.Equal(t, step(t, gave, "code", s.fresh(t)), http.StatusSeeOther, "a code")
	must.Equal(t, (guesser{s.half(t), ""}).guesses(t), 5, "a stranger's guesses")
	for name, tt := range map[string]struct {
		browser *apptest.App
		want    int
	}{
		"gave a code": {gave, http.StatusSeeOther}, "set it up": {s.App, http.StatusSeeOther}, "gave a password alone": {before, http.StatusTooManyRequests},
	} {
		tt.browser.Post(t, "/signout", nil)
		tt.browser.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
		check.Equal(t, step(t, tt.browser, "code", s.fresh(t)), tt.want, "a browser that %s", name)
	}
}

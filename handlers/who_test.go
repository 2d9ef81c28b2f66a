package handlers_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
)

func TestEachRouteHasItsPolicy(t *testing.T) {
	t.Parallel()
	rows, known := routesOf(apptest.New(t, apptest.Options{AppleDomainFile: []byte("apple")})), policies()
	t.Run("each route has its policy (SEC-12)", func(t *testing.T) {
		for name, row := range rows {
			p, found := known[name]
			switch {
			case !found:
				t.Errorf("%s has no policy; add to policies who may use it", name)
			case p.who != row.Who:
				t.Errorf("%s is for %s, but its policy says %s", name, row.Who, p.who)
			case p.path == "" && p.body == "" && parameter.MatchString(row.Path):
				t.Errorf("the policy of %s names nothing that exists", name)
			}
			// The demo gives the same answer for every id.
			secret := row.Who == handlers.Link && !strings.HasPrefix(row.Path, "/demo/hps/")
			if secret && p.wrong != http.StatusNotFound && p.wrong != http.StatusGone {
				t.Errorf("%s is for %s, but answers %d for something that does not exist", name, row.Who, p.wrong)
			}
			if row.Who == handlers.Anyone && strings.Contains(row.Path, "{token}") {
				t.Errorf("%s takes a token, but is for anyone", name)
			}
		}
	})
	for name := range known {
		if _, found := rows[name]; !found {
			t.Errorf("%s has a policy but is not on the site", name)
		}
	}
}

// TestWhoGetsWhatFromEachRoute requests every route without a session, as the admin of another business, as a removed admin, and as a
// person who may use it.
func TestWhoGetsWhatFromEachRoute(t *testing.T) {
	t.Parallel()
	c, live := newCast(t), apptest.New(t, apptest.Options{Live: true})
	const signOut = "POST /signout"
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(policies())), func(name string) bool { return name == signOut })
	t.Run("each visitor gets what the policy says (SEC-09 SEC-12 COMPL-20 CHROME-11)", func(t *testing.T) {
		for _, name := range append(names, signOut) { // the sessions are needed until then
			p := policies()[name]
			nobody := c.ask(t, c.nobody, name, p, false, "")
			strangers := map[string]*apptest.App{"the admin of another business": c.stranger, "a removed admin": c.removed}
			switch p.who {
			case handlers.Anyone, handlers.Link, handlers.InDemo, handlers.Nobody:
				c.sameForAll(t, name, p, nobody)
			case handlers.Self, handlers.Own, handlers.Asked:
				c.askedToSignIn(t, name, p, nobody)
				for who, by := range strangers {
					c.gets(t, name, p, who, by, "", p.want)
				}
			case handlers.Guest:
				c.askedToSignIn(t, name, p, nobody)
				c.gets(t, name, p, "the guest", c.guest, "", p.want)
				c.ask(t, c.guest, name, p, true, "").Want(t, p.wrong, name+" with a token that does not exist")
			case handlers.Holder:
				nobody.Want(t, http.StatusUnauthorized, name+": … without credentials")
				c.gets(t, name, p, "the holder", c.nobody, c.tokens["owner"], p.want)
				if p.wrong == http.StatusNotFound {
					c.alike(t, name, p, "the holder of another business's token", c.nobody, c.tokens["stranger"], p.wrong)
				}
			case handlers.Record, handlers.Team, handlers.Takings, handlers.Crew, handlers.Kitchen, handlers.Editor, handlers.Hirer,
				handlers.Refunder, handlers.Closer, handlers.Bookkeeper, handlers.Owner, handlers.Staff:
				c.askedToSignIn(t, name, p, nobody)
				may := c.app
				if p.who == handlers.Staff {
					may, strangers["an admin who is not staff"] = c.staff, c.app
				}
				for who, by := range strangers {
					c.alike(t, name, p, who, by, "", http.StatusNotFound)
				}
				c.gets(t, name, p, "who may", may, "", p.want)
			default:
				t.Errorf("%s is for %q", name, p.who)
			}
			if p.who == handlers.InDemo {
				c.ask(t, live, name, p, false, "").Want(t, http.StatusNotFound, name+" outside demo mode")
			}
		}
	})
}

// signInForm marks the sign-in screen in place of a page.
const signInForm = `action="/signin"`

// sameForAll fails the test unless a route answers everybody alike, and shows nothing for a link that does not exist.
func (c *cast) sameForAll(t *testing.T, name string, p policy, nobody apptest.Answer) {
	t.Helper()
	own := strings.HasSuffix(name, " /") || strings.HasSuffix(name, " /{page}") || strings.HasSuffix(name, " /signin") || strings.HasSuffix(name, " /signin/passkey") || strings.HasSuffix(name, " /signup")
	if nobody.Status != p.want || strings.Contains(nobody.Body, signInForm) && !own {
		t.Errorf("%s is for %s: %d for nobody", name, p.who, nobody.Status)
	}
	for who, by := range map[string]*apptest.App{"the admin of another business": c.stranger, "a removed admin": c.removed, "the owner": c.app} {
		want := p.want
		if name == "GET /signin" || name == "GET /signup" { // they are signed in
			want = http.StatusSeeOther
		}
		c.gets(t, name, p, who, by, "", want)
		if p.wrong == 0 {
			continue
		}
		c.ask(t, by, name, p, true, "").Want(t, p.wrong, name+" with an id that does not exist: … for "+who)
		// An id of one business under the name of another is as good as none.
		theirs := p
		theirs.path, theirs.body = strings.ReplaceAll(p.path, "panezski", "moollar"), strings.ReplaceAll(p.body, "panezski", "moollar")
		if theirs != p {
			c.alike(t, name, theirs, who, by, "", p.wrong)
		}
	}
}

// askedToSignIn fails the test unless the answer is the sign-in screen instead of a page, or for a write a refusal with it.
func (c *cast) askedToSignIn(t *testing.T, name string, p policy, a apptest.Answer) {
	t.Helper()
	want, has := http.StatusUnauthorized, signInForm
	switch {
	case strings.Contains(name, " /api/"):
		has = "Sign in first."
	case strings.HasPrefix(name, "GET "):
		want = http.StatusOK
	}
	if a.Status != want || !strings.Contains(a.Body, has) {
		t.Errorf("%s is for %s: %d for nobody", name, p.who, a.Status)
	}
}

// gets fails the test unless the visitor gets this status and is not asked to sign in.
func (c *cast) gets(t *testing.T, name string, p policy, who string, by *apptest.App, bearer string, want int) {
	t.Helper()
	got := c.ask(t, by, name, p, false, bearer)
	typed(t, name, got)
	signedIn := by != c.nobody && p.who != handlers.Anyone
	if got.Status != want || signedIn && strings.Contains(got.Body, signInForm) {
		t.Errorf("%s is for %s: %d for %s, want %d: %.300s", name, p.who, got.Status, who, want, got.Body)
	}
}

// alike fails the test unless the visitor gets this status for something of somebody else's, and the same answer as for what does not exist.
func (c *cast) alike(t *testing.T, name string, p policy, who string, by *apptest.App, bearer string, want int) {
	t.Helper()
	there, nowhere := c.ask(t, by, name, p, false, bearer), c.ask(t, by, name, p, true, bearer)
	if there.Status != want || nowhere.Status != want || c.neutral(there) != c.neutral(nowhere) {
		t.Errorf("%s is for %s: %d for %s, %d for a missing thing:\n%.500s\n%.500s", name, p.who, there.Status, who, nowhere.Status, c.neutral(there), c.neutral(nowhere))
	}
}

// neutral returns an answer's headers and body without the request's own ids.
func (c *cast) neutral(a apptest.Answer) string {
	head := a.Header.Clone()
	head.Del("Date")
	head.Del("X-Request-Id")
	text := fmt.Sprint(head, a.Anonymous())
	for _, id := range c.ids {
		// A page may repeat its address, and a failure leads on to the menu that the address names.
		text = strings.NewReplacer(`"/pos/`+id+`"`, "MENU", `"/pos/`+missing(id)+`"`, "MENU").Replace(text)
		if len(id) > 12 {
			text = strings.NewReplacer(id, "ID", missing(id), "ID").Replace(text)
		}
	}
	return text
}

// mailInput matches an input for a mail address.
var mailInput = regexp.MustCompile(`(?i)<input[^>]*\sname="[^"]*mail[^"]*"[^>]*>`)

// typed fails the test unless each input for a mail address has the type "email", or is hidden.
func typed(t *testing.T, name string, a apptest.Answer) {
	t.Helper()
	for _, input := range mailInput.FindAllString(a.Body, -1) {
		if !strings.Contains(input, `type="email"`) && !strings.Contains(input, `type="hidden"`) {
			t.Errorf("%s: %s", name, input)
		}
	}
	// What guests, kitchens and readers of a mail see has a frame of its own.
	frame := strings.HasPrefix(a.Body, "<!doctype html>") && !strings.Contains(a.Body, "Powered by") && !strings.Contains(name, "/kitchen")
	if frame && !strings.Contains(name, "/sandbox/") && !strings.HasSuffix(name, "/html") {
		check.Contains(t, a.Body, "holds Australian Financial Services Licence No. ", "CHROME-11 %s: the footer", name)
	}
}

package handlers_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/static"
)

var (
	styleHash = regexp.MustCompile(` 'sha256-[A-Za-z0-9+/]{43}='`)
	styleOf   = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
)

// firstPages returns pages that a visitor may open first, each with the stylesheet of its frame.
func firstPages(t *testing.T, app *apptest.App) map[string]string {
	id := app.Order(t)
	return map[string]string{
		"/": "site.css", "/signin": "site.css", "/signup": "site.css", "/docs": "site.css", "/docs/api": "site.css", "/privacy": "site.css", "/nothing": "site.css",
		"/demo": "site.css", "/demo/hps": "site.css", "/demo/keygen": "site.css", "/demo/qr": "site.css", "/form/application": "site.css",
		"/onboarding/tokengen/demo-invite": "site.css", "/pos/nosuch": "site.css",
		"/pos/panezski?t=4": "customer.css", "/pos/panezski?n=Ann": "customer.css", "/pos/panezski/order": "customer.css", "/pos/panezski/item/1": "customer.css",
		"/pos/panezski/demo": "customer.css", "/pos/panezski/" + id: "customer.css",
	}
}

// inPage returns the stylesheet whose text a page of a frame holds.
func inPage(path, frame string) string {
	switch {
	case strings.HasPrefix(path, "/pos/panezski?"):
		return "menu.css"
	case frame == "customer.css" && path != "/pos/panezski/order" && path != "/pos/panezski/item/1":
		return "pay.css"
	}
	return frame
}

// styleCookies returns the cookies of an answer that say which stylesheets a browser has.
func styleCookies(got apptest.Answer) []string {
	return slices.DeleteFunc(got.Header.Values("Set-Cookie"), func(cookie string) bool { return !strings.HasPrefix(cookie, "forecourt-style-") })
}

// hashes returns the policy sources that allow the <style> elements in a text.
func hashes(body string) []string {
	var all []string
	for _, style := range styleOf.FindAllStringSubmatch(body, -1) {
		sum := sha256.Sum256([]byte(style[1]))
		all = append(all, " 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return all
}

// namedStyles returns the hashes of styles in a page's policy.
func namedStyles(page apptest.Answer) []string {
	policy := page.Header.Get("Content-Security-Policy")
	return styleHash.FindAllString(strings.Replace(policy, " "+static.Early.Hash, "", 1), -1)
}

// first requests a page as a new browser.
func first(t *testing.T, app *apptest.App, path string) apptest.Answer {
	t.Helper()
	return app.NewPerson(t).Do(t, http.MethodGet, path, nil, http.Header{"Cookie": {"x=y"}, "Accept-Encoding": {"identity"}})
}

func TestAPageHoldsTheStylesThatItsPolicyNames(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	const google = " 'sha256-B5xZ8LazuQtFFimrw+cAaRu+Sr5JkoCAe9yjirCJR14='" // the style of the wallet's own button
	for path, frame := range firstPages(t, app) {
		for _, visit := range []string{"first", "again"} { // the server caches the menu's page
			got := first(t, app, path)
			own := hashes(got.Body)
			named := slices.DeleteFunc(namedStyles(got), func(hash string) bool { return hash == google })
			if !slices.Equal(named, own) || len(own) == 0 || len(own) != strings.Count(got.Body, "<style") {
				t.Errorf("%s, %s: the policy names %v, the page holds %v", path, visit, named, own)
			}
			check.Contains(t, got.Body, "<style>"+static.StyleAt(static.URL(inPage(path, frame))).Text+"</style>",
				"%s, %s: the page does not hold the styles of %s", path, visit, inPage(path, frame))
			head, _, _ := strings.Cut(got.Body, "</head>")
			check.Lacks(t, head, `rel="stylesheet"`, "%s, %s: the head names a stylesheet, which delays the scripts or the first paint", path, visit)
			check.Contains(t, got.Body, `<link rel="stylesheet" href="`+static.URL(frame)+`" media="not all">`,
				"%s, %s: the page fetches no %s for the next page", path, visit, frame)
		}
	}
}

func TestABrowserThatHasTheStylesheetGetsALink(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	pages := firstPages(t, app)
	for _, name := range []string{"site.css", "customer.css", "desk.css"} {
		file := app.Get(t, static.URL(name))
		if cookies := file.Header.Values("Set-Cookie"); file.Status != http.StatusOK || len(cookies) > 0 {
			t.Errorf("%s, which shared caches keep, answers %d with the cookies %q", name, file.Status, cookies)
		}
	}
	for path, frame := range pages {
		came := styleCookies(first(t, app, path))
		name, _, _ := strings.Cut(frame, ".")
		if len(came) != 1 || !strings.HasPrefix(came[0], "forecourt-style-"+name+"=") || !strings.HasSuffix(came[0], "; HttpOnly; SameSite=Lax") {
			t.Fatalf("%s comes with %q", path, came)
		}
		held, _, _ := strings.Cut(came[0], ";")
		for _, visit := range []string{"second", "third"} {
			got := app.NewPerson(t).Do(t, http.MethodGet, path, nil, http.Header{"Cookie": {held}})
			check.Empty(t, styleCookies(got), "%s, %s: a page that links its styles comes", path, visit)
			if strings.Contains(got.Body, static.StyleAt(static.URL(frame)).Text) || strings.Contains(got.Body, `media="not all"`) {
				t.Errorf("%s, %s: the page holds styles or defers a stylesheet", path, visit)
			}
			check.Contains(t, got.Body, `<link rel="stylesheet" href="`+static.URL(frame)+`">`, "%s, %s: no link to %s", path, visit, frame)
			if named := namedStyles(got); len(named) > 2 || frame == "site.css" && len(named) != strings.Count(got.Body, "<style") {
				t.Errorf("%s, %s: the policy names %v", path, visit, named)
			}
		}
	}
	old := http.Header{"Cookie": {"forecourt-style-site=AAAAAAAA; forecourt-style-customer="}}
	for path, frame := range pages {
		check.Contains(t, app.NewPerson(t).Do(t, http.MethodGet, path, nil, old).Body, static.StyleAt(static.URL(inPage(path, frame))).Text,
			"%s: a browser with another version has to fetch %s first", path, frame)
	}
}

// What a person does before the scripts have run is kept on every page with scripts but the payment page, which lists what it runs.
func TestPagesWithScriptsKeepEarlyPresses(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path := range firstPages(t, app) {
		body := first(t, app, path).Body
		head, _, _ := strings.Cut(body, "</head>")
		want := strings.Count(head, `type="module"`) > strings.Count(head, "/static/site-") && !strings.Contains(body, `id="scripts"`)
		check.Equal(t, strings.Contains(head, static.Early.Element), want, "%s keeps early presses", path)
	}
}

// A phone gets ten packets in the first round trip after its request.
func TestTheFirstPaintFitsIntoOneRoundTrip(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path := range firstPages(t, app) {
		got := app.NewPerson(t).Do(t, http.MethodGet, path, nil, http.Header{"Accept-Encoding": {"gzip, deflate, br, zstd"}, "Cookie": {"x=y"}})
		sent := len(got.Body)
		for name, values := range got.Header {
			for _, value := range values {
				sent += len(name) + len(value) + len(": \r\n")
			}
		}
		if sent > 14_600 {
			t.Errorf("%s: headers, HTML and style are %d bytes, want at most 14,600", path, sent)
		}
	}
}

func TestNoStylesheetClosesItsElement(t *testing.T) {
	t.Parallel()
	for _, name := range static.Names("") {
		check.Lacks(t, strings.ToLower(static.StyleAt(static.URL(name)).Text), "</", "%s would close its style element in a page", name)
	}
}

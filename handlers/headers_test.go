package handlers_test

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
)

// nonce matches a nonce, which differs each time.
var nonce = regexp.MustCompile(`'nonce-[A-Z2-7]{26}'`)

// basic is the policy of a page that needs no more than others.
const basic = "base-uri 'none'; connect-src 'self'; default-src 'none'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; " +
	"img-src 'self' data:; manifest-src 'self'; object-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'"

func TestTheHeadersOfEveryRoute(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	fill := strings.NewReplacer("{client}", "panezski", "{id}", app.Order(t), "{docId}", "demo-invite", "{code}", "demo", "{page}", "x", "{token}", "x", "{step}", "x", "{reference}", "x", "{number}", "1", "{side}", "front", "{uuid}", "x", "{project}", "x", "*", "x").Replace
	host := strings.TrimPrefix(app.URL, "http://")
	rows := routesOf(app)
	names := slices.Sorted(maps.Keys(rows))
	const signOut = "POST /signout" // last, or the other requests would not be signed in
	names = slices.DeleteFunc(names, func(name string) bool { return name == signOut })
	asset := "GET " + regexp.MustCompile(`/static/[^"]+\.css`).FindString(app.Get(t, "/pos/panezski").Body)
	lines := probes()
	lines[asset] = probe{cache: "public, max-age=31536000, immutable"}
	for _, name := range append(names, asset, "GET /a/b", "GET /api/x", "GET /pos/nosuch", signOut) {
		method, path, _ := strings.Cut(name, " ")
		line := lines[name]
		want := basic
		for directive, source := range line.widens {
			source = strings.ReplaceAll(source, "HOST", host)
			if _, rest, found := strings.Cut(want, directive+" "); found {
				sources, _, _ := strings.Cut(rest, ";")
				want = strings.Replace(want, directive+" "+sources, directive+" "+sources+" "+source, 1)
			} else {
				want = strings.Replace(want, "; img-src", "; "+directive+" "+source+"; img-src", 1)
			}
		}
		status, got := headersOf(t, app, method, fill(path))
		for header, value := range map[string]string{
			"Content-Security-Policy": want, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": cmp.Or(line.referrer, "same-origin"),
			"Cross-Origin-Opener-Policy": cmp.Or(line.opener, "same-origin"), "Cross-Origin-Resource-Policy": "same-origin",
			"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(self" + line.payment + ")", "Strict-Transport-Security": "", "Server": "",
		} {
			check.Equal(t, nonce.ReplaceAllString(withoutStyles(got.Get(header), value), "'nonce-ONCE'"), value,
				"%s: %s is\n%s, want", name, header, got.Get(header))
		}
		if len(got.Get("X-Request-Id")) < 16 {
			t.Errorf("%s: no request id", name)
		}
		if cache := cmp.Or(got.Get("Cache-Control"), "none"); !mayBeKept(rows[name], line.cache, cache, status) {
			t.Errorf("%s answers %d with Cache-Control %q", name, status, cache)
		}
	}
}

// withoutStyles removes the hashes of a page's own styles from its policy. TestAPageHoldsTheStylesThatItsPolicyNames compares them with
// the page.
func withoutStyles(policy, want string) string {
	return styleHash.ReplaceAllStringFunc(policy, func(hash string) string {
		if strings.Contains(want, hash) {
			return hash
		}
		return ""
	})
}

// mayBeKept reports whether this Cache-Control is right for an answer.
func mayBeKept(row handlers.Route, special, cache string, status int) bool {
	switch {
	case special != "":
		return cache == special
	case strings.Contains(cache, "no-store"):
		return true
	case row.Cache == "no-store":
		return false
	case row.Who == handlers.Anyone, row.Who == handlers.InDemo, status >= 400:
		return cache == "private, no-cache"
	default: // belongs to somebody
		return false
	}
}

// headersOf sends a request and does not read the body of the answer, which may be a stream.
func headersOf(t *testing.T, app *apptest.App, method, path string) (int, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, app.URL+path, nil)
	check.Must(t, err)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := app.Client.Do(req)
	check.Must(t, err)
	_ = res.Body.Close()
	return res.StatusCode, res.Header
}

func TestCustomersAreAnonymous(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	t.Run("ordering asks for no password (SEC-03)", func(t *testing.T) {
		for _, path := range []string{"/pos/panezski", "/pos/panezski/order", "/pos/panezski/" + id} {
			if got := app.Get(t, path); got.Status != http.StatusOK || strings.Contains(got.Body, `name="password"`) {
				t.Errorf("%s: %d, or it asks for a password", path, got.Status)
			}
		}
	})
	paid := app.Post(t, "/pos/panezski/"+id, url.Values{"name": {"Ann"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "key": {"k"}})
	paid.Want(t, http.StatusSeeOther, "an anonymous payment is taken (SEC-03)")
	check.Equal(t, len(app.Captures(t, id)), 1, "an anonymous payment is taken (SEC-03)")
	site, err := url.Parse(app.URL)
	check.Must(t, err)
	check.Empty(t, app.Client.Jar.Cookies(site), "a customer who orders and pays gets no cookie (SEC-11)")
}

func TestSearchEnginesListOnlyPagesForEverybody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	for path, listed := range map[string]bool{
		"/": true, "/privacy": true, "/docs": true, "/docs/api": true, "/signin": true, "/signup": true, "/demo/keygen": true,
		"/pos/panezski": true, "/pos/panezski/item/1": true, "/guide.pdf": true, "/crm/ws": true,
		"/nothing": false, "/search": false, "/demo": false, "/pos/panezski/order": false, "/pos/panezski/" + id: false, "/pos/panezski/demo": false, "/pos/panezski/kitchen": false,
		"/receipt/verify": false, "/receipt/x": false, "/account": false, "/merchant/admin": false, "/form/demo": false, "/staff/forms": false,
		"/desk": false, "/desk/panezski": false, "/reset/x": false, "/join/x": false, "/s/x": false, "/demo/qr": true, "/demo/hps": true, "/dev/outbox": false,
		"/api/pos/panezski": false,
	} {
		if got := app.Get(t, path).Header.Get("X-Robots-Tag"); (got == "") != listed || !listed && got != "noindex" {
			t.Errorf("%s has X-Robots-Tag %q", path, got)
		}
	}
	robots := app.Get(t, "/robots.txt")
	if robots.Header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.HasPrefix(robots.Body, "User-agent: *\nDisallow: /api/\n") {
		t.Errorf("/robots.txt is %q, %q", robots.Header.Get("Content-Type"), robots.Body)
	}
	for path, says := range map[string]string{
		"/": "order and pay by themselves", "/pos/panezski": "Order at Panezski", "/docs": "take payments", "/signin": "Sign in", "/signup": "account",
		"/pos/panezski/item/1": " at Panezski", "/crm/ws": "websocket", "/pos/panezski/" + id: "Pay Panezski by card",
	} {
		if d := description.FindStringSubmatch(app.Get(t, path).Body); d == nil || !strings.Contains(d[1], says) {
			t.Errorf("%s describes itself as %q", path, d)
		}
	}
}

func TestPagesThatSearchEnginesListDescribeThemselves(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	fill := strings.NewReplacer("BUSINESS", "panezski", "DISH", "1")
	var listed []string
	for name, row := range routesOf(app) {
		method, path, _ := strings.Cut(name, " ")
		if method != http.MethodGet || row.Who != handlers.Anyone || strings.HasPrefix(path, "/sandbox/") { // robots.txt keeps them away from there
			continue
		}
		path = fill.Replace(cmp.Or(policies()[name].path, path))
		got := app.Get(t, path)
		if got.Status != http.StatusOK || got.Header.Get("X-Robots-Tag") != "" || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			continue
		}
		listed = append(listed, path)
		if !description.MatchString(got.Body) {
			t.Errorf("%s may be listed, and does not describe itself in 20 to 160 characters", path)
		}
	}
	if len(listed) < 12 {
		t.Errorf("only %v may be listed", listed)
	}
}

var description = regexp.MustCompile(`<meta name="description" content="([^"]{20,160})">`)

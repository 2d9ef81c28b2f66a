package handlers_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/static"
)

const landing = "Order at the table, pay on the phone."

func TestTheAddressesOfTheSite(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct {
		name, path string
		status     int
		has        string
	}{
		{"the start page (ROUTE-01)", "/", 200, landing},
		{"any single segment (ROUTE-02)", "/anything", 200, landing},
		{"a menu (ROUTE-20 CHROME-10)", "/pos/moollar", 200, "View Order"},
		{"the demo's menu (ROUTE-22)", "/pos/panezski", 200, "View Order"},
		{"a payment page (ROUTE-21 CHROME-10)", "/pos/panezski/demo", 200, "1,000.52"},
		{"the search (ROUTE-03)", "/search?phoneNumber=1&displayName=A", 200, "Phone number: 1 · Name: A"},
		{"the websocket test (ROUTE-04 ROUTE-05)", "/crm/ws", 200, "wss://localhost:3017/"},
		{"all demos in one (ROUTE-06 CHROME-10)", "/demo", 200, "Stay tuned!"},
		{"the terminal demo (ROUTE-07 CHROME-10)", "/demo/bridge", 200, "Process Payment"},
		{"the QR demo (ROUTE-11 CHROME-10)", "/demo/qr", 200, "QR code for Table 1"},
		{"the hosted page demo (ROUTE-08 CHROME-10)", "/demo/hps", 200, `name="Merchant_User_Id"`},
		{"the key generator (ROUTE-12 CHROME-10)", "/demo/keygen", 200, "SHA-256 hasher"},
		{"a merchant's application (ROUTE-13 CHROME-10)", "/form/application", 200, signInForm},
		{"a token page (ROUTE-23)", "/onboarding/tokengen/demo-invite", 200, "Checking link validity..."},
		{"onboarding, signed out (ROUTE-19 SEC-06 ADMIN-05)", "/merchant/admin", 200, "Create one here"},
		{"the user guides (NAV-06)", "/docs", 200, "Quick start"},
		{"the technical documents (NAV-06)", "/docs/api", 200, "POST /api/pos"},
		{"the privacy policy", "/privacy", 200, "<h1>Privacy policy</h1>"},
		{"the terms", "/terms", 200, "<h1>Terms and conditions</h1>"},
		{"the process", "/healthz", 200, "ok"},
		{"the database", "/readyz", 200, "ready"},
		{"an unknown path (ROUTE-24)", "/a/b/c", 404, landing},
		{"something below a page (ROUTE-24)", "/privacy/x", 404, landing},
		{"below an order (ROUTE-24)", "/pos/panezski/demo/x", 404, landing},
		{"pos alone with a slash (ROUTE-24)", "/pos/", 404, landing},
		{"a path that climbs (ROUTE-24)", "/pos/../../etc/passwd", 404, landing},
		{"a doubled slash (ROUTE-24)", "//example.com/x", 404, landing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			app.Do(t, http.MethodGet, app.URL+tt.path, nil, nil).Want(t, tt.status, tt.path, tt.has)
		})
	}
	app.Do(t, http.MethodGet, app.URL+"/api/compliance/demo-compliance", nil, nil).
		Want(t, http.StatusUnauthorized, "a call without a session", "Sign in first").HasHeader(t, "Content-Type", "application/json")
	for path, meant := range map[string]string{
		"/s/demo.": "/s/demo", "/pos/panezski)?t=4": "/pos/panezski?t=4", "/pos/panezski/ABC”.": "/pos/panezski/ABC",
		"/receipt/abc,": "/receipt/abc", "/s/demo%20": "/s/demo",
	} {
		check.Equal(t, app.Get(t, path).Location, meant, "%s, with the end of its sentence", path)
	}
	for _, path := range []string{"/api", "/api/", "/api/x", "/api/x/y", "/static/", "/static/x", "/static/brand/x.css", "/static/brand/b4432a.00000000.css", "/static/../handlers", "/.well-known/x", "/.well-known/a/b", "/sw.js/", "/sw.js/x"} {
		if got := app.Get(t, path); got.Status != http.StatusNotFound || strings.Contains(got.Body, landing) {
			t.Errorf("ROUTE-24 %s: %d, or the page is the landing screen", path, got.Status)
		}
	}
	for _, path := range []string{
		"/favicon.ico", "/health", "/metrics", "/openapi.yaml", "/wp-login.php", "/.env", "/a/.git/config.bak", "/Healthcheck", "/livez", "/ping", "/a/b.php",
		"/gateway", "/gateway/", "/gateway/x/y", "/gateway/00000000-0000-4000-8000-000000000000/pay/",
	} {
		got := app.Get(t, path)
		check.Lacks(t, got.Body, landing, "%s", path)
		check.Equal(t, got.Status, http.StatusNotFound, "%s", path)
		media, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
		check.Equal(t, media == "application/json", strings.HasPrefix(path, "/gateway/"), "%s answers in %s, JSON", path, media)
	}
	for path, want := range map[string]string{
		"/pos/panezski/": "/pos/panezski", "/pos/panezski/?t=4": "/pos/panezski?t=4", "/pos/panezski/?t=4&fbclid=x": "/pos/panezski?t=4&fbclid=x",
		"/docs/": "/docs", "/docs/api//": "/docs/api", "/signin/": "/signin", "/desk/panezski/menu/": "/desk/panezski/menu",
		"/anything/": "", "/a/b/c/": "", "//example.com/": "", "//example.com/docs/": "", "/%5Cexample.com/": "",
	} {
		got := app.Do(t, http.MethodGet, app.URL+path, nil, nil)
		check.Equal(t, got.Location, want, "%s leads to", path)
		check.Equal(t, got.Status == http.StatusMovedPermanently, want != "", "%s leads on", path)
	}
	app.Get(t, "/pos/panezski?t=4&fbclid=x&utm_source=newsletter&gclid=y").Want(t, http.StatusOK, "what trackers add", "Table 4")
	for _, path := range []string{"/", "/privacy", "/readyz"} {
		app.Post(t, path, nil).Want(t, http.StatusMethodNotAllowed, "POST "+path).HasHeader(t, "Allow", "GET, HEAD")
	}
	got := app.Do(t, http.MethodDelete, "/pos/panezski", nil, nil)
	check.Equal(t, got.Header.Get("Allow"), "GET, HEAD, POST", "DELETE of a menu: %d, Allow", got.Status)
}

func TestTheStartPageLeadsToTheDemos(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/")
	for _, shop := range []string{"panezski", "moollar", "sabona", "tahbella"} {
		v.Shows("a", "href=/pos/"+shop) // ROUTE-22
	}
	if v.Follow("Try a payment"); v.Status != http.StatusOK || !strings.HasSuffix(v.Path, "/demo") {
		t.Errorf("Try a payment leads to %s, %d", v.Path, v.Status)
	}
	dbtest.Exec(t, app.Owner(t), "TRUNCATE shop CASCADE")
	check.Equal(t, app.Visit(t, "/").Status, http.StatusOK, "without a business")
}

// inline matches what the policy would block: an inline script, or a style whose hash it does not have.
var inline = regexp.MustCompile(`(?i)<script(?:[^>]*)>|\sstyle=|\son[a-z]+=|javascript:`)

func TestNoPageHoldsInlineCode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	for _, path := range []string{"/", "/privacy", "/terms", "/pos/panezski", "/pos/panezski/order", "/onboarding/tokengen/demo-invite", "/pos/panezski/" + id, "/pos/panezski/demo?paid=1&result=error", "/pos/panezski/x", "/a/b"} {
		body := strings.Replace(app.Get(t, path).Body, static.Early.Element, "", 1) // whose hash the policy has
		for _, found := range inline.FindAllString(body, -1) {
			if !strings.Contains(found, `src="/static/`) && !strings.Contains(found, `type="application/json"`) {
				t.Errorf("%s holds %s", path, found)
			}
		}
	}
}

// TestPostsOfOtherSitesAreRefused also requests this server under an attacker's host name (DNS rebinding). The browser then takes the
// attacker's page to be of the same origin, and says so.
func TestPostsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{OtherOrigins: []string{"https://pay.example", "http://shop.example:8080"}})
	id, own := app.Order(t), strings.TrimPrefix(app.URL, "http://")
	const same, cross = "same-origin", "cross-site"
	for _, tt := range []struct {
		name                string
		host, origin, fetch string
		refuse              bool
	}{
		{"another site", own, "", cross, true},
		{"another site that claims to be us", own, app.URL, cross, true},
		{"another site that claims to be our other name", "evil.example", "https://pay.example", cross, true},
		{"a sister site", own, "", "same-site", true},
		{"another host, by an older browser", own, "https://evil.example", "", true},
		{"no origin at all, by an older browser", own, "null", "", true},
		{"another port", own, "http://127.0.0.1:1", "", true},
		{"a stranger's name", "evil.example:8080", "http://evil.example:8080", same, true},
		{"a stranger's name, by an older browser", "evil.example:8080", "http://evil.example:8080", "", true},
		{"a stranger's page that hides its origin", "evil.example:8080", "null", same, true},
		{"a stranger's page in an older browser that sends no header", "evil.example", "", same, true},
		{"a name that ends like ours", "notpay.example", "https://notpay.example", same, true},
		{"our name on another port", "pay.example:444", "https://pay.example:444", same, true},
		{"our name without encryption", "pay.example", "http://pay.example", same, true},
		{"ourselves", own, "", same, false},
		{"ourselves, by an older browser", own, app.URL, "", false},
		{"our name", "pay.example", "https://pay.example", same, false},
		{"our name, by an older browser", "pay.example", "https://pay.example", "", false},
		{"our name behind a proxy that uses another name for us", "backend.internal", "https://pay.example", same, false},
		{"the same, by an older browser", "backend.internal", "https://pay.example", "", false},
		{"our page that hides its origin", "shop.example:8080", "null", same, false},
		{"an address", "10.0.0.5:8080", "http://10.0.0.5:8080", same, false},
		{"an address of IPv6", "[::1]:8080", "http://[::1]:8080", same, false},
		{"this machine", "localhost:8080", "http://localhost:8080", same, false},
		{"a name in the local network", "till:8080", "http://till:8080", same, false},
		{"a program", own, "", "", false},
		{"a program that uses another name", "evil.example", "", "", false},
	} {
		header := http.Header{"Host": {tt.host}}
		for name, value := range map[string]string{"Origin": tt.origin, "Sec-Fetch-Site": tt.fetch} {
			if value != "" {
				header.Set(name, value)
			}
		}
		for path, media := range map[string]string{
			"/pos/panezski": formType, "/pos/panezski/order": formType, "/pos/panezski/" + id: formType, "/pos/panezski/" + id + "/retry": formType,
			"/signin": formType, "/api/pos": jsonType, "/api/pay": jsonType,
		} {
			header.Set("Content-Type", media)
			got := app.Do(t, http.MethodPost, path, strings.NewReader("{}"), header)
			check.Equal(t, got.Status == http.StatusForbidden, tt.refuse, "%s to %s: %d %.200s", tt.name, path, got.Status, got.Body)
			if tt.refuse && (got.Header.Get("Content-Type") == jsonType) != (media == jsonType) {
				t.Errorf("%s to %s: the refusal has the type %s", tt.name, path, got.Header.Get("Content-Type"))
			}
		}
		header.Del("Content-Type")
		app.Do(t, http.MethodGet, "/pos/panezski", nil, header).Want(t, http.StatusOK, tt.name+" gets a page")
	}
	// Shops on other sites may send their customers to the hosted page.
	sent := app.Do(t, http.MethodPost, "/sandbox/hps", strings.NewReader("amount=x"), http.Header{
		"Content-Type": {formType}, "Origin": {"https://shop.elsewhere.example"}, "Sec-Fetch-Site": {cross},
	})
	if sent.Status == http.StatusForbidden {
		t.Errorf("the hosted page: %d", sent.Status)
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, path := range []string{"/", "/pos/panezski", "/pos/panezski/demo", "/pos/nosuch", "/a/b", "/healthz", "/readyz", "/api/pos/panezski", "/privacy"} {
		get, head := app.Get(t, path), app.Do(t, http.MethodHead, path, nil, nil)
		if head.Status != get.Status || head.Body != "" || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("%s: GET %d, HEAD %d %q", path, get.Status, head.Status, head.Body)
		}
	}
}

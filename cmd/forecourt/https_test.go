package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// TestASiteBehindHTTPS sends requests to a program whose public address is https, both as a proxy in front of it and as a stranger whose
// own host name leads to its address.
func TestASiteBehindHTTPS(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t)
	p := start(t, outside(t, database, "FORECOURT_DEMO", "on", "FORECOURT_URL", "https://pay.example:443 https://shop.example"), "serve")
	site := p.ready()
	send := func(method, path, host, media, body string, cookies ...*http.Cookie) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, site+path, strings.NewReader(body))
		check.Must(t, err)
		req.Host = host
		if method == http.MethodPost {
			req.Header.Set("Content-Type", media)
			req.Header.Set("Origin", "https://"+host)
			req.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		for _, cookie := range cookies {
			req.AddCookie(cookie)
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		check.Must(t, err)
		_ = res.Body.Close()
		return res
	}
	ask := func(method, path, host string, form url.Values, cookies ...*http.Cookie) *http.Response {
		t.Helper()
		return send(method, path, host, formType, form.Encode(), cookies...)
	}
	// The only cookie that a stranger gets says which stylesheet the browser has. It is the same for everybody.
	named := func(c *http.Cookie) bool {
		return !strings.HasPrefix(c.Name, "__Host-forecourt-style-") || !c.Secure || !c.HttpOnly
	}
	for path, want := range map[string]int{
		"/": 200, "/privacy": 200, "/terms": 200, "/nosuch": 200, "/no/such": 404,
		"/api/nosuch": 404, "/pos/panezski": 200, "/pos/nosuch": 404, "/picture/x": 404,
		"/kitchen/x": 410, "/join/x": 410, "/static/x": 404, "/healthz": 200, "/sandbox/3ds/x": 404, "/staff/forms": 200, "/.well-known/x": 404,
	} {
		got := ask(http.MethodGet, path, "pay.example", nil)
		if got.StatusCode != want || got.Header.Get("Strict-Transport-Security") != "max-age=31536000" ||
			slices.ContainsFunc(got.Cookies(), named) {
			t.Errorf("%s: %d, %q, cookies %v", path, got.StatusCode, got.Header.Get("Strict-Transport-Security"), got.Cookies())
		}
	}

	const password = "Anns-pass-1"
	made := ask(http.MethodPost, "/signup", "pay.example", url.Values{
		"email": {"ann@example.com"}, "password": {password}, "confirm": {password},
	})
	cookies := made.Cookies()
	cookies = append(cookies, ask(http.MethodPost, "/pos/panezski/order", "shop.example", ordered(t, database)).Cookies()...)
	names := map[string]bool{}
	for _, cookie := range cookies {
		names[cookie.Name] = true
		if !strings.HasPrefix(cookie.Name, "__Host-") || !cookie.Secure || !cookie.HttpOnly ||
			cookie.Path != "/" || cookie.Domain != "" || cookie.SameSite != http.SameSiteLaxMode {
			t.Errorf("a cookie over https: %s", cookie)
		}
	}
	if made.StatusCode != http.StatusSeeOther || !names["__Host-forecourt"] || !names["__Host-forecourt-known"] || len(names) < 3 {
		t.Errorf("%d, cookies %v", made.StatusCode, names)
	}
	check.Equal(t, ask(http.MethodGet, "/account", "pay.example", nil, cookies...).StatusCode, http.StatusOK, "the account")
	// A sister host that plants a cookie cannot give it the prefix.
	for _, cookie := range cookies {
		cookie.Name = strings.TrimPrefix(cookie.Name, "__Host-")
	}
	check.Equal(t, ask(
		http.MethodPost, "/account", "pay.example", url.Values{"name": {"Eve"}}, cookies...,
	).StatusCode, http.StatusUnauthorized, "a cookie without its prefix")

	signIn := url.Values{"email": {"ann@example.com"}, "password": {password}}
	for host, want := range map[string]int{
		"pay.example": 303, "shop.example": 303, "evil.example": 403, "pay.example.evil.example": 403, "pay.example:8443": 403,
	} {
		check.Equal(t, ask(http.MethodPost, "/signin", host, signIn).StatusCode, want, "signing in at %s", host)
	}
	const order = `{"merchantId":"panezski","order":[{"name":"Butter Croissant","qty":1}]}`
	for host, want := range map[string]int{"pay.example": 201, "evil.example": 403} {
		check.Equal(t, send(http.MethodPost, "/api/pos", host, "application/json", order).StatusCode, want, "an order from %s", host)
	}
	if code := p.end(); code != 0 || !strings.Contains(p.stderr.String(), `evil.example`) {
		t.Errorf("stopped with %d, or the log does not name the refused site: %s", code, p.stderr)
	}
}

// ordered returns a form that orders an item of the demo's menu.
func ordered(t *testing.T, database string) url.Values {
	t.Helper()
	id := dbtest.Value[string](t, connect(t, database), "SELECT id::text FROM item WHERE shop_code = 'panezski' AND name = 'Butter Croissant'")
	return url.Values{"qty." + id: {"1"}, "name": {"Ann"}}
}

package bridge_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"forecourt/bridge"
	"forecourt/internal/kit/check"
)

// ask calls the handler directly, because an HTTP client would correct malformed requests.
func ask(s http.Handler, method, target string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:3015/", nil)
	if path, query, ok := strings.Cut(target, "?"); ok {
		r.URL = &url.URL{Path: path, RawQuery: query}
	} else {
		r.URL = &url.URL{Path: target}
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func newServer(origins ...string) http.Handler {
	return bridge.NewServer(bridge.NewTerminal(false, newClock().now), origins)
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, method, target string
		code                 int
		status               string
	}{
		{"status/ with an empty query (BRIDGE-20 BRIDGE-21 BRIDGE-23)", "GET", "/status/", 200, "ready"},
		{"pay/ with ref and amount (BRIDGE-24)", "GET", "/pay/?ref=1746093600000&amount=5.00", 200, "connecting"},
		{"an amount without decimals", "GET", "/pay/?ref=1&amount=5", 200, "connecting"},
		{"cancel/ with ref (BRIDGE-22)", "GET", "/cancel/?ref=1746093600000", 200, "ready"},
		{"a call with more in its query", "GET", "/status/?x=1", 200, "ready"},
		{"pay/ without a reference", "GET", "/pay/?amount=5.00", 400, ""},
		{"pay/ without an amount", "GET", "/pay/?ref=1", 400, ""},
		{"pay/ for nothing", "GET", "/pay/?ref=1&amount=0.00", 400, ""},
		{"pay/ for less than nothing", "GET", "/pay/?ref=1&amount=-5", 400, ""},
		{"pay/ for a third of a cent", "GET", "/pay/?ref=1&amount=5.003", 400, ""},
		{"a reference with a space", "GET", "/pay/?ref=a+b&amount=5.00", 400, ""},
		{"a long reference", "GET", "/pay/?amount=5.00&ref=" + strings.Repeat("9", 65), 400, ""},
		{"cancel/ without a reference", "GET", "/cancel/", 400, ""},
		{"a query that does not parse", "GET", "/status/?%zz", 400, ""},
		{"a path without the slash", "GET", "/status", 404, ""},
		{"the root", "GET", "/", 404, ""},
		{"a path that leads up", "GET", "/status/../pay/", 404, ""},
		{"a post (BRIDGE-17)", "POST", "/pay/?ref=1&amount=5.00", 405, ""},
		{"a head", "HEAD", "/status/", 405, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ask(newServer(), tt.method, tt.target, http.Header{"Content-Type": {"application/json"}})
			if got.Code != tt.code || got.Header().Get("Content-Type") != "application/json" {
				t.Fatalf("%d %s: %s", got.Code, got.Header().Get("Content-Type"), got.Body)
			}
			var body struct{ Status, Error string }
			check.Must(t, json.Unmarshal(got.Body.Bytes(), &body))
			if body.Status != tt.status || (body.Error == "") != (tt.code == 200) {
				t.Errorf("the answer is %s", got.Body)
			}
		})
	}
}

func TestABusyTerminalIsAConflict(t *testing.T) {
	t.Parallel()
	s := newServer()
	ask(s, "GET", "/pay/?ref=1&amount=5.00", nil)
	if got := ask(s, "GET", "/pay/?ref=2&amount=5.00", nil); got.Code != http.StatusConflict || !strings.Contains(got.Body.String(), `"busy"`) {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

func TestWhichCallersAreAllowed(t *testing.T) {
	t.Parallel()
	shop := []string{"https://shop.example"}
	for _, tt := range []struct {
		name    string
		origins []string
		header  http.Header
		allowed bool
	}{
		{"a program on this computer (BRIDGE-17)", nil, nil, true},
		{"a program, by number", nil, http.Header{"Host": {"127.0.0.1:3015"}}, true},
		{"another port", nil, http.Header{"Host": {"localhost:9"}}, true},
		{"no port", nil, http.Header{"Host": {"localhost"}}, true},
		{"a page on this computer", nil, http.Header{"Origin": {"http://127.0.0.1:8080"}}, true},
		{"a page on localhost", nil, http.Header{"Origin": {"https://localhost:8443"}}, true},
		{"a page on the loopback of IPv6", nil, http.Header{"Origin": {"http://[::1]:8080"}}, true},
		{"a foreign page (BRIDGE-17)", nil, http.Header{"Origin": {"https://shop.example"}}, false},
		{"a page that was allowed", shop, http.Header{"Origin": {"https://shop.example"}}, true},
		{"its page without TLS", shop, http.Header{"Origin": {"http://shop.example"}}, false},
		{"its neighbour", shop, http.Header{"Origin": {"https://shop.example.evil.example"}}, false},
		{"a page on this computer where only another one is allowed", shop, http.Header{"Origin": {"http://localhost:8080"}}, false},
		{"a program where only a page is allowed", shop, nil, true},
		{"a page without an origin", nil, http.Header{"Origin": {"null"}}, false},
		{"a name that looks local", nil, http.Header{"Origin": {"http://localhost.evil.example"}}, false},
		{"a local name as user", nil, http.Header{"Origin": {"http://localhost@evil.example"}}, false},
		{"a file", nil, http.Header{"Origin": {"file://localhost"}}, false},
		{"a foreign name that leads here (BRIDGE-17)", nil, http.Header{"Host": {"evil.example:3015"}}, false},
		{"another host name for this address, from an allowed page", shop, http.Header{"Host": {"evil.example"}, "Origin": {"https://shop.example"}}, false},
		{"an address of the network", nil, http.Header{"Host": {"192.168.0.7:3015"}}, false},
		{"no host", nil, http.Header{"Host": {" "}}, false},
		{"a picture on a foreign page", nil, http.Header{"Sec-Fetch-Site": {"cross-site"}}, false},
		{"a picture on another port", nil, http.Header{"Sec-Fetch-Site": {"same-site"}}, false},
		{"an address that somebody typed, or a link in a mail (BRIDGE-17)", nil, http.Header{"Sec-Fetch-Site": {"none"}}, false},
		{"a link on a page of this service, which has none", nil, http.Header{"Sec-Fetch-Site": {"same-origin"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{http.MethodGet, http.MethodOptions} {
				got := ask(newServer(tt.origins...), method, "/pay/?ref=1&amount=5.00", tt.header)
				if allowed := got.Code < 300; allowed != tt.allowed || !allowed && got.Code != http.StatusForbidden {
					t.Errorf("%s: %d %s", method, got.Code, got.Body)
				}
				leave := got.Header().Get("Access-Control-Allow-Origin")
				if want := tt.header.Get("Origin"); tt.allowed && leave != want || !tt.allowed && leave != "" {
					t.Errorf("%s: Access-Control-Allow-Origin is %q", method, leave)
				}
				check.Contains(t, strings.Join(got.Header().Values("Vary"), ","), "Origin",
					"%s: Vary lacks Origin, so a cache may mix up pages", method)
			}
		})
	}
}

func TestAFollowedLinkCanOnlyReadTheStatus(t *testing.T) {
	t.Parallel()
	server, link := newServer(), http.Header{"Sec-Fetch-Site": {"none"}}
	for path, want := range map[string]int{"/status/": http.StatusOK, "/pay/?ref=1&amount=5.00": http.StatusForbidden, "/cancel/?ref=1": http.StatusForbidden} {
		got := ask(server, http.MethodGet, path, link)
		check.Equal(t, got.Code, want, "BRIDGE-17 %s: %s", path, got.Body)
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	header := http.Header{
		"Origin": {"http://127.0.0.1:8080"}, "Access-Control-Request-Method": {"GET"}, "Access-Control-Request-Headers": {"content-type"},
	}
	got := ask(newServer(), http.MethodOptions, "/status/", header)
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "http://127.0.0.1:8080", "Access-Control-Allow-Methods": "GET",
		"Access-Control-Allow-Headers": "Content-Type", "Access-Control-Allow-Private-Network": "", "Access-Control-Allow-Credentials": "",
	} {
		check.Equal(t, got.Header().Get(name), want, "%s", name)
	}
	header.Set("Access-Control-Request-Private-Network", "true")
	check.Equal(t, ask(newServer(), http.MethodOptions, "/status/", header).Header().Get("Access-Control-Allow-Private-Network"), "true",
		"BRIDGE-17 a page from the public network is refused")
	header.Set("Origin", "https://evil.example")
	check.Equal(t, ask(newServer(), http.MethodOptions, "/status/", header).Header().Get("Access-Control-Allow-Private-Network"), "",
		"another site's page is allowed")
}

func TestHostileCalls(t *testing.T) {
	t.Parallel()
	s := newServer()
	for _, text := range []string{
		"", "\x00", "\xff\xfe", "a\r\nX-Evil: 1", "%0d%0a", "-1", "1e309", "NaN", "Infinity", "9223372036854775808", "١٢٣", "１２",
		"../../etc/passwd", "<script>alert(1)</script>", "{}", "[]", "null", strings.Repeat("9", 100_000), strings.Repeat("é", 1000),
	} {
		for _, target := range []string{
			"/" + text, "/pay/" + text, "/pay/?ref=" + url.QueryEscape(text) + "&amount=" + url.QueryEscape(text), "/pay/?" + text,
			"/pay/?ref=1&amount=" + url.QueryEscape(text), "/cancel/?ref=" + url.QueryEscape(text), "/status/?" + text,
		} {
			got := ask(s, http.MethodGet, target, nil)
			if got.Code >= 500 || !json.Valid(got.Body.Bytes()) || strings.Contains(got.Body.String(), "<script") {
				t.Errorf("%.60q: %d %.200s", target, got.Code, got.Body)
			}
		}
		for _, name := range []string{"Origin", "Host", "Sec-Fetch-Site", "Access-Control-Request-Private-Network"} {
			if got := ask(s, http.MethodOptions, "/pay/", http.Header{name: {text}}); got.Code >= 500 {
				t.Errorf("%s %.60q: %d", name, text, got.Code)
			}
		}
	}
}

func TestParseOrigin(t *testing.T) {
	t.Parallel()
	for origin, valid := range map[string]bool{
		"https://shop.example": true, "http://localhost:8080": true, "http://[::1]:80": true,
		"shop.example": false, "https://shop.example/": false, "https://shop.example/x": false, "https://u@shop.example": false,
		"https://": false, "*": false, "null": false, "ftp://shop.example": false, "https://Shop.example": false, "": false,
	} {
		if _, err := bridge.ParseOrigin(origin); (err == nil) != valid {
			t.Errorf("%q: %v", origin, err)
		}
	}
}

package web_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

func TestOnlyOurOwnProxiesNameTheClientsAddress(t *testing.T) {
	t.Parallel()
	proxies := web.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, tt := range []struct{ name, remote, forwarded, want string }{
		{"no proxy", "203.0.113.9:1234", "", "203.0.113.9"},
		{"a stranger's header is ignored", "203.0.113.9:1234", "198.51.100.1", "203.0.113.9"},
		{"our proxy's header is used", "10.1.2.3:1234", "198.51.100.1", "198.51.100.1"},
		{"what a client put in front is ignored", "10.1.2.3:1234", "1.1.1.1, 198.51.100.1", "198.51.100.1"},
		{"two of our proxies", "10.1.2.3:1234", "198.51.100.1, 10.9.9.9", "198.51.100.1"},
		{"IPv6", "[::1]:1234", "2001:db8::7", "2001:db8::7"},
		{"an IPv4 address mapped to IPv6", "[::ffff:10.0.0.1]:1234", "198.51.100.1", "198.51.100.1"},
		{"rubbish ends the search", "10.1.2.3:1234", "198.51.100.1, rubbish", "10.1.2.3"},
		{"no header", "10.1.2.3:1234", "", "10.1.2.3"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = tt.remote
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		got := proxies.Client(r)
		check.Equal(t, got.String(), tt.want, "%s: got %s", tt.name, got)
	}
}

// A proxy on this machine that sends no header at all must not lift the limits.
func TestWithAnHTTPSAddressNothingWithoutTLSIsFromThisMachine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		https, tls, here bool
		header           string
	}{
		"plain http":                      {false, false, true, ""},
		"plain http, passed on":           {false, false, false, "Via"},
		"https that another program ends": {true, false, false, ""},
		"https of our own":                {true, true, true, ""},
		"https of our own, passed on":     {true, true, false, "X-Real-Ip"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "127.0.0.1:4000"
		if tt.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if tt.header != "" {
			r.Header.Set(tt.header, "x")
		}
		check.Equal(t, !web.Proxies(nil).Remote(r, tt.https).IsValid(), tt.here, "%s: from this machine", name)
	}
}

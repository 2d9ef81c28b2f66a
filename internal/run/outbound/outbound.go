// Package outbound calls addresses that other people chose: a merchant's notification address, a browser's push service. It calls only
// https on public addresses, so that nobody can use this program to reach a private network.
package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrForbidden is returned for an address that must not be called. Nothing was sent.
var ErrForbidden = errors.New("only https on public addresses may be called")

// New returns a client that follows no redirects, uses no proxy and ends each call after timeout. allow lists the exact host:port pairs
// that may be called with any scheme and address.
func New(allow []string, timeout time.Duration) *http.Client {
	t := &transport{allow: allow}
	guarded := &net.Dialer{Timeout: timeout, Control: public}
	open := &net.Dialer{Timeout: timeout}
	t.base = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if slices.Contains(allow, address) {
				return open.DialContext(ctx, network, address)
			}
			return guarded.DialContext(ctx, network, address)
		},
		TLSHandshakeTimeout: timeout, MaxResponseHeaderBytes: 16 << 10, ForceAttemptHTTP2: true, IdleConnTimeout: 30 * time.Second,
	}
	return &http.Client{
		Transport: t, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type transport struct {
	allow []string
	base  *http.Transport
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !slices.Contains(t.allow, pair(r.URL)) && (r.URL.Scheme != "https" || r.URL.User != nil) {
		return nil, ErrForbidden
	}
	return t.base.RoundTrip(r)
}

// CloseIdleConnections makes http.Client.CloseIdleConnections work.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func pair(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// Check returns ErrForbidden for an address that would never be called: one that is not https, or a private address or name. It does not
// resolve names.
func Check(allow []string, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Hostname() == "" || u.User != nil {
		return ErrForbidden
	}
	if slices.Contains(allow, pair(u)) && (u.Scheme == "https" || u.Scheme == "http") {
		return nil
	}
	if u.Scheme != "https" || inside(u.Hostname()) {
		return ErrForbidden
	}
	return nil
}

// inside reports whether a host cannot be public: a name without a dot, a name of a local network, or an address that is not
// public, however it is written (127.1, 0x7f.1).
func inside(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return !Public(a)
	}
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	last := labels[len(labels)-1]
	return len(labels) < 2 || last == "" || strings.Trim(last, "0123456789abcdefx") == "" && last[0] <= '9' ||
		slices.Contains([]string{"localhost", "local", "internal", "lan", "home", "arpa"}, last)
}

// public refuses an address that is not public. It runs after the name is resolved, so that the name cannot point elsewhere after the
// check.
func public(_, address string, _ syscall.RawConn) error {
	end, err := netip.ParseAddrPort(address)
	if err != nil || !Public(end.Addr()) {
		return ErrForbidden
	}
	return nil
}

// Public reports whether an address is on the public internet: of IPv6 that is 2000::/3.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !global.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

var global = netip.MustParsePrefix("2000::/3")

// special lists networks that are reserved, or whose addresses embed one of the other IP version.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

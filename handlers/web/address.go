package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies whose X-Forwarded-For is trusted.
type Proxies []netip.Prefix

// Client returns the address that a request came from: the other end of the connection or, if that is a trusted proxy, the last address in
// X-Forwarded-For that is not one. If each address there is a trusted proxy, it returns the first; an address that cannot be read ends the
// search at the proxy that passed it on. It returns the zero address if the connection has none.
func (p Proxies) Client(r *http.Request) netip.Addr {
	end, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := end.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.Has(client); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap()
	}
	return client
}

// passing lists the headers by which proxies show that they passed on a request.
var passing = []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via", "X-Forwarded-Proto", "X-Forwarded-Host"}

// Remote is like Client, but returns the zero address for a request that was made on this machine. A request that a proxy on this machine
// passed on does not count as such, even if the proxy is not a trusted one: it says so in a header, or the site's address uses https and
// the request came without TLS.
func (p Proxies) Remote(r *http.Request, https bool) netip.Addr {
	client := p.Client(r)
	passed := slices.ContainsFunc(passing, func(name string) bool { return r.Header.Get(name) != "" })
	if client.IsLoopback() && !passed && (!https || r.TLS != nil) {
		return netip.Addr{}
	}
	return client
}

// Has reports whether an address is that of a trusted proxy.
func (p Proxies) Has(a netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

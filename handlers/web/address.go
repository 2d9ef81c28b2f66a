package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// Proxies are the networks of the proxies whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// Client returns where a request came from: the connection's other end or, where that is one of ours, the last address in
// X-Forwarded-For that is not. Zero if it holds no address.
func (p Proxies) Client(r *http.Request) netip.Addr {
	end, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := end.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && p.has(client); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap()
	}
	return client
}

func (p Proxies) has(a netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

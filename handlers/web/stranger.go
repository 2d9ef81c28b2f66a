package web

import (
	"net/http"
	"net/netip"
	"sync"
)

// Strangers hears of requests that say by X-Forwarded-For where they came from and come from nobody who is believed. A proxy that
// is missing among the trusted ones is one of those, and everybody behind it counts as one address. count hears of each such request,
// first of the first of them with the peer's address.
func (p Proxies) Strangers(count func(), first func(peer netip.Addr)) func(http.Handler) http.Handler {
	var once sync.Once
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Forwarded-For") != "" {
				if end, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && !p.has(end.Addr().Unmap()) {
					count()
					once.Do(func() { first(end.Addr().Unmap()) })
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

package web

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
)

// Strangers detects requests with an X-Forwarded-For from a peer that is not trusted. A proxy that is missing from the trusted ones is such
// a peer, and everybody behind it counts as one address. Strangers calls count for each such request, and first, with the peer's address,
// for the first one.
func (p Proxies) Strangers(count func(), first func(ctx context.Context, peer netip.Addr)) func(http.Handler) http.Handler {
	var once sync.Once
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Forwarded-For") != "" {
				if end, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && !p.Has(end.Addr().Unmap()) {
					count()
					once.Do(func() { first(r.Context(), end.Addr().Unmap()) })
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

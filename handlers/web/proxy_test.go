package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/run/tracing"
)

func TestAnUntrustedProxyIsReportedOnceAndCounted(t *testing.T) {
	t.Parallel()
	var counted int
	var told []string
	proxies := web.Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	served := 0
	first := func(ctx context.Context, peer netip.Addr) {
		told = append(told, tracing.RequestOf(ctx)+" "+peer.String())
	}
	h := proxies.Strangers(func() { counted++ }, first)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
	for _, r := range []struct{ peer, forwarded string }{
		{"10.1.2.3:4000", "203.0.113.7"},
		{"192.0.2.1:4000", ""},
		{"192.0.2.1:4000", "203.0.113.7"},
		{"[::ffff:192.0.2.1]:4001", "203.0.113.8, 10.0.0.1"},
		{"198.51.100.9:1", "x"},
	} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req = req.WithContext(tracing.WithRequest(req.Context(), "R7F3A"))
		req.RemoteAddr = r.peer
		if r.forwarded != "" {
			req.Header.Set("X-Forwarded-For", r.forwarded)
		}
		h.ServeHTTP(httptest.NewRecorder(), req)
	}
	if want := []string{"R7F3A 192.0.2.1"}; counted != 3 || !slices.Equal(told, want) || served != 5 {
		t.Errorf("counted %d, told of %q, served %d; want 3, %q, 5", counted, told, served, want)
	}
}

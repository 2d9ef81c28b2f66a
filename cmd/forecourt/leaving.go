package main

import (
	"net/http"
	"sync/atomic"
	"time"
)

// leaving records whether this process is about to stop. A load balancer has to know before the listener closes; otherwise it would have to
// resend requests.
type leaving struct{ now atomic.Bool }

// before answers /readyz with 503 while the process is about to stop, and passes everything else on.
func (l *leaving) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.now.Load() && r.URL.Path == "/readyz" {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"error":"stopping"}` + "\n"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// wait gives a load balancer time to notice, while requests are still served.
func (l *leaving) wait(drain time.Duration) {
	l.now.Store(true)
	<-time.After(drain)
}

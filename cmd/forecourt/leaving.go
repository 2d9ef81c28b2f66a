package main

import (
	"net/http"
	"sync/atomic"
	"time"
)

// leaving records whether this process is about to stop. A load balancer has to know before the listener closes: it would have
// to resend requests that it sends to a closed one.
type leaving struct{ now atomic.Bool }

// before answers /readyz with 503 while the process is about to stop. Everything else goes on.
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

// wait lets requests come for as long as a load balancer takes to notice.
func (l *leaving) wait(drain time.Duration) {
	l.now.Store(true)
	<-time.After(drain)
}

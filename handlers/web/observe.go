package web

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Observed calls observe for each answered request with its method, the route's pattern ("" if none matches), the status and
// the time it took. It does not call observe for an aborted request.
func Observed(observe func(method, route string, status int, took time.Duration)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start := time.Now()
			seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(seen, r)
			status := seen.Status()
			if status == 0 { // nothing was written, so net/http answers 200
				status = http.StatusOK
			}
			route := ""
			if matched := chi.RouteContext(r.Context()); matched != nil {
				route = matched.RoutePattern()
			}
			observe(r.Method, route, status, time.Since(start))
		})
	}
}

package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Watched tells observe and trace, unless they are nil, about each request that is answered, and logs it. It tells the method, the route's
// pattern ("" if none matches), the status and the time, and trace the request's id as well, whose span it begins before. It does not tell
// about an aborted request.
func (s *Responder) Watched(
	observe func(method, route string, status int, took time.Duration),
	trace func(ctx context.Context, method string) (context.Context, func(route, request string, status int)),
) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start, end := time.Now(), func(string, string, int) {}
			if trace != nil {
				var ctx context.Context
				ctx, end = trace(r.Context(), r.Method)
				// GetHead and the router change values in this context; they do not see values that are added later.
				r = r.WithContext(ctx)
			}
			seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(seen, r)
			status, route := cmp.Or(seen.Status(), http.StatusOK), "" // if nothing was written, net/http answers 200
			if matched := chi.RouteContext(r.Context()); matched != nil {
				route = matched.RoutePattern()
			}
			if observe != nil {
				observe(r.Method, route, status, time.Since(start))
			}
			if s.log.Enabled(r.Context(), slog.LevelDebug) {
				Log(r, s.log).DebugContext(r.Context(), "request", "status", status, "bytes", seen.BytesWritten(),
					"ms", time.Since(start).Milliseconds())
			}
			end(route, w.Header().Get("X-Request-Id"), status)
		})
	}
}

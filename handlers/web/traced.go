package web

import (
	"cmp"
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Traced begins a span for each request and ends it with the route's pattern ("" where none fits), the request's id and
// the status. It stands before Logged, so that every line of the log is within the span.
func Traced(begin func(ctx context.Context, method string) (context.Context, func(route, request string, status int))) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, end := begin(r.Context(), r.Method)
			// GetHead and the router leave their marks in this context, whose later values they do not see.
			r = r.WithContext(ctx)
			seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(seen, r)
			route := ""
			if matched := chi.RouteContext(r.Context()); matched != nil {
				route = matched.RoutePattern()
			}
			end(route, w.Header().Get("X-Request-Id"), cmp.Or(seen.Status(), http.StatusOK))
		})
	}
}

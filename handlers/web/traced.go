package web

import (
	"cmp"
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Traced begins a span for each request and ends it with the route's pattern ("" if none matches), the request's id and the status. It has
// to come before Logged, so that every line of the log is within the span.
func Traced(begin func(
	ctx context.Context, method string,
) (context.Context, func(route, request string, status int))) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, end := begin(r.Context(), r.Method)
			// GetHead and the router change values in this context; they do not see values that are added later.
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

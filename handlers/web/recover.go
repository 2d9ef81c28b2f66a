package web

import (
	"net/http"

	"github.com/go-chi/chi/v5/middleware"
)

// Recovered recovers panics outside of handlers, for instance in another middleware. It logs the type and the place, never the value, and
// answers 500. It aborts an answer that has begun.
func (s *Responder) Recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // a sentinel that net/http compares the same way
				panic(p)
			}
			Log(r, s.log).ErrorContext(r.Context(), "request failed", "status", http.StatusInternalServerError, "error", panicked(p))
			if seen.Status() != 0 {
				panic(http.ErrAbortHandler) // a client must not take half an answer for a whole one
			}
			http.Error(seen, "Something went wrong on our side. Please try again in a moment.", http.StatusInternalServerError)
		}()
		next.ServeHTTP(seen, r)
	})
}

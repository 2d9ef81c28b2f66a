package web

import (
	"context"
	"io"
	"net/http"

	"forecourt/internal/fault"
	"forecourt/internal/live"
)

type slotKey struct{}

// FewAtOnce answers 503 if a request finds no slot. Each request takes memory until it is answered, and over HTTP/2 one connection has many.
// A stream gives its slot back when it begins. Requests from this machine need none.
func (s *Responder) FewAtOnce(slots *live.Slots, proxies Proxies) func(http.Handler) http.Handler {
	refuse := s.answer(func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Busy, "too many requests at once")
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := proxies.Remote(r)
			if !client.IsValid() {
				next.ServeHTTP(w, r)
				return
			}
			leave, ok := slots.Take(client)
			if !ok {
				refuse(w, r)
				return
			}
			defer leave()
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), slotKey{}, leave)))
		})
	}
}

// Limited lets a handler read at most limit bytes of a request's body. The map of the site has each route's limit.
func Limited(limit int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, limit), whole: r.Body, limit: limit}
			next.ServeHTTP(w, r)
		})
	}
}

// limitedBody is a body with its limit. ParseUpload reads the whole body and keeps the part within the limit.
type limitedBody struct {
	io.ReadCloser
	whole io.ReadCloser
	limit int64 // bytes
}

// Drain reads and discards up to 8 MB beyond a body's limit, because a browser reads the answer only after it has sent everything.
func Drain(r *http.Request) {
	if body, ok := r.Body.(*limitedBody); ok {
		_, _ = io.CopyN(io.Discard, body.whole, 8<<20)
	}
}

// Cached sets Cache-Control. A handler may still forbid what it allows.
func Cached(control string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", control)
			next.ServeHTTP(w, r)
		})
	}
}

package web

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

type placeKey struct{}

// FewAtOnce answers 503 if a request finds no place. Each request takes memory until it is answered, and over HTTP/2 one connection has
// many. The first requests of a network take one of first, so that a few networks that fill the places do not shut out all others. A stream
// gives its place back when it begins. Requests from this machine need none.
func (s *Responder) FewAtOnce(first, places *throttle.Places, proxies Proxies, https bool) func(http.Handler) http.Handler {
	refuse := s.Answer(func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Busy, "too many requests at once")
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := proxies.Remote(r, https)
			if !client.IsValid() {
				next.ServeHTTP(w, r)
				return
			}
			network := throttle.From(client)
			leave, ok := first.Take(network)
			if !ok {
				leave, ok = places.Take(network)
			}
			if !ok {
				refuse(w, r)
				return
			}
			defer leave()
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), placeKey{}, leave)))
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

// WholeBody returns a body that was read within its limit, so that it can be read again.
func WholeBody(body []byte) io.ReadCloser {
	again := io.NopCloser(bytes.NewReader(body))
	return &limitedBody{ReadCloser: again, whole: again, limit: int64(len(body))}
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

package web

import (
	"io"
	"net/http"
)

// Limited lets a handler read at most limit bytes of a request's body. The routes name the limit of each address.
func Limited(limit int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, limit), whole: r.Body, limit: limit}
			next.ServeHTTP(w, r)
		})
	}
}

// limitedBody is a body with its limit. ParseUpload reads the whole of it: it keeps what is in front of the limit.
type limitedBody struct {
	io.ReadCloser
	whole io.ReadCloser
	limit int64 // bytes
}

// Drain takes and throws away 8 MB of what is behind a body's limit: a browser reads the answer only when it has got rid of what
// it sends.
func Drain(r *http.Request) {
	if body, ok := r.Body.(*limitedBody); ok {
		_, _ = io.CopyN(io.Discard, body.whole, 8<<20)
	}
}

// Cached says by Cache-Control how long an answer may be kept. A handler may still forbid what it allows.
func Cached(control string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", control)
			next.ServeHTTP(w, r)
		})
	}
}

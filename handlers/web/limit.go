package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/netip"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/pubsub"
)

type slotKey struct{}

// networkOf returns the network that requests count for. Of IPv6 it is a /48, the most that a provider usually gives one customer: it has
// 65,536 networks of the usual size.
func networkOf(client netip.Addr) string {
	if client = client.Unmap().WithZone(""); client.Is6() {
		prefix, _ := client.Prefix(48) // fails for no address of this kind
		return prefix.String()
	}
	return client.String()
}

// FewAtOnce answers 503 if a request finds no slot. Each request takes memory until it is answered, and over HTTP/2 one connection has
// many. The first requests of a network take one of first, so that a few networks that fill the slots do not shut out all others. A stream
// gives its slot back when it begins. Requests from this machine need none.
func (s *Responder) FewAtOnce(first, slots *pubsub.Slots, proxies Proxies) func(http.Handler) http.Handler {
	refuse := s.Answer(func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Busy, "too many requests at once")
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := proxies.Remote(r)
			if !client.IsValid() {
				next.ServeHTTP(w, r)
				return
			}
			network := networkOf(client)
			leave, ok := first.TakeFor(network)
			if !ok {
				leave, ok = slots.TakeFor(network)
			}
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

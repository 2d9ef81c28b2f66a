package web

import (
	"context"
	"net/http"

	"forecourt/internal/tracing"
)

// staying is a stream that goes on after the handlers of its request have returned; run is nil if there is none.
type staying struct {
	request string // its id
	run     func(ctx context.Context, stream *Stream)
	ended   func()
}

type stayingKey struct{}

// Outlasted has to come before all other handlers. On HTTP/2 an answer ends when its handler returns, so a stream needs a handler that
// stays. Outlasted stays while the handlers behind it return, because those and their data of the request take more memory than the stream.
func (s *Responder) Outlasted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 2 || r.Header.Get("Accept") != "text/event-stream" {
			next.ServeHTTP(w, r)
			return
		}
		stays := staying{ended: func() {}}
		defer func() { stays.ended() }()
		Apart(func() { next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), stayingKey{}, &stays))) })
		if stays.run == nil {
			return
		}
		r.Header, r.URL = nil, nil // net/http keeps the request for as long as the answer
		s.stay(r.Context(), w, stays)
	})
}

// stay runs a stream to its end.
func (s *Responder) stay(ctx context.Context, w http.ResponseWriter, stays staying) {
	ctx = tracing.WithRequest(ctx, stays.request)
	defer s.recoverStream(ctx)
	var stream *Stream
	var err error
	Apart(func() { stream, err = openStream(w) }) // writing the header takes a deep stack, too
	if err == nil {
		stays.run(ctx, stream)
	}
}

// recoverStream is deferred by a stream whose handlers have returned, so that a panic ends only the stream.
func (s *Responder) recoverStream(ctx context.Context) {
	if p := recover(); p != nil {
		s.log.ErrorContext(ctx, "a stream failed", "error", panicked(p))
	}
}

// Apart runs work on another goroutine and waits for it. Reading and drawing a page take a deep stack, which a stream would otherwise keep
// for as long as it is open.
func Apart(work func()) {
	var failed any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		work()
	}()
	<-done
	if failed != nil {
		panic(failed)
	}
}

package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

type placeKey struct{}

// Busy limits how many requests are answered at once.
type Busy struct {
	First, Places *throttle.Places
	Proxies       Proxies
	HTTPS         bool
	// Known returns for whom a browser counts in which somebody signed in before; ok is false for any other.
	Known func(r *http.Request) (who throttle.Who, ok bool)
}

// FewAtOnce answers 503 if a request finds no place. Each request takes memory until it is answered, and over HTTP/2 one connection has
// many. The first requests of a network, and of somebody known, take one of First, so that a few networks that fill the places do not shut
// out all others, nor one visitor everybody known in the same network. A stream gives its place back when it begins. Requests from this
// machine need none. The context of all others says whose they are, for places further in.
func (s *Responder) FewAtOnce(b Busy) func(http.Handler) http.Handler {
	refuse := s.Answer(func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Busy, "too many requests at once")
	})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client := b.Proxies.Remote(r, b.HTTPS)
			if !client.IsValid() {
				next.ServeHTTP(w, r)
				return
			}
			network := throttle.From(client)
			who := []throttle.Who{network}
			if known, ok := b.Known(r); ok {
				who = []throttle.Who{known, network}
			}
			leave, ok := b.First.Take(who[0])
			if !ok {
				leave, ok = b.Places.Take(network)
			}
			if !ok {
				refuse(w, r)
				return
			}
			defer leave()
			next.ServeHTTP(w, r.WithContext(context.WithValue(throttle.As(r.Context(), who...), placeKey{}, leave)))
		})
	}
}

// Limited lets a handler read at most limit bytes of a request's body, which have to come at leastRate. The map of the site has the
// limit of each route.
func Limited(limit int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			slow := &paced{ReadCloser: r.Body, control: http.NewResponseController(w), most: bodyTime}
			r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, slow, limit), whole: slow, limit: limit, slow: slow}
			next.ServeHTTP(w, r)
		})
	}
}

// limitedBody is a body with its limit. ParseUpload reads the whole body and keeps the part within the limit.
type limitedBody struct {
	io.ReadCloser
	whole io.ReadCloser
	limit int64  // bytes
	slow  *paced // nil for a body that is here already
}

// A body may take bodyTime, if it comes at leastRate after a pause of bodyPause.
const (
	bodyTime  = 30 * time.Second // the server's ReadTimeout
	bodyPause = 10 * time.Second
	leastRate = 16 << 10 // bytes a second
)

// paced is a body that has to come at leastRate. Otherwise a few senders of one byte now and then would hold all places.
type paced struct {
	io.ReadCloser
	control *http.ResponseController
	begun   time.Time // zero before the first Read
	most    time.Duration
	read    int64
}

func (p *paced) Read(b []byte) (int, error) {
	if p.begun.IsZero() {
		p.begun = time.Now()
	}
	due := min(bodyPause+time.Duration(p.read)*time.Second/leastRate, p.most)
	_ = p.control.SetReadDeadline(p.begun.Add(due)) // a recorder in a test has none
	n, err := p.ReadCloser.Read(b[:min(len(b), leastRate)])
	p.read += int64(n)
	if errors.Is(err, io.EOF) {
		_ = p.control.SetReadDeadline(p.begun.Add(p.most)) // that of the last byte must not end the request
	}
	return n, err
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

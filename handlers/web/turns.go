package web

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// A request waits turnWait for its turn. The line of a network has room for all requests that it may make at once.
const (
	turnWait = 10 * time.Second
	turnLine = 256
)

// Turns are the places in which answers are made that cost more the longer a menu is: pages of a long one take all processors if a crowd
// asks for them. A place is held only while an answer is made: the body is here before, and sending begins after it.
type Turns struct{ places *throttle.Places }

// NewTurns returns Turns with enough places to keep the processors busy, half of them for one sender.
func NewTurns() *Turns {
	processors := runtime.GOMAXPROCS(0)
	places := throttle.NewPlaces(2*processors, processors, turnWait)
	places.Line = turnLine
	return &Turns{places}
}

// InTurn makes a handler's answers in turn.
func (t *Turns) InTurn(s *Responder, next http.HandlerFunc) http.HandlerFunc {
	return s.Answer(func(w http.ResponseWriter, r *http.Request) error {
		return t.Make(w, r, func(w http.ResponseWriter, r *http.Request) error {
			next(w, r)
			return nil
		})
	})
}

// Make lets an answer be made once it is the sender's turn. Requests from this machine do not wait. Nor does a form over FieldLimit:
// it gets a place of Uploads. Error: throttle.ErrFull, one of the body, or the handler's.
func (t *Turns) Make(w http.ResponseWriter, r *http.Request, handler HandlerFunc) error {
	who, ok := throttle.Whose(r.Context())
	if body, _ := r.Body.(*limitedBody); body != nil && body.slow != nil && body.limit > 0 {
		if ok = ok && (body.limit <= FieldLimit || r.ContentLength >= 0 && r.ContentLength <= FieldLimit); ok {
			here, err := io.ReadAll(body)
			switch {
			case errors.As(err, new(*http.MaxBytesError)):
				return fault.New(fault.TooLarge, "body over %d bytes", body.limit)
			case err != nil:
				return fault.New(fault.Invalid, "the body did not arrive")
			}
			r.Body = WholeBody(here)
		}
	}
	if !ok {
		return handler(w, r)
	}
	ctx, leave, err := t.places.Enter(r.Context(), who...)
	if err != nil {
		return err
	}
	defer leave()
	return handler(begun{w, leave}, r.WithContext(ctx))
}

// begun is an answer whose place is given back when it begins.
type begun struct {
	http.ResponseWriter
	leave func()
}

func (b begun) WriteHeader(status int) {
	b.leave()
	b.ResponseWriter.WriteHeader(status)
}

func (b begun) Write(p []byte) (int, error) {
	b.leave()
	return b.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (b begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

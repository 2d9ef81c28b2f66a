// Package web has everything that all pages share between request and answer: rendering, status codes for errors, headers, limits and
// logging.
package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/time/rate"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
	"forecourt/views/site"
)

// HandlerFunc answers a request or returns an error. It must not return an error after it has written anything.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// Responder turns the errors of handlers into answers, and logs each once.
type Responder struct {
	log     *slog.Logger
	refused *rate.Limiter // lines about requests that were refused; failures of the program are all in the log
}

// NewResponder returns a Responder that logs to log.
func NewResponder(log *slog.Logger) *Responder { return &Responder{log: log, refused: LogLines()} }

// LogLines limits a kind of lines in the log that any sender can cause, so that nobody fills the disk with them: 10 a second, 200 at once.
func LogLines() *rate.Limiter { return rate.NewLimiter(10, 200) }

// Page returns a handler that answers an error with an error page.
func (s *Responder) Page(h HandlerFunc) http.HandlerFunc {
	return s.handle(h, func(w http.ResponseWriter, r *http.Request, status int, err error) error {
		if errors.As(err, new(*secret.LostError)) {
			return Render(w, r, status, site.Failed(site.LostFailure(RequestID(r))))
		}
		if errors.Is(err, shop.ErrRole) {
			return Render(w, r, status, site.Failed(site.NoRight(RequestID(r))))
		}
		return Render(w, r, status, site.Failed(site.FailureFor(status, r.URL, RequestID(r))))
	})
}

// API returns a handler that answers an error with a Refusal, in JSON.
func (s *Responder) API(h HandlerFunc) http.HandlerFunc {
	return s.APIAs(func(refusal Refusal) any { return refusal }, h)
}

// APIAs is like API, for calls whose errors have their own shape.
func (s *Responder) APIAs(shape func(refusal Refusal) any, h HandlerFunc) http.HandlerFunc {
	return s.handle(h, func(w http.ResponseWriter, _ *http.Request, status int, err error) error {
		return WriteJSON(w, status, shape(RefusalOf(err)))
	})
}

// Answer returns a handler that answers errors as the address should: in JSON for a call, else with a page.
func (s *Responder) Answer(h HandlerFunc) http.HandlerFunc {
	page, api := s.Page(h), s.API(h)
	return func(w http.ResponseWriter, r *http.Request) {
		if IsCall(r) {
			api(w, r)
			return
		}
		page(w, r)
	}
}

type failFunc func(w http.ResponseWriter, r *http.Request, status int, err error) error

func (s *Responder) handle(h HandlerFunc, fail failFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := s.guard(h, w, r)
		if err == nil {
			return
		}
		if gone(r, err) {
			Log(r, s.log).InfoContext(r.Context(), "the client left", "error", loggable(err.Error()))
			w.WriteHeader(statusGone)
			return
		}
		status := Status(err)
		level := slog.LevelInfo
		if status >= http.StatusInternalServerError && fault.CodeOf(err) != fault.Busy {
			level = slog.LevelError
		}
		if level == slog.LevelError || s.refused.Allow() {
			Log(r, s.log).Log(r.Context(), level, "request failed", "status", status, "error", loggable(err.Error()))
		}
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "5")
		}
		TellWait(w, err)
		if err := fail(w, r, status, err); err != nil && r.Context().Err() == nil {
			Log(r, s.log).ErrorContext(r.Context(), "error page", "error", loggable(err.Error()))
		}
	}
}

// statusGone is logged if the client did not wait for the answer. nginx uses the same number.
const statusGone = 499

// gone reports whether a handler failed because the client left.
func gone(r *http.Request, err error) bool {
	return errors.Is(r.Context().Err(), context.Canceled) && !errors.As(err, new(panicError))
}

// guard turns a panic into an error.
func (s *Responder) guard(h HandlerFunc, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == http.ErrAbortHandler: //nolint:errorlint // a sentinel that net/http compares the same way
			panic(p)
		default:
			err = panicked(p)
		}
	}()
	return h(w, r)
}

// panicked describes a recovered panic without its value, which may hold what a person typed.
func panicked(value any) error {
	return panicError(fmt.Sprintf("panic of type %T at %s", value, where(debug.Stack())))
}

// panicError is a recovered panic.
type panicError string

func (e panicError) Error() string { return string(e) }

// where returns the line of a stack that panicked, without arguments.
func where(stack []byte) string {
	lines := bytes.Split(stack, []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte("panic(")) && i+3 < len(lines) {
			place, _, _ := strings.Cut(strings.TrimSpace(string(lines[i+3])), " ")
			return place
		}
	}
	return "unknown place"
}

// TellWait says in the header when to try again, if err is a limit that lifts with time.
func TellWait(w http.ResponseWriter, err error) {
	var wait *throttle.Error
	switch {
	case errors.As(err, &wait):
		w.Header().Set("Retry-After", strconv.Itoa(int(wait.After.Seconds())+1))
	case fault.CodeOf(err) == fault.TooMany:
		w.Header().Set("Retry-After", "5")
	}
}

// statuses are the HTTP statuses of errors by their codes.
var statuses = map[fault.Code]int{
	fault.Invalid:     http.StatusBadRequest,
	fault.NotFound:    http.StatusNotFound,
	fault.Forbidden:   http.StatusForbidden,
	fault.Conflict:    http.StatusConflict,
	fault.Gone:        http.StatusGone,
	fault.TooMany:     http.StatusTooManyRequests,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.Media:       http.StatusUnsupportedMediaType,
	fault.Unavailable: http.StatusServiceUnavailable,
	fault.Busy:        http.StatusServiceUnavailable,
}

// Status returns the HTTP status for an error of a rule.
func Status(err error) int {
	code := fault.CodeOf(err)
	switch refusal := new(APIError); {
	case code == fault.Invalid && errors.As(err, &refusal) && refusal.Field != "":
		return http.StatusUnprocessableEntity // all of it was understood except this value
	case statuses[code] != 0:
		return statuses[code]
	case unstorable(err):
		return http.StatusNotFound
	case away(err):
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

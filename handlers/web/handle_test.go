package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/picture"
	"forecourt/internal/run/throttle"
)

const pan = "4111111111111111"

// answer serves a request with h, once as a page and once as an API call, and returns both answers and the log.
func answer(t *testing.T, h web.HandlerFunc) (page, api *httptest.ResponseRecorder, logged string) {
	t.Helper()
	var log bytes.Buffer
	untimed := func(_ []string, a slog.Attr) slog.Attr { // a time's digits may look like those of a card
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	s := web.NewResponder(slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: untimed})))
	page, api = httptest.NewRecorder(), httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/pos/x?card="+pan, nil)
	web.Identified(s.Watched(nil, nil)(s.Page(h))).ServeHTTP(page, r)
	web.Identified(s.Watched(nil, nil)(s.API(h))).ServeHTTP(api, r)
	return page, api, log.String()
}

func TestAPanicIsA500WithoutSecrets(t *testing.T) {
	t.Parallel()
	for name, panics := range map[string]any{
		"an error": fmt.Errorf("card %s", pan), "a text": "card " + pan, "a struct": struct{ PAN string }{pan},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, api, log := answer(t, func(http.ResponseWriter, *http.Request) error { panic(panics) })
			check.Equal(t, page.Code, 500, "page")
			check.Equal(t, api.Code, 500, "api")
			for _, text := range []string{page.Body.String(), api.Body.String(), log} {
				check.Lacks(t, text, pan, "the card number is in")
				check.Lacks(t, text, "goroutine", "a stack is in")
			}
			if strings.Contains(page.Body.String(), "handle_test.go") || !strings.Contains(log, "handle_test.go") {
				t.Errorf("the page names the place of the panic, or the log does not: %s", log)
			}
			if id := page.Header().Get("X-Request-Id"); id == "" || !strings.Contains(page.Body.String(), id) || !strings.Contains(log, id) {
				t.Errorf("page and log do not share the request id %q", id)
			}
		})
	}
}

func TestTheLogHoldsNoCardNumber(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		fault.New(fault.NotFound, "no shop %q", pan), fault.New(fault.Media, "content type %q", "4111+1111+1111+1111/x"), errors.New("invalid input: " + pan),
	} {
		if _, _, log := answer(t, func(http.ResponseWriter, *http.Request) error { return failure }); strings.Contains(log, "1111") || !strings.Contains(log, "[redacted]") {
			t.Errorf("%v: %s", failure, log)
		}
	}
	_, _, log := answer(t, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.NotFound, "no shop %q", "nosuch")
	})
	check.Contains(t, log, "nosuch", "the log lacks a text that is not a card number")
}

func TestAbortingIsLeftToTheServer(t *testing.T) {
	t.Parallel()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // the sentinel itself
			t.Errorf("got %v", p)
		}
	}()
	answer(t, func(http.ResponseWriter, *http.Request) error { panic(http.ErrAbortHandler) })
}

func TestErrorsRevealNothingInternal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		err       error
		status    int
		page, api string
		level     string
		retry     string
	}{
		{"internal", errors.New("relation secret_table does not exist"), 500, "Something went wrong", "Something went wrong on our side.", "ERROR", ""},
		{"away", fault.New(fault.Unavailable, "secret_table host down"), 503, "Back in a moment", "not available just now", "ERROR", "5"},
		{"busy", fault.New(fault.Busy, "secret_table"), 503, "Back in a moment", "not available just now", "INFO", "5"},
		{"pictures", picture.ErrBusy, 503, "Back in a moment", "not available just now", "INFO", "5"},
		{"not found", fault.New(fault.NotFound, "secret_table"), 404, "Page not found", "Not found.", "INFO", ""},
		{"invalid", fault.New(fault.Invalid, "secret_table"), 400, "did not arrive", "not valid", "INFO", ""},
		{"limit", &throttle.Error{After: 90 * time.Second}, 429, "Too many tries", "Too many tries", "INFO", "91"},
		{"forbidden", fault.New(fault.Forbidden, "secret_table"), 403, "Not from here", "", "INFO", ""},
		{"gone", fault.New(fault.Gone, "secret_table"), 410, "expired", "expired", "INFO", ""},
		{"too large", fault.New(fault.TooLarge, "secret_table"), 413, "too much", "too large", "INFO", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page, api, log := answer(t, func(http.ResponseWriter, *http.Request) error { return tt.err })
			check.Equal(t, page.Code, tt.status, "page")
			check.Equal(t, api.Code, tt.status, "api")
			check.Contains(t, page.Body.String(), tt.page, "page")
			check.Contains(t, api.Body.String(), tt.api, "api")
			check.Lacks(t, page.Body.String()+api.Body.String(), "secret_table", "an error's message reached the browser")
			check.Contains(t, log, `"level":"`+tt.level+`","msg":"request failed"`, "the log")
			check.Lacks(t, log, pan, "the address is logged")
			check.Equal(t, page.Header().Get("Retry-After"), tt.retry, "Retry-After")
			check.Equal(t, api.Header().Get("Content-Type"), "application/json", "the error of a call is JSON (API-05)")
		})
	}
}

func TestAnAPIErrorsTextReachesItsCaller(t *testing.T) {
	t.Parallel()
	_, api, _ := answer(t, func(http.ResponseWriter, *http.Request) error {
		return fmt.Errorf("x: %w", &web.APIError{Err: fault.New(fault.Conflict, "held"), Text: "It is <held>."})
	})
	t.Run("the text is in the error of the answer (API-06)", func(t *testing.T) {
		if want := `{"error":"It is \u003cheld\u003e."}` + "\n"; api.Code != 409 || api.Body.String() != want {
			t.Errorf("%d %q", api.Code, api.Body)
		}
	})
}

// A browser may close a page while it loads, which is not an error of ours.
func TestAClientThatWentAwayIsNoError(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		h      web.HandlerFunc
		status int
		level  string
	}{
		{"in the middle of a query", func(_ http.ResponseWriter, r *http.Request) error {
			return fmt.Errorf("query: %w", r.Context().Err())
		}, 499, "INFO"},
		{"while it sends", func(http.ResponseWriter, *http.Request) error { return io.ErrUnexpectedEOF }, 499, "INFO"},
		{"a mistake of ours", func(http.ResponseWriter, *http.Request) error { panic("x") }, 500, "ERROR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			ctx, leave := context.WithCancel(t.Context())
			leave()
			w := httptest.NewRecorder()
			web.NewResponder(slog.New(slog.NewTextHandler(&log, nil))).API(tt.h)(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/x", nil))
			if w.Code != tt.status || strings.Count(log.String(), "level="+tt.level) != 1 || strings.Count(log.String(), "level=") != 1 {
				t.Errorf("%d %s", w.Code, &log)
			}
		})
	}
}

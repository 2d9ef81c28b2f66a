package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/handlers/web"
)

func TestAPanicOutsideAHandlerIsRecovered(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		value   any
		written bool
		status  int // 0 for an aborted answer
		logged  bool
	}{
		"nothing written":          {value: "card " + pan, status: 500, logged: true},
		"an answer that has begun": {value: "card " + pan, written: true, logged: true},
		"aborting on purpose":      {value: http.ErrAbortHandler},
		"aborting half-way":        {value: http.ErrAbortHandler, written: true},
		"no panic":                 {status: 200},
		"no panic after writing":   {written: true, status: 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			s := web.NewResponder(slog.New(slog.NewJSONHandler(&log, nil)))
			answer, aborted := httptest.NewRecorder(), false
			func() {
				defer func() { aborted = recover() == http.ErrAbortHandler }() //nolint:errorlint // the sentinel itself
				s.Recovered(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					if tt.written {
						_, _ = w.Write([]byte("half"))
					}
					if tt.value != nil {
						panic(tt.value)
					}
				})).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/pos/x?card="+pan, nil))
			}()
			if aborted != (tt.status == 0) || !aborted && answer.Code != tt.status {
				t.Errorf("status %d, aborted %t", answer.Code, aborted)
			}
			if tt.logged != strings.Contains(log.String(), `"level":"ERROR"`) || tt.logged != strings.Contains(log.String(), "recover_test.go") {
				t.Errorf("logged %q", log.String())
			}
			if text := log.String() + answer.Body.String(); strings.Contains(text, pan) || strings.Contains(text, "goroutine") {
				t.Errorf("the answer or the log reveals too much: %s", text)
			}
		})
	}
}

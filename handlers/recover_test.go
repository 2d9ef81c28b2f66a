package handlers_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/handlers"
	"forecourt/handlers/session"
	"forecourt/handlers/staff"
	"forecourt/handlers/web"
)

// TestAPanicInAMiddlewareIsLoggedAndAnswered breaks the site's middlewares one at a time.
func TestAPanicInAMiddlewareIsLoggedAndAnswered(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trace   func(context.Context, string) (context.Context, func(string, string, int))
		figures bool // whether the metrics count the answer
	}{
		"the frame of the pages": {figures: true}, // panics because there is no site.Handler
		"the traces":             {trace: func(context.Context, string) (context.Context, func(string, string, int)) { panic("4111111111111111") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			var heard int
			logger := slog.New(slog.NewJSONHandler(&log, nil))
			site := handlers.New(handlers.Config{
				Log: logger, Responder: web.NewResponder(logger), Sessions: new(session.Sessions), Teams: new(session.Teams), Trace: tt.trace,
				Pages:   handlers.Pages{StaffSite: new(staff.Site)},
				Observe: func(_, _ string, status int, _ time.Duration) { heard = status },
			})
			answer := httptest.NewRecorder()
			site.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			if answer.Code != http.StatusInternalServerError || answer.Body.Len() == 0 || tt.figures != (heard == http.StatusInternalServerError) {
				t.Errorf("status %d, the metrics got %d: %q", answer.Code, heard, answer.Body)
			}
			if text := log.String(); strings.Count(text, `"level":"ERROR"`) != 1 || !strings.Contains(text, "panic of type") || strings.Contains(text, "4111") {
				t.Errorf("logged %s", text)
			}
		})
	}
}

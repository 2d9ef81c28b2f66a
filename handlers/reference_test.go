package handlers_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/run/tracing"
)

// A person who calls support can read from the page an id that leads to the line in the log.
func TestEveryErrorPageNamesItsRequest(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	seen := map[string]bool{}
	for _, test := range []struct {
		method, path string
		header       http.Header
		status       int
	}{
		{http.MethodGet, "/s/nowhere", nil, http.StatusNotFound},
		{http.MethodGet, "/desk/look?x=%ff", nil, http.StatusOK},
		{http.MethodGet, "/receipt/nobodys", nil, http.StatusNotFound},
		{http.MethodPost, "/privacy", http.Header{"Sec-Fetch-Site": {"same-origin"}}, http.StatusMethodNotAllowed},
		{http.MethodPost, "/signin", http.Header{"Sec-Fetch-Site": {"cross-site"}}, http.StatusForbidden},
		{http.MethodGet, "/docs/nowhere", nil, http.StatusNotFound},
	} {
		got := app.Do(t, test.method, test.path, nil, test.header)
		id := got.Header.Get("X-Request-Id")
		if got.Status != test.status || len(id) != 16 || seen[id] {
			t.Errorf("%s %s: %d with the id %q", test.method, test.path, got.Status, id)
		}
		seen[id] = true
		if test.status >= 400 && !strings.Contains(got.Body, "Reference "+id) {
			t.Errorf("%s %s: the page does not name %s: %.2000s", test.method, test.path, id, got.Body)
		}
	}
}

func TestEachLogLineNamesItsRequestOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	logger := slog.New(tracing.Logged(slog.NewTextHandler(&log, nil)))
	ctx := tracing.WithRequest(t.Context(), "R7F3A")
	logger.InfoContext(ctx, "a rule")
	logger.With("request", "R7F3A", "method", "GET").InfoContext(ctx, "a handler")
	logger.InfoContext(t.Context(), "nobody asked")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	for i, want := range []int{1, 1, 0} {
		if got := strings.Count(lines[i], "request=R7F3A"); got != want {
			t.Errorf("%d times: %s", got, lines[i])
		}
	}
}

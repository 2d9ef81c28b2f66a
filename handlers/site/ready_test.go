package site_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/handlers/site"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// A load balancer asks every second, so an outage of a minute must not log a line each time.
func TestReadinessIsLoggedWhenItChanges(t *testing.T) {
	t.Parallel()
	cfg, err := pgxpool.ParseConfig(dbtest.URL(t))
	check.Must(t, err)
	cfg.ConnConfig.RuntimeParams["temp_file_limit"] = "0"
	full, err := pgxpool.NewWithConfig(t.Context(), cfg)
	check.Must(t, err)
	defer full.Close()
	var log strings.Builder
	h := site.New(site.Config{Pool: full, Log: slog.New(slog.NewTextHandler(&log, nil))})
	for range 3 {
		w := httptest.NewRecorder()
		check.Must(t, h.Ready(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil)))
		check.Equal(t, w.Code, http.StatusServiceUnavailable, "on a full disk")
		check.Equal(t, w.Body.String(), `{"error":"not ready"}`+"\n", "on a full disk")
	}
	check.Equal(t, strings.Count(log.String(), "level=ERROR"), 1, "lines: %s", &log)
}

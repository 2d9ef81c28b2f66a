package jobs_test

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/internal/apptest"
	"forecourt/internal/jobs"
)

// ledgerOf answers with one capture that nobody made here.
func ledgerOf(reference string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		at := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
		_, _ = w.Write([]byte(`{"entries":[{"kind":"capture","reference":"` + reference + `","trxid":"t","transactionid":"T","amount":"1.00","currency":"AUD","arrivals":1,"at":"` + at + `"}]}`))
	})
}

func TestTheBooksAreComparedOnceADay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: ledgerOf("nobody's")})
	var mu sync.Mutex
	var log strings.Builder
	var found []int
	start := func() {
		queue, err := jobs.Start(t.Context(), jobs.Config{
			Pool: app.Pool, Payments: app.Payments, Settlement: app.Settlement, Log: slog.New(slog.NewTextHandler(&log, nil)), Compared: func(n int) {
				mu.Lock()
				defer mu.Unlock()
				found = append(found, n)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		before := count(t, app, "watch")
		apptest.Eventually(t, "a job of this start is done, and so is the comparison", func() bool {
			return count(t, app, "watch") > before && count(t, app, "compare") > 0
		})
		if err := queue.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	start()
	start() // another process, or the same one again
	if len(found) != 1 || found[0] != 1 {
		t.Errorf("comparisons found %v, want one that found 1", found)
	}
	if said := log.String(); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, "reference=nobody's") || !strings.Contains(said, "we do not know it") {
		t.Errorf("the log says %s", said)
	}
}

func count(t *testing.T, app *apptest.App, kind string) int {
	t.Helper()
	var done int
	if err := app.Pool.QueryRow(t.Context(), "SELECT count(*) FROM river_job WHERE state = 'completed' AND kind = $1", kind).Scan(&done); err != nil {
		t.Fatal(err)
	}
	return done
}

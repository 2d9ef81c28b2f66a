package jobs_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/jobs"
)

// ledgerOf answers with one capture that this site never made.
func ledgerOf(reference string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		at := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
		_, _ = w.Write([]byte(`{"entries":[{"kind":"capture","reference":"` + reference + `","trxid":"t","transactionid":"T","amount":"1.00","currency":"AUD","arrivals":1,"at":"` + at + `"}]}`))
	})
}

func TestTheBooksAreComparedOnceADay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: ledgerOf("nobody's")})
	var log strings.Builder
	start := func() {
		queue, err := jobs.Start(t.Context(), jobs.Config{
			Pool: app.Pool, Payments: app.Payments, Settlement: app.Settlement, Notices: app.Notices, Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		check.Must(t, err)
		before := count(t, app, "watch")
		apptest.Eventually(t, "a job of this start and the comparison are done", func() bool {
			return count(t, app, "watch") > before && count(t, app, "compare") > 0
		})
		check.Must(t, queue.Stop(t.Context()))
	}
	type result struct {
		differences *int32
		at          time.Time
	}
	kept := func() (r result) {
		check.Must(t, app.Pool.QueryRow(t.Context(), "SELECT differences, ran_at FROM ledger_comparison").Scan(&r.differences, &r.at))
		return r
	}
	if before := kept(); before.differences != nil || before.at.IsZero() {
		t.Errorf("before the first comparison, %v is stored", before)
	}
	start()
	one := kept()
	if one.differences == nil || *one.differences != 1 {
		t.Errorf("the comparison stored %v, want 1 difference", one)
	}
	start() // another process, or the same one again
	if again := kept(); again.at != one.at || count(t, app, "compare") != 1 {
		t.Errorf("the books were compared again: %v after %v", again.at, one.at)
	}
	if said := log.String(); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, "reference=nobody's") || !strings.Contains(said, "we do not know it") {
		t.Errorf("the log says %s", said)
	}
}

func count(t *testing.T, app *apptest.App, kind string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE state = 'completed' AND kind = $1", kind)
}

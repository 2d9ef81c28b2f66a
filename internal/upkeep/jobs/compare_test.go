package jobs_test

import (
	"log/slog"
	"net/http"
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
		_, _ = w.Write([]byte(`{"entries":[{"kind":"capture","reference":"` + reference + `","trxid":"t","transactionid":"T","merchantId":"m","testMode":true,"amount":"1.00","currency":"AUD","arrivals":1,"at":"` + at + `"}]}`))
	})
}

func TestTheBooksAreComparedOnceADay(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: ledgerOf("nobody's")})
	dbtest.Exec(t, app.Pool, "UPDATE account SET staff = false") // nobody is mailed
	start := func() {
		queue, err := jobs.Start(t.Context(), jobs.Config{
			Pool: app.Pool, Payments: app.Payments, Settlement: app.Settlement, Notices: app.Notices, Log: slog.New(slog.DiscardHandler),
		})
		check.Must(t, err)
		before := count(t, app, "watch")
		apptest.Eventually(t, "a job of this start and the comparison are done", func() bool {
			return count(t, app, "watch") > before && count(t, app, "compare") > 0
		})
		check.Must(t, queue.Stop(t.Context()))
	}
	start()
	cases := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM ledger_entry WHERE problem = 'there is no transaction t here'")
	check.Equal(t, cases, 1, "cases after the first reading")
	start() // another process, or the same one again
	check.Equal(t, count(t, app, "compare"), 1, "daily readings")
}

func count(t *testing.T, app *apptest.App, kind string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE state = 'completed' AND kind = $1", kind)
}

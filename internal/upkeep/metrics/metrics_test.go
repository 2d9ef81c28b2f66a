package metrics_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/metrics"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// figures returns every figure as name{label="value",…}, and a histogram as its count.
func figures(t *testing.T, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	families, err := m.Gatherer().Gather()
	check.Must(t, err)
	all := map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			var labels []string
			for _, l := range metric.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			name := family.GetName()
			if len(labels) > 0 {
				name += "{" + strings.Join(labels, ",") + "}"
			}
			all[name] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return all
}

func expect(t *testing.T, got map[string]float64, want map[string]float64) {
	t.Helper()
	for name, value := range want {
		if is, ok := got[name]; !ok || is != value {
			t.Errorf("%s is %v (there: %t), want %v", name, is, ok, value)
		}
	}
}

func TestWaitingJobsAreReported(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	m := metrics.New(pool)
	dbtest.Exec(t, pool, `INSERT INTO river_job (kind, state, args, max_attempts, scheduled_at, finalized_at) VALUES
		('mail', 'available', '{}', 3, now() - interval '1 hour', NULL), ('mail', 'retryable', '{}', 3, now() + interval '1 hour', NULL),
		('mail', 'completed', '{}', 3, now() - interval '1 day', now()), ('watch', 'available', '{}', 3, now(), NULL)`)
	m.Streams(func() int { return 7 })
	got := figures(t, m)
	expect(t, got, map[string]float64{
		`forecourt_jobs{kind="mail",state="available"}`: 1, `forecourt_jobs{kind="mail",state="retryable"}`: 1,
		`forecourt_jobs{kind="watch",state="available"}`: 1, "forecourt_streams_open": 7,
	})
	if _, told := got[`forecourt_jobs{kind="mail",state="completed"}`]; told {
		t.Error("completed jobs are counted")
	}
	if late := got["forecourt_job_oldest_seconds"]; late < 3600 || late > 4000 {
		t.Errorf("the oldest job waits %v s, want an hour", late)
	}
}

func TestWhatAProcessCounts(t *testing.T) {
	t.Parallel()
	m := metrics.New(dbtest.Pool(t))
	for range 2 {
		m.Payment("approved", "card")
	}
	m.Call("POST /api/pay", "approved", 20*time.Millisecond)
	m.Request("GET", "/pos/{client}/{id}", 200, time.Millisecond)
	m.Request("GET", "", 404, time.Millisecond)
	m.Request("BREW", "", 405, time.Millisecond)
	got := figures(t, m)
	expect(t, got, map[string]float64{
		`forecourt_payments_total{method="card",outcome="approved"}`:                           2,
		`forecourt_gateway_call_seconds{call="POST /api/pay",outcome="approved"}`:              1,
		`forecourt_http_request_seconds{method="GET",route="/pos/{client}/{id}",status="200"}`: 1,
		`forecourt_http_request_seconds{method="GET",route="none",status="404"}`:               1,
		`forecourt_http_request_seconds{method="other",route="none",status="405"}`:             1,
	})
	for _, name := range []string{"go_goroutines", "process_open_fds", "forecourt_db_connections_max"} {
		if got[name] <= 0 {
			t.Errorf("%s is %v, want more than 0", name, got[name])
		}
	}
}

func TestFiguresOfTheDatabase(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	expect(t, figures(t, metrics.New(app.Pool)), map[string]float64{
		"forecourt_database_answers": 1, "forecourt_attempts_open": 0, "forecourt_attempts_manual": 0, "forecourt_attempt_oldest_seconds": 0,
		"forecourt_sweep_lag_seconds": 0, "forecourt_ledger_differences": 0, "forecourt_orphan_transactions": 0,
		"forecourt_refunds_open": 0, "forecourt_refunds_manual": 0, "forecourt_refund_oldest_seconds": 0, "forecourt_refund_pending_oldest_seconds": 0,
	})
	attempt := func(state string) string {
		id := app.Order(t)
		dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'processing' WHERE id = $1", id)
		dbtest.Exec(t, app.Pool, `INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, created_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', $2, now() + interval '1 hour', now() - interval '100 seconds'
			FROM transaction WHERE id = $1`, id, state)
		return id
	}
	attempt("unknown")
	attempt("redirected")
	attempt("manual")
	discrepant := attempt("submitting")
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET state = 'declined', settled_at = now(), later = 'approved' WHERE transaction_id = $1",
		discrepant)
	dbtest.Exec(t, app.Pool,
		"INSERT INTO ledger_reading VALUES ('g', '', now(), now(), to_timestamp(1750000000)), ('g', 'dispute', now(), now(), now())")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'processing' WHERE id = $1", app.Order(t))
	for _, refund := range []struct {
		state string
		age   int
	}{{"open", 100}, {"pending", 200}, {"pending", 150}, {"manual", 300}, {"declined", 400}} {
		dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, state, lease_until, created_at, settled_at)
			SELECT gen_random_uuid(), id, shop_code, 1, currency, test_mode, 'test', $2, now() + interval '1 hour', now() - make_interval(secs => $3),
			CASE $2 WHEN 'declined' THEN now() END FROM transaction WHERE id = $1`, app.Order(t), refund.state, refund.age)
	}
	dbtest.Exec(t, app.Pool, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, 1, currency, test_mode, 'opened', now() FROM attempt LIMIT 2`)
	dbtest.Exec(t, app.Pool, `INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at)
		VALUES ('capture', gen_random_uuid(), 'r', 't', 'c', true, 'AUD', 1, 'card', now() - interval '6 days')`)
	dbtest.Exec(t, app.Pool,
		"INSERT INTO ledger_mark (kind, until_at) VALUES ('owed', now() - interval '30 days'), ('late', now() - interval '5 days')")
	dbtest.Exec(t, app.Pool, "INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at) VALUES ('p', 'c', 'AUD', true, 5, 1, 4, now())")
	got := figures(t, metrics.New(app.Pool))
	expect(t, got, map[string]float64{
		`forecourt_disputes{state="opened"}`: 2, `forecourt_disputes{state="won"}`: 0, `forecourt_disputes{state="lost"}`: 0,
		"forecourt_unsettled": 1, "forecourt_payout_doubts": 1,
		"forecourt_attempts_open": 2, "forecourt_attempts_manual": 1, "forecourt_ledger_differences": 1, "forecourt_orphan_transactions": 2,
		"forecourt_ledger_read_timestamp_seconds": 1750000000,
		"forecourt_sweep_lag_seconds":             0, "forecourt_refunds_open": 3, "forecourt_refunds_manual": 1,
	})
	for name, age := range map[string]float64{
		"forecourt_refund_oldest_seconds": 100, "forecourt_refund_pending_oldest_seconds": 200, "forecourt_attempt_oldest_seconds": 100,
	} {
		if got[name] < age || got[name] > age+100 {
			t.Errorf("%s is %v, want about %v", name, got[name], age)
		}
	}
}

func TestASilentDatabaseDoesNotDelayOtherFigures(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	check.Must(t, err)
	t.Cleanup(func() { silent.Close() })
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@"+silent.Addr().String()+"/nothing?sslmode=disable")
	check.Must(t, err)
	t.Cleanup(pool.Close)
	m := metrics.New(pool)
	read := make(chan map[string]float64, 1)
	go func() { read <- figures(t, m) }()
	select {
	case got := <-read:
		expect(t, got, map[string]float64{"forecourt_database_answers": 0})
		if _, ok := got["forecourt_attempts_manual"]; ok {
			t.Error("attempts are reported without a database")
		}
		if got["go_goroutines"] == 0 {
			t.Error("the other figures are missing")
		}
	case <-time.After(time.Minute):
		t.Fatal("reading the figures still waits after a minute")
	}
}

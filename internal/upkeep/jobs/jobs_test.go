package jobs_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/notice"
	"forecourt/internal/shop/order"
	"forecourt/internal/upkeep/jobs"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// config returns payments whose gateway has an empty ledger, which nobody reads.
func config(pool *pgxpool.Pool, log *slog.Logger) jobs.Config {
	silent := slog.New(slog.DiscardHandler)
	client := gateway.New(gateway.Config{})
	queue := mail.NewQueue(pool)
	return jobs.Config{
		Pool: pool, Log: log, Payments: payment.New(pool, client, payment.Config{}, silent),
		Settlement: settlement.New(settlement.Config{Pool: pool, Gateway: client, Days: 5, Log: silent}),
		Notices:    notice.New(pool, queue, nil),
	}
}

func create(t *testing.T, pool *pgxpool.Pool, key string) string {
	t.Helper()
	id, _, err := order.NewOrders(pool, order.NewMenus(pool)).Create(t.Context(), order.Request{
		Shop: "panezski", Lines: []order.Line{{Name: "Butter Croissant", Qty: 1}}, Table: "4", Key: key,
	})
	check.Must(t, err)
	return id
}

func TestUpkeepRunsWithTheProgram(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	due, declined, young := create(t, pool, "old"), create(t, pool, "declined"), create(t, pool, "young")
	dbtest.Exec(t, pool, "UPDATE transaction SET expires_at = now() - interval '1 second' WHERE id IN ($1, $2)", due, declined)
	dbtest.Exec(t, pool, "UPDATE transaction SET status = 'error' WHERE id = $1", declined)
	dbtest.Exec(t, pool, "UPDATE order_key SET created_at = now() - interval '24 hours' - interval '1 second' WHERE key = 'old'")
	dbtest.Exec(t, pool, "UPDATE order_key SET created_at = now() - interval '23 hours' WHERE key = 'young'")

	dbtest.Exec(t, pool, `INSERT INTO account (id, email, password_hash, staff, created_at)
		SELECT gen_random_uuid(), name || '@example.com', 'x', true, now() - interval '91 days' FROM unnest(ARRAY['unused', 'used', 'added']) name`)
	dbtest.Exec(t, pool, `INSERT INTO account_event (account_id, kind, created_at) SELECT a.id, e.kind, now() - e.age FROM account a JOIN (VALUES
		('unused', 'signed in with a code', interval '91 days'), ('used', 'signed in', interval '89 days'), ('added', 'added to the staff', interval '1 day')
		) e (name, kind, age) ON a.email = e.name || '@example.com'`)

	// More old rows than one statement deletes, as after a long pause.
	dbtest.Exec(t, pool,
		"INSERT INTO throttle (subject, key, count, since) SELECT 'test', n::text::bytea, 1, now() - interval '2 days' FROM generate_series(1, 12000) n")
	var log strings.Builder
	queue, err := jobs.Start(t.Context(), config(pool, slog.New(slog.NewTextHandler(&log, nil))))
	check.Must(t, err)
	statuses := func() string {
		return dbtest.Value[string](t, pool, "SELECT string_agg(status, ' ' ORDER BY array_position($1, id)) FROM transaction", []string{due, declined, young})
	}
	keys := func() string {
		return dbtest.Value[string](t, pool, "SELECT string_agg(key, ' ' ORDER BY key) FROM order_key")
	}
	apptest.Eventually(t, "upkeep has run", func() bool { return statuses() != "new error new" && keys() == "declined young" })
	check.Equal(t, statuses(), "expired error new", "the overdue, the declined and the new order")
	apptest.Eventually(t, "all old rows are gone", func() bool { return dbtest.Value[int](t, pool, "SELECT count(*) FROM throttle") == 0 })
	apptest.Eventually(t, "this month and three more have tables of the audit", func() bool {
		return dbtest.Value[int](t, pool,
			"SELECT count(*) FROM pg_inherits WHERE inhparent = 'audit'::regclass AND inhrelid <> 'audit_rest'::regclass") == 4
	})
	apptest.Eventually(t, "who has not signed in for 90 days is staff no more", func() bool {
		return dbtest.Value[string](t, pool, "SELECT string_agg(email, ' ' ORDER BY email) FROM account WHERE staff AND demo_open IS NULL") ==
			"added@example.com used@example.com"
	})
	check.NoError(t, queue.Stop(t.Context()))
	said := log.String()
	check.Equal(t, strings.Count(said, "\n"), strings.Count(said, "level=INFO msg=upkeep "),
		"lines, but for our own: the queue's upkeep logs %s", said)
	if again := create(t, pool, "old"); again == due {
		t.Error("a day-old key still returns the old order")
	}
}

package db_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"forecourt/db"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

// backTo migrates the schema back to an earlier version.
func backTo(t *testing.T, pool *pgxpool.Pool, version int64) {
	t.Helper()
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, os.DirFS("migrations"))
	must.NoError(t, err)
	if _, err := provider.DownTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

func makeMonths(t *testing.T, queries *db.Queries) {
	t.Helper()
	months, err := queries.AuditMonthMissing(t.Context())
	must.NoError(t, err)
	for _, month := range months {
		must.NoError(t, queries.AuditMonthMake(t.Context(), month))
	}
}

func TestMigrateMovesTheAuditIntoMonthsDuringWrites(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	backTo(t, pool, 25)
	dbtest.Exec(t, pool, "INSERT INTO audit (created_at, actor, action, subject) SELECT now() - interval '1 day' * n, 'ann', 'old', n::text FROM generate_series(1, 200) n")
	write := func(ctx context.Context) error { // writes as the previous version does
		_, err := pool.Exec(ctx, "INSERT INTO audit (actor, action, subject, reason) VALUES ('bob', 'new', '', '')")
		return err
	}

	ctx, stop := context.WithCancel(t.Context())
	var written atomic.Int64
	stopped := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if err := write(ctx); err != nil && ctx.Err() == nil {
				stopped <- err
				return
			} else if err == nil {
				written.Add(1)
			}
		}
		stopped <- nil
	}()
	must.NoError(t, db.Migrate(t.Context(), pool))
	makeMonths(t, queries)
	stop()
	if err := <-stopped; err != nil {
		t.Fatalf("writing a line during the migration: %v", err)
	}

	// The writer may have been stopped after its last line was stored and before it was acknowledged.
	if got, want := dbtest.Value[int64](t, pool, "SELECT count(*) FROM audit WHERE action = 'new'"), written.Load(); got != want && got != want+1 {
		t.Errorf("found %d of the %d lines written during the migration", got, want)
	}
	if got := dbtest.Value[int](t, pool, "SELECT count(DISTINCT subject) FROM audit WHERE action = 'old'"); got != 200 {
		t.Errorf("found %d of the 200 earlier lines", got)
	}
	if got := dbtest.Value[int](t, pool, "SELECT count(*) FROM audit_rest"); got != 0 {
		t.Errorf("%d lines belong to no month's table", got)
	}
	if got := dbtest.Value[int](t, pool, "SELECT count(*) - count(DISTINCT id) FROM audit"); got != 0 {
		t.Errorf("%d ids are duplicates", got)
	}
	if got := dbtest.Value[int](t, pool, "SELECT count(DISTINCT tableoid) FROM audit"); got < 7 {
		t.Errorf("200 days are spread over %d tables, want at least 7", got)
	}
}

func TestALineOfAMonthWithoutATableIsKept(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	makeMonths(t, queries)
	const far = "2090-02-28 23:59:59+00"
	dbtest.Exec(t, pool, "INSERT INTO audit (created_at, actor, action, subject) VALUES ($1, 'ann', 'far', ''), (now(), 'ann', 'near', '')", far)
	if got := dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'far'"); got != "audit_rest" {
		t.Errorf("before the month has a table, the line is in %s", got)
	}
	makeMonths(t, queries)
	if got := dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'far'"); got != "audit_2090_02" {
		t.Errorf("once the month has a table, the line is in %s", got)
	}
	if got, want := dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'near'"), time.Now().UTC().Format("audit_2006_01"); got != want {
		t.Errorf("today's line is in %s", got)
	}
	if left, err := queries.AuditMonthMissing(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("months without a table: %v, %v", left, err)
	}
}

func TestAuditLinesCannotBeChanged(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	makeMonths(t, db.New(pool))
	dbtest.Exec(t, pool, "INSERT INTO audit (actor, action, subject) VALUES ('ann', 'a', '')")
	month := dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit")
	for _, table := range []string{"audit", "audit_rest", month} {
		for _, statement := range []string{"UPDATE " + table + " SET actor = 'bob'", "DELETE FROM " + table, "TRUNCATE " + table} {
			if _, err := pool.Exec(t.Context(), statement); err == nil {
				t.Errorf("%s succeeded", statement)
			}
		}
	}
	if _, err := pool.Exec(t.Context(), "SELECT audit_drop_month(now() - interval '12 months')"); err == nil {
		t.Error("a month less than a year old was dropped")
	}
}

func TestMakingAMonthDoesNotWaitForAWriter(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	tx, err := pool.Begin(t.Context())
	must.NoError(t, err)
	if _, err := tx.Exec(t.Context(), "INSERT INTO audit (actor, action, subject) VALUES ('ann', 'a', '')"); err != nil {
		t.Fatal(err)
	}
	if err := db.New(pool).AuditMonthMake(t.Context(), time.Now()); err == nil {
		t.Error("a month was made while a transaction was writing")
	}
	if err := errors.Join(tx.Commit(t.Context()), db.New(pool).AuditMonthMake(t.Context(), time.Now())); err != nil {
		t.Errorf("after the writer committed: %v", err)
	}
}

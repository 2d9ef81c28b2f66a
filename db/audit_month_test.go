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
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
)

// backTo migrates the schema back to an earlier version.
func backTo(t *testing.T, pool *pgxpool.Pool, version int64) {
	t.Helper()
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, os.DirFS("migrations"))
	must.NoError(t, err)
	_, err = provider.DownTo(t.Context(), version)
	must.NoError(t, err)
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
	must.NoError(t, <-stopped, "writing a line during the migration")

	// The writer may have been stopped after its last line was stored and before it was acknowledged.
	if got, want := dbtest.Value[int64](t, pool, "SELECT count(*) FROM audit WHERE action = 'new'"), written.Load(); got != want && got != want+1 {
		t.Errorf("found %d of the %d lines written during the migration", got, want)
	}
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(DISTINCT subject) FROM audit WHERE action = 'old'"), 200,
		"found … of the 200 earlier lines")
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(*) FROM audit_rest"), 0, "lines belong to no month's table")
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(*) - count(DISTINCT id) FROM audit"), 0, "ids are duplicates")
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
	check.Equal(t, dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'far'"), "audit_rest",
		"before the month has a table, the line is in")
	makeMonths(t, queries)
	check.Equal(t, dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'far'"), "audit_2090_02",
		"once the month has a table, the line is in")
	got, want := dbtest.Value[string](t, pool, "SELECT tableoid::regclass::text FROM audit WHERE action = 'near'"), time.Now().UTC().Format("audit_2006_01")
	check.Equal(t, got, want, "today's line is in")
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
			_, err := pool.Exec(t.Context(), statement)
			check.Error(t, err, "%s succeeded", statement)
		}
	}
	_, err := pool.Exec(t.Context(), "SELECT audit_drop_month(now() - interval '12 months')")
	check.Error(t, err, "a month less than a year old was dropped")
}

func TestMakingAMonthDoesNotWaitForAWriter(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	tx, err := pool.Begin(t.Context())
	must.NoError(t, err)
	_, err = tx.Exec(t.Context(), "INSERT INTO audit (actor, action, subject) VALUES ('ann', 'a', '')")
	must.NoError(t, err)
	check.Error(t, db.New(pool).AuditMonthMake(t.Context(), time.Now()), "a month was made while a transaction was writing")
	check.NoError(t, errors.Join(tx.Commit(t.Context()), db.New(pool).AuditMonthMake(t.Context(), time.Now())), "after the writer committed")
}

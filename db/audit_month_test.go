package db_test

import (
	"errors"
	"testing"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func makeMonths(t *testing.T, queries *db.Queries) {
	t.Helper()
	months, err := queries.AuditMonthMissing(t.Context())
	check.Must(t, err)
	for _, month := range months {
		check.Must(t, queries.AuditMonthMake(t.Context(), month))
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
	check.Must(t, err)
	_, err = tx.Exec(t.Context(), "INSERT INTO audit (actor, action, subject) VALUES ('ann', 'a', '')")
	check.Must(t, err)
	check.Error(t, db.New(pool).AuditMonthMake(t.Context(), time.Now()), "a month was made while a transaction was writing")
	check.NoError(t, errors.Join(tx.Commit(t.Context()), db.New(pool).AuditMonthMake(t.Context(), time.Now())), "after the writer committed")
}

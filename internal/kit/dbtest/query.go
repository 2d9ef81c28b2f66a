package dbtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Executor is what Exec needs of a pool, a connection or a transaction.
type Executor interface {
	Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error)
}

// Querier is what Value needs of a pool, a connection or a transaction.
type Querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// Exec runs a statement that has to succeed.
func Exec(t testing.TB, db Executor, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// PublishMenu runs a statement that changes what is on menus, as publishing does: every shop's menu has another revision then.
func PublishMenu(t testing.TB, db Executor, statement string, args ...any) {
	t.Helper()
	Exec(t, db, statement, args...)
	Exec(t, db, `INSERT INTO menu_version (shop_code, no, body, made_by, published_at)
		SELECT c.code, coalesce((SELECT max(v.no) FROM menu_version v WHERE v.shop_code = c.code), 0) + 1, menu_of_tables(c.code), '',
			clock_timestamp()
		FROM shop c`)
}

// Value returns the only column of the first row that a query finds.
func Value[T any](t testing.TB, db Querier, query string, args ...any) T {
	t.Helper()
	var value T
	if err := db.QueryRow(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

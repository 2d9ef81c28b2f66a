// Package dbtest gives each test a PostgreSQL database of its own, migrated and with the demo data in it, but without any transaction.
package dbtest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/embedded"
	"forecourt/internal/demo"
)

// server is the one of this test binary; Main sets it before any test runs.
var (
	server *embedded.Server
	number atomic.Int64
)

const template = "template_forecourt"

// Main runs the tests of a package with a server beside them: func TestMain(m *testing.M) { dbtest.Main(m) }.
func Main(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dbtest:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "forecourt-test-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server, err = embedded.Start(ctx, embedded.Options{Dir: dir, Settings: map[string]string{"max_connections": "200"}})
	if err != nil {
		return 1, err
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	if err := fill(ctx); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// fill makes the database that every test's is a copy of.
func fill(ctx context.Context) error {
	if err := execute(ctx, "CREATE DATABASE "+template); err != nil {
		return err
	}
	pool, err := db.Open(ctx, server.DSN(template), 4)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := db.Migrate(ctx, pool); err != nil {
		return err
	}
	if err := demo.Load(ctx, pool); err != nil {
		return err
	}
	// The demo's pay link would be among the transactions that tests count.
	_, err = pool.Exec(ctx, "DELETE FROM transaction")
	return err
}

func execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, server.DSN("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// Pool returns connections to a database that only this test has.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), URL(t), 8)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// URL makes a database that only this test has and returns its address.
func URL(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", number.Add(1))
	if err := execute(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if err := execute(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil && !strings.Contains(err.Error(), "closed") {
			t.Error(err)
		}
	})
	return server.DSN(name)
}

// Package dbtest gives each test its own migrated PostgreSQL database, which holds the demo data but no transactions.
package dbtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/run/picture"
	"forecourt/internal/upkeep/demo"
	"forecourt/ops/embedded"
)

// Shared names the environment variable that holds the address of a server shared by the packages of one run, as Serve tells it.
// Without it, each package starts its own.
const Shared = "FORECOURT_TEST_DATABASE"

// address returns the address of a database; Main sets it before any test runs.
var (
	address func(database string) string
	number  atomic.Int64
)

const template = "template_forecourt"

// Main runs a package's tests with a database server: func TestMain(m *testing.M) { dbtest.Main(m) }.
// Like the program, a test binary is also the child process that decodes pictures or unpacks PostgreSQL.
func Main(m interface{ Run() int }) {
	embedded.Child()
	picture.Child()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "dbtest:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m interface{ Run() int }) (code int, err error) {
	if at := os.Getenv(Shared); at != "" {
		server, err := url.Parse(at)
		if err != nil {
			return 1, err
		}
		address = func(database string) string {
			u := *server
			u.Path = "/" + database
			return u.String()
		}
		return m.Run(), nil
	}
	err = serve("200", func() error {
		code = m.Run()
		return nil
	})
	return code, err
}

// Serve runs a server for several packages while use runs. Use gets the value for the environment variable Shared.
func Serve(use func(address string) error) error {
	return serve("1000", func() error { return use(address("postgres")) })
}

// serve starts a server that allows the given number of connections, fills the template, and stops the server after use.
func serve(connections string, use func() error) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dir, err := folder()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server, err := embedded.Start(ctx, embedded.Options{Dir: dir, Settings: map[string]string{"max_connections": connections}})
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop(context.WithoutCancel(ctx)) }()
	address = server.DSN
	if err := fill(ctx); err != nil {
		return err
	}
	return use()
}

// Secret is the secret from which keys are derived in tests.
const Secret = "a secret for tests only"

// fill makes the template from which every test's database is copied.
func fill(ctx context.Context) error {
	if err := execute(ctx, "CREATE DATABASE "+template); err != nil {
		return err
	}
	pool, err := db.Open(ctx, address(template), 4)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := db.Migrate(ctx, pool); err != nil {
		return err
	}
	box := secret.NewRing(Secret).Box("gateway accounts")
	if err := demo.Load(ctx, pool, gatewayaccount.New(pool, box, nil)); err != nil {
		return err
	}
	if err := db.MakeRole(ctx, pool, embedded.AppRole); err != nil {
		return err
	}
	if err := db.Admit(ctx, pool, embedded.AppRole); err != nil {
		return err
	}
	// Remove the demo's pay link: tests count transactions.
	_, err = pool.Exec(ctx, "DELETE FROM transaction")
	return err
}

func execute(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, address("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// Pool returns connections to a database that no other test uses.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), Sealed(t), 8)
	check.Must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// URL makes a database that no other test uses, without what the demo sealed, and returns its address.
func URL(t testing.TB) string {
	t.Helper()
	at := Sealed(t)
	// A program that a test starts has a secret of its own, with which the demo's sealed rows do not open.
	conn, err := pgx.Connect(t.Context(), at)
	if err == nil {
		_, err = conn.Exec(t.Context(), "UPDATE shop_account SET pwd_sealed = NULL")
		err = errors.Join(err, conn.Close(t.Context()))
	}
	check.Must(t, err)
	return at
}

// Sealed makes a database that no other test uses and returns its address. What the demo sealed there opens with Secret.
func Sealed(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), number.Add(1))
	check.Must(t, execute(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY file_copy"))
	t.Cleanup(func() {
		// The test's own context has already ended.
		if err := execute(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil && !strings.Contains(err.Error(), "closed") {
			t.Error(err)
		}
	})
	return address(name)
}

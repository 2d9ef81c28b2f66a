package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// lockEvery is how often a process checks whether another one is still migrating.
const lockEvery = 200 * time.Millisecond

//go:embed migrations/*.sql
var migrations embed.FS

// Migrated is a migration that has run.
type Migrated struct {
	File string
	Took time.Duration
}

// Migrate brings the schema and River's tables up to date. Several processes may call it at once. If the schema is current, it costs one
// query. The pool needs at least two connections.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return MigrateFunc(ctx, pool, func(Migrated) {})
}

// MigrateFunc is like Migrate, and calls done after each migration except River's.
func MigrateFunc(ctx context.Context, pool *pgxpool.Pool, done func(Migrated)) error {
	if current, err := Current(ctx, pool); err != nil || current {
		return err
	}
	return alone(ctx, pool, func(pgx.Tx) error {
		if err := migrateOwn(ctx, pool, done); err != nil {
			return fmt.Errorf("migrations: %w", err)
		}
		return migrateRiver(ctx, pool)
	})
}

// alone calls do in a transaction, once no other process is in such a one. The lock belongs to the transaction, because a session's lock
// would stay with a connection that a pooler lends to others. Nobody waits within a transaction: an index that is built concurrently
// waits for the end of each transaction that had a snapshot when it looked, so the two could wait for each other.
func alone(ctx context.Context, pool *pgxpool.Pool, do func(tx pgx.Tx) error) error {
	for {
		locked := false
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
				return err
			}
			// The simple protocol: an open portal, as in the extended protocol, would hold its snapshot.
			const try = "SELECT pg_try_advisory_xact_lock($1)"
			err := tx.QueryRow(ctx, try, pgx.QueryExecModeSimpleProtocol, lock.DefaultLockID).Scan(&locked)
			if err != nil || !locked {
				return err
			}
			return do(tx)
		})
		if err != nil || locked {
			return err
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// migrateOwn runs the migrations on a connection of its own. It has the pool's limit for a lock: while a statement waits for one, all
// others wait behind it.
func migrateOwn(ctx context.Context, pool *pgxpool.Pool, done func(Migrated)) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	config := pool.Config().ConnConfig.Copy()
	config.Tracer = nil // a migration may take longer than a request's statement
	conn := stdlib.OpenDB(*config)
	defer conn.Close()
	conn.SetMaxOpenConns(1)
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, files)
	if err != nil {
		return err
	}
	for {
		result, err := provider.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return nil
		}
		if err != nil {
			return err
		}
		done(Migrated{File: path.Base(result.Source.Path), Took: result.Duration})
	}
}

func migrateRiver(ctx context.Context, pool *pgxpool.Pool) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("job queue migrations: %w", err)
	}
	return nil
}

// Current reports whether every migration of this program has run. A newer database counts as current: the previous version keeps
// running while a new one is rolled out.
func Current(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	want, err := newest()
	if err != nil {
		return false, err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return false, err
	}
	all := migrator.AllVersions()
	var have, haveRiver int64
	err = pool.QueryRow(ctx, `SELECT (SELECT max(version_id) FROM goose_db_version WHERE is_applied),
		(SELECT max(version) FROM river_migration)`).Scan(&have, &haveRiver)
	var missing *pgconn.PgError
	if errors.As(err, &missing) && missing.Code == "42P01" {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("migrations: %w", err)
	}
	return have >= want && haveRiver >= int64(all[len(all)-1].Version), nil
}

// Version returns the number of the last migration that has run, 0 if none has.
func Version(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	var version int64
	err := pool.QueryRow(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	var missing *pgconn.PgError
	if errors.As(err, &missing) && missing.Code == "42P01" {
		return 0, nil
	}
	return version, err
}

// ErrNewer means that a newer release has migrated the database.
var ErrNewer = errors.New("the database was last used by a newer release of this program, which an older one may damage")

// Newer returns ErrNewer for a database with migrations that this program does not have.
func Newer(ctx context.Context, pool *pgxpool.Pool) error {
	want, err := newest()
	if err != nil {
		return err
	}
	have, err := Version(ctx, pool)
	if err == nil && have > want {
		err = fmt.Errorf(
			"%w: it has version %d, this program knows %d; start the newer release again, or restore a backup made before it into an empty folder",
			ErrNewer, have, want,
		)
	}
	return err
}

// newest returns the number of the program's last migration.
func newest() (int64, error) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0, err
	}
	number, _, _ := strings.Cut(files[len(files)-1].Name(), "_")
	return strconv.ParseInt(number, 10, 64)
}

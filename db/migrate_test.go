package db_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestConcurrentProcessesMigrateOneAfterTheOther(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	check.Must(t, err)
	defer conn.Close(t.Context())
	name := conn.Config().Database
	dbtest.Exec(t, conn, "CREATE DATABASE "+name+"_empty")
	url = strings.Replace(url, name, name+"_empty", 1)
	var processes errgroup.Group
	for range 4 {
		processes.Go(func() error {
			pool, err := db.Open(t.Context(), url, 4)
			if err != nil {
				return err
			}
			defer pool.Close()
			return db.Migrate(t.Context(), pool)
		})
	}
	check.Must(t, processes.Wait())
	pool, err := db.Open(t.Context(), url, 4)
	check.Must(t, err)
	defer pool.Close()
	if current, err := db.Current(t.Context(), pool); err != nil || !current {
		t.Errorf("current = %t, %v; want true", current, err)
	}
}

func TestNewerRecognizesADatabaseOfANewerRelease(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	check.NoError(t, db.Newer(t.Context(), pool), "this release's database")
	dbtest.Exec(t, pool, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")
	if err := db.Newer(t.Context(), pool); !errors.Is(err, db.ErrNewer) || !strings.Contains(err.Error(), "version 99999") {
		t.Errorf("a newer release's database: %v, want ErrNewer", err)
	}
}

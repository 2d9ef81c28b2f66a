package db_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/db"
	"forecourt/internal/dbtest"
)

func TestProcessesThatStartAtOnceMigrateOneAfterTheOther(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	name := conn.Config().Database
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name+"_empty"); err != nil {
		t.Fatal(err)
	}
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
	if err := processes.Wait(); err != nil {
		t.Fatal(err)
	}
	pool, err := db.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if current, err := db.Current(t.Context(), pool); err != nil || !current {
		t.Errorf("it is current: %t, %v", current, err)
	}
}

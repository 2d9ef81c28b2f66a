package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Writable returns an error if the server behind pool cannot store anything, for instance because its disk is full: it writes about a
// megabyte to a temporary file and commits a record that changes nothing. Some providers make a server read-only before its disk is full.
func Writable(ctx context.Context, pool *pgxpool.Pool) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// This is the least that PostgreSQL allows. It keeps the rows from staying in memory.
		if _, err := tx.Exec(ctx, "SET LOCAL work_mem = '64kB'"); err != nil {
			return err
		}
		var rows int
		var readOnly bool
		err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM generate_series(1, 65536)), current_setting('transaction_read_only')::boolean
			FROM pg_logical_emit_message(true, 'forecourt', 'ready')`).Scan(&rows, &readOnly)
		if err == nil && readOnly {
			err = errors.New("the database is read-only")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

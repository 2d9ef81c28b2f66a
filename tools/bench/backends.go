package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// backends holds the processor time that each PostgreSQL process of a database has used so far, by process id.
type backends map[int]time.Duration

// readBackends reads the times of the processes of conn's database. PostgreSQL has to run on this machine.
func readBackends(ctx context.Context, conn *pgx.Conn) (backends, error) {
	rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
	if err != nil {
		return nil, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return nil, err
	}
	found := backends{}
	for _, pid := range pids {
		if found[pid], err = onProcessor(pid); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// since returns the processor time that the processes of b have used since before.
func (b backends) since(before backends) time.Duration {
	var sum time.Duration
	for pid, used := range b {
		sum += used - before[pid]
	}
	return sum
}

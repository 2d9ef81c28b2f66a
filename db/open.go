// Package db gives access to PostgreSQL: it opens and migrates the database and holds the generated queries.
package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
)

// connectTimeout limits one attempt to connect to one host.
const connectTimeout = 5 * time.Second

// statementTimeout is after how long PostgreSQL ends a statement.
const statementTimeout = 15 * time.Second

// timeouts are the settings of a session. The customer of a claim that waits longer than this for a lock has gone anyway; the sweep takes
// over.
var timeouts = map[string]string{
	"lock_timeout": "5s", "statement_timeout": statementTimeout.String(), "idle_in_transaction_session_timeout": "30s",
}

// Open connects to the PostgreSQL at url, directly or through a pooler, and checks that it keeps acknowledged commits. If maxConns is 0,
// pgx chooses.
func Open(ctx context.Context, url string, maxConns int32) (*pgxpool.Pool, error) {
	return OpenTraced(ctx, url, maxConns, nil)
}

// OpenTraced is like Open, but tracer sees every statement; it may be nil.
func OpenTraced(ctx context.Context, url string, maxConns int32, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	if maxConns > 0 {
		cfg.MaxConns = maxConns
	}
	cfg.ConnConfig.RuntimeParams["application_name"] = "forecourt"
	cfg.ConnConfig.Tracer = patience{}
	if tracer != nil {
		cfg.ConnConfig.Tracer = multitracer.New(patience{}, tracer)
	}
	cfg.PingTimeout = connectTimeout
	cfg.ConnConfig.ConnectTimeout = connectTimeout
	if err := fitRoute(ctx, cfg.ConnConfig); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := checkDurable(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// checkDurable refuses a server that may forget a committed payment in a crash.
func checkDurable(ctx context.Context, pool *pgxpool.Pool) error {
	var version int
	var fsync, fullPageWrites, synchronousCommit string
	err := pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('fsync'),
		current_setting('full_page_writes'), current_setting('synchronous_commit')`, pgx.QueryExecModeSimpleProtocol).
		Scan(&version, &fsync, &fullPageWrites, &synchronousCommit)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if version < 140000 {
		return fmt.Errorf("database: PostgreSQL 14 or newer is needed, this is %d", version/10000)
	}
	if fsync != "on" || fullPageWrites != "on" || synchronousCommit == "off" {
		return fmt.Errorf("database: it may lose acknowledged payments (fsync %s, full_page_writes %s, synchronous_commit %s)",
			fsync, fullPageWrites, synchronousCommit)
	}
	return nil
}

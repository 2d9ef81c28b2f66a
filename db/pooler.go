package db

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// execMode is the parameter of a database's address that says how statements are sent.
const execMode = "default_query_exec_mode"

// fitRoute finds out whether a pooler stands in between. If so, it avoids what a pooler cannot provide: statements prepared and settings
// made on a connection are lost, or belong to somebody else, once the pooler lends the connection to another client. If the address says
// how statements are sent, fitRoute keeps that.
func fitRoute(ctx context.Context, cfg *pgx.ConnConfig) error {
	pooled, err := behindPooler(ctx, cfg)
	if err != nil {
		return err
	}
	if !pooled {
		maps.Copy(cfg.RuntimeParams, timeouts)
		return nil
	}
	for name := range timeouts {
		delete(cfg.RuntimeParams, name)
	}
	if !strings.Contains(cfg.ConnString(), execMode) {
		cfg.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return nil
}

// behindPooler compares process ids, because a pooler makes up the one that it tells its clients.
func behindPooler(ctx context.Context, cfg *pgx.ConnConfig) (bool, error) {
	conn, err := pgx.ConnectConfig(ctx, cfg.Copy())
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var pid uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid); err != nil {
		return false, err
	}
	return pid != conn.PgConn().PID(), nil
}

// Pooled reports whether a pooler stands between pool, which Open made, and PostgreSQL.
func Pooled(pool *pgxpool.Pool) bool {
	return pool.Config().ConnConfig.RuntimeParams["lock_timeout"] == ""
}

// PoolerProblems says what an operator should change about the pooler, if there is one.
func PoolerProblems(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	if !Pooled(pool) {
		return nil, nil
	}
	var problems []string
	cfg := pool.Config().ConnConfig
	if cfg.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		problems = append(problems, "statements are prepared through a pooler, which fails unless that keeps track of them "+
			"(PgBouncer 1.21, max_prepared_statements): leave "+execMode+" out")
	}
	for _, name := range slices.Sorted(maps.Keys(timeouts)) {
		var value, role string
		if err := pool.QueryRow(
			ctx, "SELECT current_setting($1), current_user", pgx.QueryExecModeCacheDescribe, name,
		).Scan(&value, &role); err != nil {
			return nil, fmt.Errorf("database: %w", err)
		}
		if value == "0" {
			problems = append(problems, fmt.Sprintf("the pooler's connections have no %s: ALTER ROLE %s IN DATABASE %s SET %s = '%s'",
				name, pgx.Identifier{role}.Sanitize(), pgx.Identifier{cfg.Database}.Sanitize(), name, timeouts[name]))
		}
	}
	return problems, nil
}

package db

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Migrated is a migration that has run.
type Migrated struct {
	File string
	Took time.Duration // the longest that it can have held its locks
	// Lock is the strongest lock that it held on tables that existed before, such as "AccessExclusiveLock", or empty if there was none. Tables
	// lists the tables with that lock, by their names afterwards.
	Lock   string
	Tables []string
	// Statements tells that it ran outside a transaction: each statement held its own locks, which are not in Lock.
	Statements bool
}

// String describes the migration in one line.
func (m Migrated) String() string {
	held := "no lock on an existing table"
	switch {
	case m.Statements:
		held = "each statement by itself, outside a transaction"
	case m.Lock != "":
		held = m.Lock + " on " + strings.Join(m.Tables, ", ")
	}
	return fmt.Sprintf("%s  %s  %s", m.File, m.Took.Round(time.Millisecond), held)
}

// strengths are PostgreSQL's table locks, the weakest first.
var strengths = []string{
	"AccessShareLock", "RowShareLock", "RowExclusiveLock", "ShareUpdateExclusiveLock",
	"ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock",
}

// lockWatch traces a connection that migrates. After each statement in a transaction it reads which locks the transaction holds.
type lockWatch struct {
	there []uint32          // the tables that existed before this migration, which may rename them
	held  map[string]string // the strongest lock by table
	tx    bool              // whether the migration opened a transaction
	off   bool              // set while it runs its own query
}

// TraceQueryStart implements pgx.QueryTracer.
func (*lockWatch) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// heldLocks selects the transaction's locks on tables that existed before.
const heldLocks = `SELECT c.oid::regclass::text, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.granted AND c.relkind IN ('r', 'p')
	AND c.relnamespace = current_schema()::regnamespace AND c.relname NOT IN ('goose_db_version')
	AND c.oid = ANY ($1)`

// TraceQueryEnd implements pgx.QueryTracer.
func (w *lockWatch) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if w.off || data.Err != nil || conn.PgConn().TxStatus() != 'T' {
		return
	}
	w.tx, w.off = true, true
	defer func() { w.off = false }()
	rows, err := conn.Query(ctx, heldLocks, pgx.QueryExecModeExec, w.there)
	if err != nil {
		return
	}
	var table, mode string
	_, _ = pgx.ForEachRow(rows, []any{&table, &mode}, func() error {
		if slices.Index(strengths, mode) > slices.Index(strengths, w.held[table]) {
			w.held[table] = mode
		}
		return nil
	})
}

// begin notes which tables exist. Nobody else waits for a lock on a new one.
func (w *lockWatch) begin(ctx context.Context, pool *pgxpool.Pool) error {
	rows, err := pool.Query(ctx, "SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')")
	if err != nil {
		return err
	}
	w.there, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
	return err
}

// take adds what was seen since the last call to m.
func (w *lockWatch) take(m *Migrated) {
	for table, mode := range w.held {
		switch d := cmp.Compare(slices.Index(strengths, mode), slices.Index(strengths, m.Lock)); {
		case d > 0:
			m.Lock, m.Tables = mode, []string{table}
		case d == 0:
			m.Tables = append(m.Tables, table)
		}
	}
	slices.Sort(m.Tables)
	m.Statements = !w.tx
	clear(w.held)
	w.tx = false
}

// watched opens a connection for goose, with the pool's settings, and watches its locks.
func watched(pool *pgxpool.Pool) (*sql.DB, *lockWatch) {
	watch := &lockWatch{held: map[string]string{}}
	config := pool.Config().ConnConfig.Copy()
	config.Tracer = watch
	conn := stdlib.OpenDB(*config)
	conn.SetMaxOpenConns(1)
	return conn, watch
}

package db_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// TestADatabaseThatFallsSilentIsGivenUp stops the process that serves a connection: nothing arrives any more, and no connection breaks.
func TestADatabaseThatFallsSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), dbtest.URL(t), 1)
	check.Must(t, err)
	defer pool.Close()
	held, err := pool.Acquire(t.Context())
	check.Must(t, err)
	backend := int(held.Conn().PgConn().PID())
	check.Must(t, syscall.Kill(backend, syscall.SIGSTOP))
	defer func() { _ = syscall.Kill(backend, syscall.SIGCONT) }()
	statement := make(chan error)
	go func() {
		_, err := held.Exec(t.Context(), "SELECT 1")
		statement <- err
	}()
	_, err = pool.Acquire(t.Context())
	check.ErrorIs(t, err, context.DeadlineExceeded, "waiting for a connection ends")
	check.ErrorIs(t, <-statement, context.DeadlineExceeded, "a statement ends")
	held.Release()
}

func TestAPatientTransactionMayTakeLonger(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	tracer := pool.Config().ConnConfig.Tracer
	left := func(ctx context.Context) time.Duration {
		deadline, _ := tracer.TraceQueryStart(ctx, nil, pgx.TraceQueryStartData{}).Deadline()
		return time.Until(deadline)
	}
	if got := left(t.Context()); got <= 0 || got > 20*time.Second {
		t.Errorf("a statement has %v", got)
	}
	check.Must(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		ctx, err := db.Patient(t.Context(), tx, time.Hour)
		if err != nil {
			return err
		}
		var limit string
		if err := tx.QueryRow(ctx, "SHOW statement_timeout").Scan(&limit); err != nil {
			return err
		}
		if got := left(ctx); limit != "1h" || got < 50*time.Minute {
			t.Errorf("a statement of a patient transaction has %s at the server, %v here", limit, got)
		}
		return nil
	}))
}

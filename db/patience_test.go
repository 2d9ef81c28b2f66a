package db_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/db"
	"forecourt/internal/check"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
)

// line leads to a database. Once it is cut, nothing arrives any more at either end, and no connection breaks.
type line struct {
	net.Listener
	cut sync.RWMutex
}

func newLine(t *testing.T, to *pgconn.Config) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.NoError(t, err)
	l := &line{Listener: listener}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial(pgconn.NetworkAddress(to.Host, to.Port))
			if err != nil {
				_ = near.Close()
				return
			}
			go l.carry(near, far)
			go l.carry(far, near)
		}
	}()
	return l
}

func (l *line) carry(from, to net.Conn) {
	defer func() { _ = to.Close() }()
	part := make([]byte, 4096)
	for {
		n, err := from.Read(part)
		l.cut.RLock()
		if n > 0 && err == nil {
			_, err = to.Write(part[:n])
		}
		l.cut.RUnlock()
		if err != nil {
			return
		}
	}
}

func TestADatabaseThatFallsSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	to := &dbtest.Pool(t).Config().ConnConfig.Config
	l := newLine(t, to)
	pool, err := db.Open(t.Context(), fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=%s sslmode=disable", l.Addr().(*net.TCPAddr).Port, to.User, to.Database), 1)
	must.NoError(t, err)
	defer pool.Close()
	l.cut.Lock()
	defer l.cut.Unlock()
	statement := make(chan error)
	held, err := pool.Acquire(t.Context())
	must.NoError(t, err)
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
	must.NoError(t, pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
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

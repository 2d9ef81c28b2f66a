package apptest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/check"
	"forecourt/internal/run/tracing"
	"forecourt/ops/embedded"
)

// countingPool returns the site's connections. Their role is the one for requests in the embedded database.
func countingPool(t testing.TB, address string, count *atomic.Int64) *pgxpool.Pool {
	t.Helper()
	address, err := embedded.ForApp(address)
	check.Must(t, err)
	cfg, err := pgxpool.ParseConfig(address)
	check.Must(t, err)
	cfg.ConnConfig.Tracer = counter{count}
	cfg.MaxConns = 16
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	check.Must(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// counter counts the statements of requests, not those of work in the background.
type counter struct{ count *atomic.Int64 }

func (c counter) add(ctx context.Context, statements int) context.Context {
	if tracing.RequestOf(ctx) != "" {
		c.count.Add(int64(statements))
	}
	return ctx
}

func (c counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return c.add(ctx, 1)
}

func (c counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c counter) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	return c.add(ctx, len(data.Batch.QueuedQueries))
}

func (c counter) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (c counter) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// statementLimit ends a statement that PostgreSQL itself would have ended by now: its disk hangs, or the network drops every packet.
	statementLimit = statementTimeout + answerIn
	answerIn       = 5 * time.Second // how much longer than PostgreSQL's own limit a statement may take

	// acquireLimit is how long a request waits for one of the pool's connections.
	acquireLimit = 10 * time.Second
)

type patienceKey struct{}

// Patient lets the statements of a transaction that run with the returned context take up to limit, which is more than those of a request
// may.
func Patient(ctx context.Context, tx pgx.Tx, limit time.Duration) (context.Context, error) {
	_, err := tx.Exec(ctx, fmt.Sprintf("SET LOCAL statement_timeout = %d", limit.Milliseconds()))
	return context.WithValue(ctx, patienceKey{}, limit+answerIn), err
}

// patience gives up on a database that says nothing. It is a tracer because pgx runs a statement with the context that its tracer returns.
type patience struct{}

type givenUpKey struct{}

func limited(ctx context.Context, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(ctx, limit)
	return context.WithValue(ctx, givenUpKey{}, cancel)
}

func statement(ctx context.Context) context.Context {
	if longer, ok := ctx.Value(patienceKey{}).(time.Duration); ok {
		return limited(ctx, longer)
	}
	return limited(ctx, statementLimit)
}

func ended(ctx context.Context) {
	if cancel, ok := ctx.Value(givenUpKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// TraceQueryStart implements pgx.QueryTracer.
func (patience) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return statement(ctx)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (patience) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) { ended(ctx) }

// TraceBatchStart implements pgx.BatchTracer.
func (patience) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return statement(ctx)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (patience) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (patience) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) { ended(ctx) }

// TraceAcquireStart implements pgxpool.AcquireTracer.
func (patience) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	return limited(ctx, acquireLimit)
}

// TraceAcquireEnd implements pgxpool.AcquireTracer.
func (patience) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	ended(ctx)
}

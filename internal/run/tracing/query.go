package tracing

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

var (
	_ pgx.QueryTracer = (*Tracer)(nil)
	_ pgx.BatchTracer = (*Tracer)(nil)
)

type queryKey struct{}

// TraceQueryStart implements pgx.QueryTracer. It only traces what belongs to a span: the queries that poll the database each second
// would bury the rest.
func (t *Tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return t.startQuery(ctx, queryName(data.SQL))
}

func (t *Tracer) startQuery(ctx context.Context, name string) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "postgresql")))
	return context.WithValue(ctx, queryKey{}, span)
}

// TraceQueryEnd implements pgx.QueryTracer. It records only the class of an error: PostgreSQL's messages quote values.
func (t *Tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	endQuery(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer. Queries that are sent together share a span.
func (t *Tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var names []string
	for _, query := range data.Batch.QueuedQueries {
		names = append(names, queryName(query.SQL))
	}
	return t.startQuery(ctx, strings.Join(names, " "))
}

// TraceBatchQuery implements pgx.BatchTracer.
func (t *Tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (t *Tracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	endQuery(ctx, data.Err)
}

func endQuery(ctx context.Context, err error) {
	span, ok := ctx.Value(queryKey{}).(trace.Span)
	if !ok {
		return
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		span.SetStatus(codes.Error, "")
		if refused := new(pgconn.PgError); errors.As(err, &refused) {
			span.SetAttributes(attribute.String("db.response.status_code", refused.Code))
		}
	}
	span.End()
}

// queryName returns the name that a generated query begins with, or the first word of any other.
func queryName(sql string) string {
	if rest, generated := strings.CutPrefix(strings.TrimLeft(sql, " \t\n"), "-- name: "); generated {
		name, _, _ := strings.Cut(rest, " ")
		return name
	}
	for word := range strings.FieldsSeq(sql) {
		return strings.ToLower(word)
	}
	return "nothing"
}

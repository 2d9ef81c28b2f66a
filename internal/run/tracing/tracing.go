// Package tracing records requests, jobs, calls to the gateway and what ends a payment later in OpenTelemetry spans. A span holds names
// from our sources (route patterns, queries, calls, kinds of jobs), outcomes, and the request's id. It never holds an address, an argument
// or the text of an error, which may contain what people typed.
package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Tracer begins spans. It is safe for concurrent use.
type Tracer struct{ tracer trace.Tracer }

// New returns the tracer of a process whose spans go to provider.
func New(provider trace.TracerProvider) *Tracer { return &Tracer{provider.Tracer("forecourt")} }

// Request begins the span of a request. It starts a new trace, since a visitor's trace id is not trusted. End it with the route's
// pattern, "" if none matches.
func (t *Tracer) Request(ctx context.Context, method string) (_ context.Context, end func(route, request string, status int)) {
	ctx, span := t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer), trace.WithNewRoot())
	return ctx, func(route, request string, status int) {
		if route == "" {
			route = "none"
		}
		span.SetName(known(method) + " " + route)
		span.SetAttributes(attribute.String("http.request.method", known(method)), attribute.String("http.route", route),
			attribute.Int("http.response.status_code", status), attribute.String("request", request))
		if status >= 500 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Call begins the span of a call to the gateway, named without the variable parts of its address.
func (t *Tracer) Call(ctx context.Context, call string) (_ context.Context, end func(outcome string)) {
	ctx, span := t.tracer.Start(ctx, "gateway "+call, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(outcome string) {
		span.SetAttributes(attribute.String("outcome", outcome))
		span.End()
	}
}

// Job begins the span of one try of a job. It belongs to the trace that the job was queued in, or begins one.
func (t *Tracer) Job(ctx context.Context, kind string, id int64, try int) (_ context.Context, end func(failed bool)) {
	ctx, span := t.tracer.Start(ctx, "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(attribute.Int64("job", id), attribute.Int("try", try)))
	return ctx, func(failed bool) {
		if failed {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Later begins a span of work that goes on with what a request began. It belongs to the trace of ctx, or begins one.
func (t *Tracer) Later(ctx context.Context, name string) (_ context.Context, end func()) {
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func() { span.End() }
}

// known returns the methods that this site answers; clients may invent others.
func known(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PATCH", "DELETE":
		return method
	default:
		return "other"
	}
}

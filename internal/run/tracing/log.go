package tracing

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Logged adds the request and the trace to each line that is written within either.
func Logged(h slog.Handler) slog.Handler { return handler{Handler: h} }

type handler struct {
	slog.Handler
	told bool // the line names its request already
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	id, span := RequestOf(ctx), trace.SpanContextFromContext(ctx)
	if id != "" && !h.told || span.HasTraceID() {
		r = r.Clone()
	}
	if id != "" && !h.told {
		r.AddAttrs(slog.String("request", id))
	}
	if span.HasTraceID() {
		r.AddAttrs(slog.String("trace", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	told := h.told
	for _, attr := range attrs {
		told = told || attr.Key == "request"
	}
	return handler{h.Handler.WithAttrs(attrs), told}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.told}
}

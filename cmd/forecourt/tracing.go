package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"golang.org/x/time/rate"

	"forecourt/internal/run/tracing"
)

const (
	// flushWithin is how long a stop waits for the collector to take the last spans.
	flushWithin = 2 * time.Second
	// reportEvery is how often the log reports that the collector takes no spans.
	reportEvery = 10 * time.Minute
)

// startTracing returns the tracer that begins spans, or nil without a collector. Spans wait in a bounded queue for one sender. If the
// collector is slow or gone they are dropped, so that nothing else has to wait. stop sends the remaining spans.
func startTracing(ctx context.Context, c config, log *slog.Logger) (_ *tracing.Tracer, stop func(), err error) {
	if c.Collector == nil {
		return nil, func() {}, nil
	}
	// The library would print settings that it cannot parse, including any keys in them.
	otel.SetLogger(logr.Discard())
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(c.Collector.JoinPath("v1", "traces").String()), otlptracehttp.WithHeaders(c.CollectorHeaders))
	if err != nil {
		return nil, nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "forecourt")), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	sender := &sender{SpanExporter: exporter, log: log, lines: rate.Sometimes{Interval: reportEvery}}
	provider := trace.NewTracerProvider(trace.WithBatcher(sender), trace.WithResource(about))
	return tracing.New(provider), func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushWithin)
		defer cancel()
		sender.report(provider.Shutdown(ctx))
	}, nil
}

// sender logs only from time to time, not at each failure, that spans are not delivered.
type sender struct {
	trace.SpanExporter
	log   *slog.Logger
	lines rate.Sometimes
}

func (s *sender) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	s.report(s.SpanExporter.ExportSpans(ctx, spans))
	return nil
}

func (s *sender) report(err error) {
	if err != nil {
		s.lines.Do(func() { s.log.Warn("traces are not delivered", "error", err) })
	}
}

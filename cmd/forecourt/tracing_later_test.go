package main

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	traces "go.opentelemetry.io/proto/otlp/trace/v1"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// The gateway charges, and its answer breaks: the sweep finds out, and the payment's trace goes on.
func TestAPaymentThatEndsLaterStaysInTheTraceOfItsRequest(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	p := start(t, map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t), "LOG_LEVEL": "debug", "OTEL_EXPORTER_OTLP_ENDPOINT": r.URL,
	}, "serve")
	c := newCustomer(t, p.ready())
	c.becomes("panezski", c.json(c.order("panezski"), "panezski", "202 200", "pan", chargedNumber), "success")
	c.becomes("panezski", c.form(c.order("panezski"), "panezski", "303", "card", chargedNumber), "success")
	apptest.Eventually(t, "the letters of both are traced", func() bool {
		with := map[string]bool{}
		for _, letter := range r.named("job mail") {
			with[string(letter.GetTraceId())] = true
		}
		return len(with) >= 2
	})
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	for _, name := range []string{"POST /api/pay", "POST /pos/{client}/{id}"} {
		requests := r.named(name)
		if len(requests) != 1 {
			t.Errorf("%d spans %q", len(requests), name)
			continue
		}
		request, trace := requests[0], hex.EncodeToString(requests[0].GetTraceId())
		below := func(name string, parent *traces.Span) *traces.Span {
			t.Helper()
			for _, span := range r.named(name) {
				if slices.Equal(span.GetTraceId(), request.GetTraceId()) && slices.Equal(span.GetParentSpanId(), parent.GetSpanId()) {
					return span
				}
			}
			t.Errorf("%s: its trace has no span %q below %s", request.GetName(), name, parent.GetName())
			return nil
		}
		below("gateway POST /api/pay", request)
		resolving := below("resolve payment", request)
		for _, name := range []string{"gateway POST /api/payments/{reference}/resolve", "AttemptApprove", "commit", "job mail"} {
			below(name, resolving)
		}
		for _, message := range []string{`"msg":"settled"`, `"call":"POST /api/payments/{reference}/resolve"`} {
			if !slices.ContainsFunc(strings.Split(p.stderr.String(), "\n"), func(line string) bool {
				return strings.Contains(line, message) && strings.Contains(line, `"request":"`+value(request, "request")+`"`) &&
					strings.Contains(line, `"trace":"`+trace+`"`)
			}) {
				t.Errorf("%s: no line of the log has %s and its request", request.GetName(), message)
			}
		}
	}
}

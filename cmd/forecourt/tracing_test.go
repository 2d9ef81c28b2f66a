package main

import (
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// receiver is a collector that keeps traces as they arrive.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	spans  []*traces.Span
	raw    []byte
	keys   []string
	names  []string // of services
	broken error
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		message := new(collector.ExportTraceServiceRequest)
		if err == nil {
			err = proto.Unmarshal(body, message)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil || req.URL.Path != "/v1/traces" {
			r.broken = err
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.raw = append(r.raw, body...)
		r.keys = append(r.keys, req.Header.Get("X-Key"))
		for _, resource := range message.GetResourceSpans() {
			for _, attribute := range resource.GetResource().GetAttributes() {
				if attribute.GetKey() == "service.name" {
					r.names = append(r.names, attribute.GetValue().GetStringValue())
				}
			}
			for _, scope := range resource.GetScopeSpans() {
				r.spans = append(r.spans, scope.GetSpans()...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// named returns the spans with a name.
func (r *receiver) named(name string) []*traces.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.spans), func(s *traces.Span) bool { return s.GetName() != name })
}

func value(s *traces.Span, key string) string {
	for _, attribute := range s.GetAttributes() {
		if attribute.GetKey() == key {
			return attribute.GetValue().GetStringValue()
		}
	}
	return ""
}

// below returns the span with a name right below parent.
func (r *receiver) below(t *testing.T, parent *traces.Span, name string) *traces.Span {
	t.Helper()
	for _, span := range r.named(name) {
		if slices.Equal(span.GetTraceId(), parent.GetTraceId()) && slices.Equal(span.GetParentSpanId(), parent.GetSpanId()) {
			return span
		}
	}
	t.Errorf("no span %q is below %s", name, parent.GetName())
	return nil
}

// logged fails the test unless the log has a line with each of messages, the request and its trace.
func logged(t *testing.T, p *program, request *traces.Span, messages ...string) {
	t.Helper()
	for _, message := range messages {
		if !slices.ContainsFunc(strings.Split(p.stderr.String(), "\n"), func(line string) bool {
			return strings.Contains(line, message) && strings.Contains(line, `"request":"`+value(request, "request")+`"`) &&
				strings.Contains(line, `"trace":"`+hex.EncodeToString(request.GetTraceId())+`"`)
		}) {
			t.Errorf("%s: no line of the log has %s, the request and its trace", request.GetName(), message)
		}
	}
}

func TestAPaymentIsTraced(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	p := start(t, map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t), "LOG_LEVEL": "debug",
		"OTEL_EXPORTER_OTLP_ENDPOINT": r.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20key",
	}, "serve")
	c := newCustomer(t, p.ready())
	id := c.order("panezski")
	c.json(id, "panezski", "200", "cardholder", "Canary Holder", "cEmail", "canary@example.com")
	c.becomes("panezski", id, "success")
	c.send(http.MethodGet, "/pos/panezski?n=Canaryquery&t=", "", "", "200")
	c.send(http.MethodGet, "/canary/path", "", "", "404")
	apptest.Eventually(t, "jobs are traced", func() bool { return len(r.named("job upkeep")) > 0 && len(r.named("job mail")) > 0 })
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	if r.broken != nil || !slices.Contains(r.keys, "a key") || !slices.Contains(r.names, "forecourt") {
		t.Fatalf("the collector got keys %q from %q, %v", r.keys, r.names, r.broken)
	}

	requests := r.named("POST /api/pay")
	if len(requests) != 1 || len(requests[0].GetParentSpanId()) > 0 || requests[0].GetKind() != traces.Span_SPAN_KIND_SERVER {
		t.Fatalf("spans of the payment's request: %v", requests)
	}
	request := requests[0]
	for _, query := range []string{"AttemptClaim", "AttemptApprove", "commit"} {
		r.below(t, request, query)
	}
	// The job that mails the receipt took its trace id from the database.
	letter := r.below(t, request, "job mail")
	check.Equal(t, letter.GetKind(), traces.Span_SPAN_KIND_CONSUMER, "the span of the letter: %v", letter)
	upkeep := r.named("job upkeep")
	check.Equal(t, len(upkeep[0].GetParentSpanId()), 0, "a job without a request has the parent %x", upkeep[0].GetParentSpanId())
	call := r.below(t, request, "gateway POST /api/pay")
	check.Equal(t, value(call, "outcome"), "approved", "the span of the call to the gateway: %v", call)
	for _, name := range []string{"GET /pos/{client}", "GET none"} {
		if len(r.named(name)) == 0 {
			t.Errorf("no span %q", name)
		}
	}

	// Spans and log lead to each other: the span has the request's id, and the lines of the log have the trace's.
	logged(t, p, request, `"msg":"request"`, `"msg":"gateway call"`, `"msg":"settled"`)

	// No span may hold any of these.
	told := append(numberSpellings(canaryByJSON), codeSpellings(canaryCode)...)
	told = append(told, "Canary Holder", "canary@example.com", "Canaryquery", "canary/path", id, "cardholder", "127.0.0.1")
	found := newFinder(told...).in(r.raw)
	check.Equal(t, len(found), 0, "the collector got %v", found)
	if found := newFinder("AttemptClaim").in(r.raw); len(found) == 0 {
		t.Error("the search does not find a name that was sent")
	}
}

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
		request := requests[0]
		r.below(t, request, "gateway POST /api/pay")
		resolving := r.below(t, request, "resolve payment")
		for _, name := range []string{"gateway POST /api/payments/{reference}/resolve", "AttemptApprove", "commit", "job mail"} {
			r.below(t, resolving, name)
		}
		logged(t, p, request, `"msg":"settled"`, `"call":"POST /api/payments/{reference}/resolve"`)
	}
}

func TestADeadCollectorDelaysNothing(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never answers
	check.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	p := start(t, map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t), "OTEL_EXPORTER_OTLP_ENDPOINT": "http://" + listener.Addr().String(),
	}, "serve")
	c := newCustomer(t, p.ready())
	for range 3 {
		id := c.order("panezski")
		c.json(id, "panezski", "200")
		c.becomes("panezski", id, "success")
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	check.Equal(t, strings.Count(p.stderr.String(), "traces are not delivered"), 1, "complaints in the log: %s", p.stderr)
}

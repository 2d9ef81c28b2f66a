// Package metrics counts what one process does and reads what the database holds, in the way Prometheus collects it.
// docs/operations.md says what each figure means and which one raises an alert.
package metrics

import (
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"forecourt/db/state"
)

// Metrics are the figures of one process. It may be used by many goroutines at once.
type Metrics struct {
	registry *prometheus.Registry
	payments *prometheus.CounterVec
	calls    *prometheus.HistogramVec
	requests *prometheus.HistogramVec
	stranger prometheus.Counter
	security *prometheus.CounterVec
}

// New returns the metrics of a process that works on pool.
func New(pool *pgxpool.Pool) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		payments: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "forecourt_payments_total", Help: "Attempts that this process moved to an outcome.",
		}, []string{"outcome", "method"}),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "forecourt_gateway_call_seconds", Help: "Calls to the gateway.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"call", "outcome"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "forecourt_http_request_seconds", Help: "Answered requests; a stream of events counts when it ends.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
		security: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "forecourt_security_events_total", Help: "Refused sign-ins, proofs and tokens, and people where they may not be.",
		}, []string{"event"}),
		stranger: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "forecourt_untrusted_forwarded_total", Help: "Requests with an X-Forwarded-For of a peer that is no trusted proxy.",
		}),
	}
	m.registry.MustRegister(m.security, m.stranger, m.payments, m.calls, m.requests, newWatch(pool), newQueue(pool),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(connections(pool)...)
	return m
}

// Gatherer returns the source from which a listener reads the figures.
func (m *Metrics) Gatherer() prometheus.Gatherer { return m.registry }

// Built reports at each scrape from which version the program was built. Call it once.
func (m *Metrics) Built(version string) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "forecourt_build_info", Help: "1, by the version of the program.", ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 }))
}

// Streams reports how many event streams are open at each scrape. Call it once.
func (m *Metrics) Streams(open func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "forecourt_streams_open", Help: "Open pages that receive changes.",
	}, func() float64 { return float64(open()) }))
}

// Register reports the figures of another part of the program at each scrape. Call it once for each.
func (m *Metrics) Register(figures ...prometheus.Collector) { m.registry.MustRegister(figures...) }

// Security counts a security event.
func (m *Metrics) Security(event string) { m.security.WithLabelValues(event).Inc() }

// Stranger counts a request whose X-Forwarded-For is not trusted.
func (m *Metrics) Stranger() { m.stranger.Inc() }

// Payment counts an attempt that reached a state.
func (m *Metrics) Payment(outcome state.Attempt, method state.Method) {
	m.payments.WithLabelValues(string(outcome), string(method)).Inc()
}

// Call counts a call to the gateway. call names the address without its variable parts.
func (m *Metrics) Call(call, outcome string, took time.Duration) {
	m.calls.WithLabelValues(call, outcome).Observe(took.Seconds())
}

// Request counts an answered request. route is a pattern, "" if none matches; an address would make a series of each id.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(known(method), route, strconv.Itoa(status)).Observe(took.Seconds())
}

// known returns the methods that this site answers; clients may invent others.
func known(method string) string {
	switch method {
	case "GET", "HEAD", "POST":
		return method
	default:
		return "other"
	}
}

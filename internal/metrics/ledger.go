package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ledgerFor is how long the result of a comparison is reported. The next comparison may run in another process, and this one must
// not keep reporting differences that are gone.
const ledgerFor = 25 * time.Hour

// ledger reports the result of the last comparison in this process.
type ledger struct {
	differences, at *prometheus.Desc

	mu    sync.Mutex
	found int
	ran   time.Time
}

func newLedger() *ledger {
	return &ledger{
		differences: prometheus.NewDesc("forecourt_ledger_differences",
			"What only one side knows, by the last daily comparison with the gateway's ledger.", nil, nil),
		at: prometheus.NewDesc("forecourt_ledger_compared_timestamp_seconds", "When that comparison ran.", nil, nil),
	}
}

func (l *ledger) set(found int, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found, l.ran = found, at
}

// Describe implements prometheus.Collector.
func (l *ledger) Describe(to chan<- *prometheus.Desc) {
	to <- l.differences
	to <- l.at
}

// Collect implements prometheus.Collector.
func (l *ledger) Collect(to chan<- prometheus.Metric) {
	l.mu.Lock()
	found, ran := l.found, l.ran
	l.mu.Unlock()
	if time.Since(ran) > ledgerFor {
		return
	}
	to <- prometheus.MustNewConstMetric(l.differences, prometheus.GaugeValue, float64(found))
	to <- prometheus.MustNewConstMetric(l.at, prometheus.GaugeValue, float64(ran.Unix()))
}

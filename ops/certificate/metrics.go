package certificate

import (
	"github.com/prometheus/client_golang/prometheus"
)

// certificates collects the state of this process's certificates at each scrape.
type certificates struct {
	states        func() []State
	ends, failing *prometheus.Desc
}

// Collector reports at each scrape when certificates end.
func Collector(states func() []State) prometheus.Collector {
	return &certificates{
		states: states,
		ends: prometheus.NewDesc("forecourt_certificate_ends_timestamp_seconds",
			"When the certificate that is served expires; 0 while there is none.", []string{"name"}, nil),
		failing: prometheus.NewDesc("forecourt_certificate_failing",
			"1 when the last attempt to get or read a new certificate failed, else 0.", []string{"name"}, nil),
	}
}

func (c *certificates) Describe(to chan<- *prometheus.Desc) {
	to <- c.ends
	to <- c.failing
}

func (c *certificates) Collect(to chan<- prometheus.Metric) {
	for _, s := range c.states() {
		var ends, failing float64
		if !s.Ends.IsZero() {
			ends = float64(s.Ends.Unix())
		}
		if s.Failing {
			failing = 1
		}
		to <- prometheus.MustNewConstMetric(c.ends, prometheus.GaugeValue, ends, s.Name)
		to <- prometheus.MustNewConstMetric(c.failing, prometheus.GaugeValue, failing, s.Name)
	}
}

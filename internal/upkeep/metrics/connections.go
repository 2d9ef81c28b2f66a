package metrics

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// connections reports how the pool of database connections is used.
type connections struct {
	pool                                    *pgxpool.Pool
	used, idle, most, waits, waited, opened *prometheus.Desc
}

func newConnections(pool *pgxpool.Pool) *connections {
	desc := func(name, help string) *prometheus.Desc { return prometheus.NewDesc(name, help, nil, nil) }
	return &connections{
		pool: pool,
		used: desc("forecourt_db_connections_used", "Database connections at work."),
		idle: desc("forecourt_db_connections_idle", "Database connections that wait for work."),
		most: desc("forecourt_db_connections_max", "Database connections that there may be."),
		waits: desc("forecourt_db_waits_total",
			"How often work had to wait for a database connection."),
		waited: desc("forecourt_db_wait_seconds_total", "How long it waited, in all."),
		opened: desc("forecourt_db_connections_opened_total", "Database connections opened so far."),
	}
}

func (c *connections) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.used, c.idle, c.most, c.waits, c.waited, c.opened} {
		to <- d
	}
}

func (c *connections) Collect(to chan<- prometheus.Metric) {
	s := c.pool.Stat()
	gauge := func(d *prometheus.Desc, v float64) { to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	counter := func(d *prometheus.Desc, v float64) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v)
	}
	gauge(c.used, float64(s.AcquiredConns()))
	gauge(c.idle, float64(s.IdleConns()))
	gauge(c.most, float64(s.MaxConns()))
	counter(c.waits, float64(s.EmptyAcquireCount()))
	counter(c.waited, s.EmptyAcquireWaitTime().Seconds())
	counter(c.opened, float64(s.NewConnsCount()))
}

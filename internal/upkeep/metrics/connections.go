package metrics

import (
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// connections report how the pool of database connections is used.
func connections(pool *pgxpool.Pool) []prometheus.Collector {
	gauge := func(name, help string, of func(*pgxpool.Stat) int32) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(of(pool.Stat())) })
	}
	counter := func(name, help string, of func(*pgxpool.Stat) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return of(pool.Stat()) })
	}
	return []prometheus.Collector{
		gauge("forecourt_db_connections_used", "Database connections at work.", (*pgxpool.Stat).AcquiredConns),
		gauge("forecourt_db_connections_idle", "Database connections that wait for work.", (*pgxpool.Stat).IdleConns),
		gauge("forecourt_db_connections_max", "Database connections that there may be.", (*pgxpool.Stat).MaxConns),
		counter("forecourt_db_waits_total", "How often work had to wait for a database connection.",
			func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) }),
		counter("forecourt_db_wait_seconds_total", "How long it waited, in all.",
			func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() }),
		counter("forecourt_db_connections_opened_total", "Database connections opened so far.",
			func(s *pgxpool.Stat) float64 { return float64(s.NewConnsCount()) }),
	}
}

package metrics

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// queue reports the length of the job queue, including mails. It queries the database at each scrape and reports nothing if that
// fails; forecourt_database_answers reports the failure.
type queue struct {
	pool        *pgxpool.Pool
	depth, late *prometheus.Desc
}

func newQueue(pool *pgxpool.Pool) *queue {
	return &queue{
		pool: pool,
		depth: prometheus.NewDesc("forecourt_jobs", "Jobs in the queue that are not done, by what they are and how they stand.",
			[]string{"kind", "state"}, nil),
		late: prometheus.NewDesc("forecourt_job_oldest_seconds", "How long the job that is due longest waits.", nil, nil),
	}
}

func (q *queue) Describe(to chan<- *prometheus.Desc) { to <- q.depth; to <- q.late }

// Collect implements prometheus.Collector.
func (q *queue) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), watchWithin)
	defer cancel()
	// These are the states with their own index; finished jobs stay in the table for a day.
	rows, err := q.pool.Query(ctx, `SELECT kind, state::text, count(*), min(scheduled_at) FROM river_job
		WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled') GROUP BY kind, state`)
	if err != nil {
		return
	}
	var kind, state string
	var count int64
	var due time.Time
	var oldest time.Duration
	var figures []prometheus.Metric
	_, err = pgx.ForEachRow(rows, []any{&kind, &state, &count, &due}, func() error {
		figures = append(figures, prometheus.MustNewConstMetric(q.depth, prometheus.GaugeValue, float64(count), kind, state))
		if state == "available" || state == "retryable" {
			oldest = max(oldest, time.Since(due))
		}
		return nil
	})
	if err != nil {
		return
	}
	for _, f := range figures {
		to <- f
	}
	to <- prometheus.MustNewConstMetric(q.late, prometheus.GaugeValue, oldest.Seconds())
}

package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/internal/retention"
)

// months makes the audit log's tables for the coming months. If it never ran, lines would go into the default table.
type months struct{}

// Kind names the job in the queue.
func (months) Kind() string { return "months" }

type monthsWorker struct {
	river.WorkerDefaults[months]
	pool *pgxpool.Pool
}

// Work makes the missing tables.
func (w *monthsWorker) Work(ctx context.Context, _ *river.Job[months]) error {
	return retention.MakeMonths(ctx, w.pool)
}

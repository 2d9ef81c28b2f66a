package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/internal/retention"
)

// months makes the audit's tables of the months to come. Were it never to run, lines would go into the table for the rest.
type months struct{}

// Kind names the job in the queue.
func (months) Kind() string { return "months" }

type monthsWorker struct {
	river.WorkerDefaults[months]
	pool *pgxpool.Pool
}

// Work makes what is missing.
func (w *monthsWorker) Work(ctx context.Context, _ *river.Job[months]) error {
	return retention.MakeMonths(ctx, w.pool)
}

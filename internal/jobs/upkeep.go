package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"forecourt/db"
)

// upkeep expires orders that nobody paid for two hours and forgets idempotency keys after a day.
type upkeep struct{}

// Kind names the job in the queue.
func (upkeep) Kind() string { return "upkeep" }

type upkeepWorker struct {
	river.WorkerDefaults[upkeep]
	queries *db.Queries
	log     *slog.Logger
}

// Work does both; one process at a time gets the job.
func (w *upkeepWorker) Work(ctx context.Context, _ *river.Job[upkeep]) error {
	expired, err := w.queries.TransactionExpire(ctx)
	if err != nil {
		return err
	}
	forgotten, err := w.queries.OrderKeyPrune(ctx)
	if err != nil {
		return err
	}
	if expired+forgotten > 0 {
		w.log.Info("upkeep", "expired", expired, "forgotten keys", forgotten)
	}
	return nil
}

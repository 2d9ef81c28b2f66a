package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"forecourt/db"
)

// upkeep expires orders that nobody paid for two hours and drops what nobody may need any more: idempotency keys, sessions
// and what goes with them, old mails.
type upkeep struct{}

// Kind names the job in the queue.
func (upkeep) Kind() string { return "upkeep" }

type upkeepWorker struct {
	river.WorkerDefaults[upkeep]
	queries *db.Queries
	log     *slog.Logger
}

// Work does it all; one process at a time gets the job.
func (w *upkeepWorker) Work(ctx context.Context, _ *river.Job[upkeep]) error {
	expired, err := w.queries.TransactionExpire(ctx)
	if err != nil {
		return err
	}
	var dropped int64
	for _, prune := range []func(context.Context) (int64, error){
		w.queries.OrderKeyPrune, w.queries.SessionPrune, w.queries.KeptInputPrune, w.queries.PasswordResetPrune,
		w.queries.ThrottlePrune, w.queries.MailPrune, w.queries.BatchKeyForget, w.queries.PushRegistrationPrune,
	} {
		rows, err := prune(ctx)
		if err != nil {
			return err
		}
		dropped += rows
	}
	if expired+dropped > 0 {
		w.log.InfoContext(ctx, "upkeep", "expired", expired, "dropped", dropped)
	}
	return nil
}

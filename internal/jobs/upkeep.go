package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"forecourt/db"
)

// upkeep expires orders that nobody paid in time and deletes what is no longer needed. The queries (…Prune) name how long things are kept,
// such as mails for 30 days and idempotency keys for 24 hours: with an age that it does not know, PostgreSQL would read whole tables.
type upkeep struct{}

// Kind names the job in the queue.
func (upkeep) Kind() string { return "upkeep" }

type upkeepWorker struct {
	river.WorkerDefaults[upkeep]
	queries *db.Queries
	log     *slog.Logger
}

// step is how many rows one statement deletes. After a long pause there may be millions, and no statement should hold its locks for long.
const step = 5000

// Work does all of it; one process at a time gets the job.
func (w *upkeepWorker) Work(ctx context.Context, _ *river.Job[upkeep]) error {
	expired, err := inSteps(ctx, w.queries.TransactionExpire)
	if err != nil {
		return err
	}
	var dropped int64
	for _, prune := range []func(context.Context, int32) (int64, error){
		w.queries.OrderKeyPrune, w.queries.SessionPrune, w.queries.KeptInputPrune, w.queries.PasswordResetPrune,
		w.queries.VerificationPrune, w.queries.HalfSessionPrune, w.queries.PasskeyChallengePrune, w.queries.TotpPrune, w.queries.KeptFormPrune, w.queries.AccountEventPrune,
		w.queries.ThrottlePrune, w.queries.MailPrune, w.queries.BatchKeyForget, w.queries.PushRegistrationPrune,
		w.queries.LimitSettleLeft, w.queries.OriginSettleLeft, w.queries.LimitPrune, w.queries.LimitTryPrune, w.queries.ClientEventPrune, w.queries.ExportPrune,
	} {
		rows, err := inSteps(ctx, prune)
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

// inSteps calls work with a limit on the rows until it handles fewer.
func inSteps(ctx context.Context, work func(ctx context.Context, atMost int32) (int64, error)) (total int64, err error) {
	for {
		rows, err := work(ctx, step)
		total += rows
		if err != nil || rows != step {
			return total, err
		}
	}
}

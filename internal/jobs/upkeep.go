package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/payment"
	"forecourt/internal/shop"
)

// upkeep expires orders that nobody paid in time and deletes what is no longer needed. An age that a rule
// shares is a constant beside the rule. The other queries (…Prune) name theirs, such as 30 days for mails: with an age that it does not
// know, PostgreSQL would read the whole of a table that grows.
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
		w.queries.OrderKeyPrune, w.queries.SessionPrune, w.queries.PasswordResetPrune, w.queries.VerificationPrune, w.queries.AccountEventPrune,
		w.queries.ThrottlePrune, w.queries.MailPrune, w.queries.BatchKeyForget, w.queries.PushRegistrationPrune,
		w.queries.LimitSettleLeft, w.queries.OriginSettleLeft, w.queries.ClientEventPrune,
		after(account.KeptFor, w.queries.KeptPrune),
		after(account.HalfFor, w.queries.HalfSessionPrune), after(account.ChallengeFor, w.queries.PasskeyChallengePrune),
		after(account.SetupFor, w.queries.TotpPrune), after(payment.LimitWindow, w.queries.LimitPrune),
		after(payment.LimitWindow, w.queries.LimitTryPrune), after(shop.ExportKeptFor, w.queries.ExportPrune),
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

// after returns a function that deletes what is older than age.
func after(
	age time.Duration, prune func(ctx context.Context, age time.Duration, atMost int32) (int64, error),
) func(context.Context, int32) (int64, error) {
	return func(ctx context.Context, atMost int32) (int64, error) { return prune(ctx, age, atMost) }
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

package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"forecourt/internal/payment"
	"forecourt/internal/settlement"
)

// often is how often the last hour of the gateway's ledger is looked at.
const often = 5 * time.Minute

// lately looks for a second charge and for disputes.
type lately struct{}

// Kind names the job in the queue.
func (lately) Kind() string { return "lately" }

// InsertOpts makes a look that failed wait for the next one, whatever number of processes look.
func (lately) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: often}}
}

type latelyWorker struct {
	river.WorkerDefaults[lately]
	payments   *payment.Payments
	settlement *settlement.Settlement
}

// Timeout is of one look.
func (*latelyWorker) Timeout(*river.Job[lately]) time.Duration { return 2 * time.Minute }

// Work looks once. What is found is in the log and in the database.
func (w *latelyWorker) Work(ctx context.Context, _ *river.Job[lately]) error {
	_, err := w.payments.CompareLately(ctx)
	return errors.Join(err, w.settlement.ImportDisputes(ctx))
}

package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"forecourt/internal/payment"
	"forecourt/internal/settlement"
)

// ledgerEvery is how often the last hour of the gateway's ledger is read.
const ledgerEvery = 5 * time.Minute

// lately looks for a second charge and for disputes.
type lately struct{}

// Kind names the job in the queue.
func (lately) Kind() string { return "lately" }

// InsertOpts allows one look at a time, whatever the number of processes, and leaves a failed one to the next.
func (lately) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: ledgerEvery}}
}

type latelyWorker struct {
	river.WorkerDefaults[lately]
	payments   *payment.Payments
	settlement *settlement.Settlement
}

// Timeout limits one look.
func (*latelyWorker) Timeout(*river.Job[lately]) time.Duration { return 2 * time.Minute }

// Work looks once. What it finds goes to the log and the database.
func (w *latelyWorker) Work(ctx context.Context, _ *river.Job[lately]) error {
	_, err := w.payments.CompareLately(ctx)
	return errors.Join(err, w.settlement.ImportDisputes(ctx))
}

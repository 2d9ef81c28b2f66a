package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/payment"
)

const (
	day = 24 * time.Hour
	// compareBack covers the longest time between two comparisons: one at the start of its day, the next at the end of the following
	// one.
	compareBack = 2 * day
	// compareUntil leaves out what is being settled at this moment, by either clock. The next comparison covers it.
	compareUntil = 5 * time.Minute
)

// compare compares the database with the gateway's ledger once a day (UTC), no matter how many processes there are and how often they
// start.
type compare struct{}

// Kind names the job in the queue.
func (compare) Kind() string { return "compare" }

// InsertOpts allows one job a day. Ten tries extend over several hours.
func (compare) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByPeriod: day}}
}

type compareWorker struct {
	river.WorkerDefaults[compare]
	payments *payment.Payments
	log      *slog.Logger
	queries  *db.Queries
}

// Timeout limits one comparison: the ledger of a busy week has many pages.
func (*compareWorker) Timeout(*river.Job[compare]) time.Duration { return 10 * time.Minute }

// Work logs what only one side knows. It does not compare again at once because of a difference.
func (w *compareWorker) Work(ctx context.Context, _ *river.Job[compare]) error {
	now := time.Now()
	found, err := w.payments.Reconcile(ctx, now.Add(-compareBack), now.Add(-compareUntil))
	if err != nil {
		return err
	}
	for _, d := range found.Differences {
		w.log.ErrorContext(
			ctx, "the gateway's ledger differs", "kind", d.Kind, "reference", d.Reference, "transaction", d.TrxID, "problem", d.Problem,
		)
	}
	if err := w.queries.ComparisonSave(ctx, int32(len(found.Differences))); err != nil { //nolint:gosec // fewer than a ledger has entries
		return err
	}
	w.log.InfoContext(
		ctx, "compared with the gateway's ledger", "captures", found.Captures, "refunds", found.Refunds, "differences", len(found.Differences),
	)
	return nil
}

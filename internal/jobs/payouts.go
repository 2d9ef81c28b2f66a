package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"forecourt/internal/settlement"
)

// payouts reads the gateway's payouts once a day (UTC).
type payouts struct{}

// Kind names the job in the queue.
func (payouts) Kind() string { return "payouts" }

// InsertOpts allows one job a day, as for compare.
func (payouts) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByPeriod: day}}
}

type payoutsWorker struct {
	river.WorkerDefaults[payouts]
	settlement *settlement.Settlement
	log        *slog.Logger
}

// Timeout limits one look. A busy week has many pages.
func (*payoutsWorker) Timeout(*river.Job[payouts]) time.Duration { return 10 * time.Minute }

// Work logs movements that are in no payout, and those that should not be in one. It reads disputes first, since payouts contain them.
func (w *payoutsWorker) Work(ctx context.Context, _ *river.Job[payouts]) error {
	if err := errors.Join(w.settlement.ImportDisputes(ctx), w.settlement.ImportPayouts(ctx)); err != nil {
		return err
	}
	found, err := w.settlement.Findings(ctx)
	for _, f := range found {
		w.log.ErrorContext(ctx, "payouts differ", "kind", f.Kind, "reference", f.Reference, "transaction", f.TrxID, "problem", f.Problem)
	}
	return err
}

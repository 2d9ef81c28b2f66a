package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"forecourt/internal/payment"
)

// watch looks each minute for states that no payment may be in.
type watch struct{}

// Kind names the job in the queue.
func (watch) Kind() string { return "watch" }

// InsertOpts makes a look that failed wait for the next one.
func (watch) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1} }

type watchWorker struct {
	river.WorkerDefaults[watch]
	watch *payment.Watch
}

// Work looks once.
func (w *watchWorker) Work(ctx context.Context, _ *river.Job[watch]) error { return w.watch.Look(ctx) }

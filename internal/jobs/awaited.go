package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"forecourt/internal/settlement"
)

// awaited lists each minute what businesses are owed since the last time.
type awaited struct{}

// Kind names the job in the queue.
func (awaited) Kind() string { return "awaited" }

// InsertOpts leaves what a failed job did not list to the next one.
func (awaited) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1} }

type awaitedWorker struct {
	river.WorkerDefaults[awaited]
	settlement *settlement.Settlement
}

// Work lists it.
func (w *awaitedWorker) Work(ctx context.Context, _ *river.Job[awaited]) error {
	return w.settlement.ListAwaited(ctx)
}

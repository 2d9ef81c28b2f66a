package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"forecourt/internal/notice/noticestore"
)

// notices is the job that queues the letters and messages that teams want, at most a minute late.
type notices struct{}

// Kind names the job in the queue.
func (notices) Kind() string { return "notices" }

type noticesWorker struct {
	river.WorkerDefaults[notices]
	notices *noticestore.Notices
}

// Work orders what is due. After a kill it does not order anything twice.
func (w *noticesWorker) Work(ctx context.Context, _ *river.Job[notices]) error {
	now := time.Now()
	return errors.Join(w.notices.Send(ctx, now), w.notices.Summarise(ctx, now))
}

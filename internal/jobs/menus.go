package jobs

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river"

	"forecourt/internal/menu/menustore"
)

// menus publishes the menus whose time has come, at most a minute late.
type menus struct{}

// Kind names the job in the queue.
func (menus) Kind() string { return "menus" }

type menusWorker struct {
	river.WorkerDefaults[menus]
	studio *menustore.Studio
	log    *slog.Logger
}

// Work publishes them.
func (w *menusWorker) Work(ctx context.Context, _ *river.Job[menus]) error {
	return w.studio.PublishDue(ctx, w.log)
}

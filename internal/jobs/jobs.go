// Package jobs runs what has to happen without anybody asking: work queued with a payment, and upkeep by the clock.
package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"forecourt/db"
)

// Start begins to work on the queue. Stop the client before the pool closes.
func Start(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (*river.Client[pgx.Tx], error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &upkeepWorker{queries: db.New(pool), log: log})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Logger:  slog.New(quiet{log.Handler()}),
		Workers: workers,
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}},
		// NOTIFY inside a payment's transaction would make all commits queue up behind each other.
		PollOnly: true,
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(
			river.PeriodicInterval(time.Minute),
			func() (river.JobArgs, *river.InsertOpts) { return upkeep{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true},
		)},
	})
	if err != nil {
		return nil, err
	}
	return client, client.Start(ctx)
}

// quiet drops what a library tells of its daily work; warnings and errors stay.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

// Package jobs runs work in the background: jobs queued with a payment, and scheduled upkeep.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/run/tracing"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/notice"
	"forecourt/internal/upkeep/privacy"
)

// stopWithin is how long a stop waits for running jobs before it cancels them; they run again later.
const stopWithin = 5 * time.Second

// A job may take jobLimit. One that has not ended after abandoned is started again, because its process was killed. If a process is
// killed while it sends a letter, that letter must not be delayed for long.
const (
	jobLimit  = 30 * time.Second
	abandoned = 40 * time.Second
)

// Config holds what the jobs need.
type Config struct {
	Pool     *pgxpool.Pool
	Payments *payment.Payments
	// Settlement reads disputes and payouts.
	Settlement *settlement.Settlement
	// Books makes long tables.
	Books *books.Books
	Mail  mail.Config
	// Privacy makes copies of people's data and erases them. It may be nil.
	Privacy *privacy.Privacy
	// Push sends messages in the words of Words. It may be nil.
	Push  *push.Push
	Words push.Words
	// Notices tells the teams of businesses what happened.
	Notices *notice.Notices
	Log     *slog.Logger
	// Trace begins a span for each try of a job. It may be nil.
	Trace func(ctx context.Context, kind string, id int64, try int) (_ context.Context, end func(failed bool))
}

// Start starts working through the queue. Stop the client before the pool closes.
func Start(ctx context.Context, c Config) (*river.Client[pgx.Tx], error) {
	workers := river.NewWorkers()
	periodic := c.addPeriodic(workers)
	mail.Register(workers, c.Mail)
	books.Register(workers, c.Books)
	if c.Push != nil {
		push.Register(workers, c.Push, c.Words)
	}
	if c.Privacy != nil {
		privacy.Register(workers, c.Privacy)
		periodic = append(periodic, every(time.Minute, privacy.Due(), nil))
	}
	client, err := river.NewClient(riverpgxv5.New(c.Pool), &river.Config{
		Middleware: []rivertype.Middleware{river.WorkerMiddlewareFunc(c.resume)},
		Logger:     slog.New(quiet{c.Log.Handler()}),
		Workers:    workers,
		Queues: map[string]river.QueueConfig{
			river.QueueDefault: {MaxWorkers: 4}, mail.Lane: {MaxWorkers: 4}, push.Queue: {MaxWorkers: push.Workers},
		},
		// NOTIFY inside a payment's transaction would make all commits wait for each other.
		PollOnly: true,
		// FetchCooldown is how soon after one letter the next may go. A busy evening produces a hundred a second.
		FetchCooldown:        25 * time.Millisecond,
		JobTimeout:           jobLimit,
		RescueStuckJobsAfter: abandoned,
		SoftStopTimeout:      stopWithin,
		PeriodicJobs:         periodic,
	})
	if err != nil {
		return nil, err
	}
	return client, client.Start(ctx)
}

// resume works on a job as a part of the request that it began in, each try in a span.
func (c Config) resume(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	ctx = tracing.Resumed(ctx, job)
	if c.Trace == nil {
		return work(ctx)
	}
	ctx, end := c.Trace(ctx, job.Kind, job.ID, job.Attempt)
	err := work(ctx)
	end(err != nil)
	return err
}

// quiet drops a library's routine log lines, and the errors of its own upkeep that a stop cuts off; other warnings and errors stay.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	if errors.Is(ctx.Err(), context.Canceled) && strings.HasPrefix(r.Message, "maintenance.") {
		return nil
	}
	return q.Handler.Handle(ctx, r)
}

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/internal/upkeep/retention"
)

const (
	day = 24 * time.Hour
	// ledgerEvery is how often the last hour of the gateway's ledger is read.
	ledgerEvery = 5 * time.Minute
	// compareBack covers the longest time between two comparisons: one at the start of its day, the next at the end of the following
	// one.
	compareBack = 2 * day
	// compareUntil leaves out what is being settled at this moment, by either clock. The next comparison covers it.
	compareUntil = 5 * time.Minute
	// longLimit limits a job that reads many pages of the gateway's ledger.
	longLimit = 10 * time.Minute
)

// The jobs that run by the clock. Each has its name in the queue.
type (
	upkeep  struct{} // expires and deletes, see Config.upkeep
	months  struct{} // makes the audit log's tables for the coming months; without them, lines would go into the default table
	notices struct{} // queues the letters and messages that teams want, at most a minute late; after a kill nothing twice
	watch   struct{} // looks for states that no payment may be in
	lately  struct{} // looks for a second charge and for disputes
	compare struct{} // compares the database with the gateway's ledger, once a day (UTC)
	payouts struct{} // reads the gateway's payouts, once a day (UTC)
)

func (upkeep) Kind() string  { return "upkeep" }
func (months) Kind() string  { return "months" }
func (notices) Kind() string { return "notices" }
func (watch) Kind() string   { return "watch" }
func (lately) Kind() string  { return "lately" }
func (compare) Kind() string { return "compare" }
func (payouts) Kind() string { return "payouts" }

// What a failed job leaves undone, the next one of its kind does, unless that comes only the next day: ten tries extend over several hours.
// Of the last two there is one job in a period, no matter how many processes there are and how often they start.
var (
	triedOnce = &river.InsertOpts{MaxAttempts: 1}
	lookOnce  = &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: ledgerEvery}}
	daily     = &river.InsertOpts{MaxAttempts: 10, UniqueOpts: river.UniqueOpts{ByPeriod: day}}
)

// worker does the jobs of one kind.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	do    func(context.Context) error
	limit time.Duration // 0: jobLimit
}

func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.limit }

// Work implements river.Worker.
func (w *worker[T]) Work(ctx context.Context, _ *river.Job[T]) error { return w.do(ctx) }

// addPeriodic adds the workers of these jobs and returns the jobs.
func (c Config) addPeriodic(workers *river.Workers) []*river.PeriodicJob {
	states := payment.NewWatch(c.Payments)
	river.AddWorker(workers, &worker[upkeep]{do: c.upkeep})
	river.AddWorker(workers, &worker[months]{do: func(ctx context.Context) error { return retention.MakeMonths(ctx, c.Pool) }})
	river.AddWorker(workers, &worker[notices]{do: c.notices})
	river.AddWorker(workers, &worker[watch]{do: states.Look})
	river.AddWorker(workers, &worker[lately]{do: c.lately, limit: 2 * time.Minute})
	river.AddWorker(workers, &worker[compare]{do: c.compare, limit: longLimit})
	river.AddWorker(workers, &worker[payouts]{do: c.payouts, limit: longLimit})
	return []*river.PeriodicJob{
		every(time.Minute, upkeep{}, nil), every(time.Minute, notices{}, nil), every(time.Minute, watch{}, triedOnce),
		every(ledgerEvery, lately{}, lookOnce), every(day, compare{}, daily),
		every(day, payouts{}, daily), every(day, months{}, nil),
	}
}

// every runs a job at the start and then by the clock, in one of the processes.
func every(interval time.Duration, job river.JobArgs, o *river.InsertOpts) *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(interval),
		func() (river.JobArgs, *river.InsertOpts) { return job, o }, &river.PeriodicJobOpts{RunOnStart: true})
}

func (c Config) notices(ctx context.Context) error {
	now := time.Now()
	return errors.Join(c.Notices.Send(ctx, now), c.Notices.Summarise(ctx, now))
}

func (c Config) lately(ctx context.Context) error {
	_, err := c.Payments.CompareLately(ctx)
	return errors.Join(err, c.Settlement.ImportDisputes(ctx))
}

// compare logs what only one side knows. It does not compare again at once because of a difference.
func (c Config) compare(ctx context.Context) error {
	now := time.Now()
	found, err := c.Payments.Reconcile(ctx, now.Add(-compareBack), now.Add(-compareUntil))
	if err != nil {
		return err
	}
	for _, d := range found.Differences {
		c.Log.ErrorContext(
			ctx, "the gateway's ledger differs", "kind", d.Kind, "reference", d.Reference, "transaction", d.TrxID, "problem", d.Problem,
		)
	}
	if err := db.New(c.Pool).ComparisonSave(ctx, int32(len(found.Differences))); err != nil { //nolint:gosec // fewer than a ledger has entries
		return err
	}
	c.Log.InfoContext(
		ctx, "compared with the gateway's ledger", "captures", found.Captures, "refunds", found.Refunds, "differences", len(found.Differences),
	)
	return nil
}

// payouts logs movements that are in no payout, and those that should not be in one. It reads disputes first, since payouts contain them.
func (c Config) payouts(ctx context.Context) error {
	if err := errors.Join(c.Settlement.ImportDisputes(ctx), c.Settlement.ImportPayouts(ctx)); err != nil {
		return err
	}
	found, err := c.Settlement.Findings(ctx)
	for _, f := range found {
		c.Log.ErrorContext(ctx, "payouts differ", "kind", f.Kind, "reference", f.Reference, "transaction", f.TrxID, "problem", f.Problem)
	}
	return err
}

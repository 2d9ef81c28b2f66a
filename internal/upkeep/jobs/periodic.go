package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"forecourt/internal/pay/payment"
	"forecourt/internal/upkeep/retention"
)

const (
	day = 24 * time.Hour
	// ledgerEvery is how often the last day of the gateway's ledger is read.
	ledgerEvery = 5 * time.Minute
	// longLimit limits a job that reads many pages of the gateway's ledger.
	longLimit = 10 * time.Minute
)

// The jobs that run by the clock. Each has its name in the queue.
type (
	upkeep  struct{} // expires and deletes, see Config.upkeep
	months  struct{} // makes the audit log's tables for the coming months; without them, lines would go into the default table
	notices struct{} // queues the letters and messages that teams want, at most a minute late; after a kill nothing twice
	watch   struct{} // looks for states that no payment may be in
	lately  struct{} // reads what the gateways' ledgers list of the last day
	compare struct{} // reads what they list of the last 120 days, once a day (UTC)
)

func (upkeep) Kind() string  { return "upkeep" }
func (months) Kind() string  { return "months" }
func (notices) Kind() string { return "notices" }
func (watch) Kind() string   { return "watch" }
func (lately) Kind() string  { return "lately" }
func (compare) Kind() string { return "compare" }

// What a failed job leaves undone, the next one of its kind does, unless that comes only the next day: ten tries extend over several hours.
// Of the last there is one job in a period, no matter how many processes there are and how often they start.
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
	river.AddWorker(workers, &worker[lately]{do: c.Settlement.ReadLately, limit: 2 * time.Minute})
	river.AddWorker(workers, &worker[compare]{do: c.compare, limit: longLimit})
	return []*river.PeriodicJob{
		every(time.Minute, upkeep{}, nil), every(time.Minute, notices{}, nil), every(time.Minute, watch{}, triedOnce),
		every(ledgerEvery, lately{}, lookOnce), every(day, compare{}, daily),
		every(day, months{}, nil),
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

// compare reads the ledgers, and logs movements that are in no payout, and those that should not be in one.
func (c Config) compare(ctx context.Context) error {
	if err := c.Settlement.ReadDaily(ctx); err != nil {
		return err
	}
	found, err := c.Settlement.Findings(ctx)
	for _, f := range found {
		c.Log.ErrorContext(ctx, "payouts differ", "kind", f.Kind, "reference", f.Reference, "transaction", f.TrxID, "problem", f.Problem)
	}
	return err
}

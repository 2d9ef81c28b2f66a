package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"forecourt/db"
)

const (
	// watchWithin is how long a scrape waits for the database.
	watchWithin = 2 * time.Second
	// watchFor is how long an answer, or its absence, is cached: many readers share one statement.
	watchFor = 5 * time.Second
)

// watch reads the database's figures about payments at a scrape. If the database does not answer, it reports only that, because an old
// figure would look like a good one.
type watch struct {
	queries *db.Queries
	answers *prometheus.Desc
	figures []figure

	mu   sync.Mutex
	row  db.AttemptWatchRow
	err  error
	read time.Time
}

type figure struct {
	desc *prometheus.Desc
	of   func(db.AttemptWatchRow) float64
}

func newWatch(pool *pgxpool.Pool) *watch {
	gauge := func(name, help string, of func(db.AttemptWatchRow) float64) figure {
		return figure{prometheus.NewDesc(name, help, nil, nil), of}
	}
	disputes := func(state string, of func(db.AttemptWatchRow) int64) figure {
		return figure{
			prometheus.NewDesc("forecourt_disputes", "Disputed payments by how their dispute stands.", nil, prometheus.Labels{"state": state}),
			func(r db.AttemptWatchRow) float64 { return float64(of(r)) },
		}
	}
	return &watch{
		queries: db.New(pool),
		answers: prometheus.NewDesc("forecourt_database_answers", "1 when the database answered this scrape, else 0.", nil, nil),
		figures: []figure{
			gauge("forecourt_ledger_differences", "Cases at /staff/unmatched: what the gateway's ledger and the books have differently.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Cases) }),
			gauge("forecourt_ledger_read_timestamp_seconds", "When the kind of entries that was read longest ago was last read completely "+
				"from the gateway's ledger; before the first time, when the database was started.",
				func(r db.AttemptWatchRow) float64 { return r.ReadAt }),
			gauge("forecourt_attempts_open", "Attempts whose outcome is not known yet.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Open) }),
			gauge("forecourt_attempts_manual", "Attempts that a person has to decide.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Manual) }),
			gauge("forecourt_attempt_oldest_seconds", "Age of the oldest open attempt that does not wait for a customer.",
				func(r db.AttemptWatchRow) float64 { return r.OldestSeconds }),
			gauge("forecourt_sweep_lag_seconds", "How long the attempt that is due longest waits for a sweep.",
				func(r db.AttemptWatchRow) float64 { return r.LagSeconds }),
			gauge("forecourt_refunds_open", "Refunds that the gateway has not decided.",
				func(r db.AttemptWatchRow) float64 { return float64(r.RefundsOpen) }),
			gauge("forecourt_refunds_manual", "Refunds that a person has to decide.",
				func(r db.AttemptWatchRow) float64 { return float64(r.RefundsManual) }),
			gauge("forecourt_refund_oldest_seconds", "Age of the oldest refund without an answer.",
				func(r db.AttemptWatchRow) float64 { return r.RefundOldestSeconds }),
			gauge("forecourt_refund_pending_oldest_seconds", "Age of the oldest refund that the gateway has and has not decided.",
				func(r db.AttemptWatchRow) float64 { return r.RefundPendingOldestSeconds }),
			gauge("forecourt_payments_closed", "Restores whose import of the gateway's ledger is missing or "+
				"leaves the backup's transactions closed.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Closed) }),
			disputes("opened", func(r db.AttemptWatchRow) int64 { return r.DisputesOpened }),
			disputes("won", func(r db.AttemptWatchRow) int64 { return r.DisputesWon }),
			disputes("lost", func(r db.AttemptWatchRow) int64 { return r.DisputesLost }),
			gauge("forecourt_unsettled", "Charges, refunds and lost disputes that no payout held in time.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Unsettled) }),
			gauge("forecourt_payout_doubts", "Payouts that do not add up or came twice, and what they hold that nobody knows or another one holds.",
				func(r db.AttemptWatchRow) float64 { return float64(r.PayoutDoubts) }),
			gauge("forecourt_orphan_transactions", "Transactions in processing without an open attempt.",
				func(r db.AttemptWatchRow) float64 { return float64(r.Orphans) }),
		},
	}
}

func (w *watch) Describe(to chan<- *prometheus.Desc) {
	to <- w.answers
	for _, f := range w.figures {
		to <- f.desc
	}
}

func (w *watch) Collect(to chan<- prometheus.Metric) {
	row, err := w.look()
	if err != nil {
		to <- prometheus.MustNewConstMetric(w.answers, prometheus.GaugeValue, 0)
		return
	}
	to <- prometheus.MustNewConstMetric(w.answers, prometheus.GaugeValue, 1)
	for _, f := range w.figures {
		to <- prometheus.MustNewConstMetric(f.desc, prometheus.GaugeValue, f.of(row))
	}
}

// look asks the database, or returns the cached answer. Concurrent readers share one answer.
func (w *watch) look() (db.AttemptWatchRow, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.read) < watchFor {
		return w.row, w.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), watchWithin)
	defer cancel()
	w.row, w.err = w.queries.AttemptWatch(ctx)
	w.read = time.Now()
	return w.row, w.err
}

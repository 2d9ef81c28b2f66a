package books

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/run/mail"
)

// LetterExport says that a long table is ready; its data is ExportData.
const LetterExport = "export"

// ExportData is what LetterExport needs.
type ExportData struct {
	Export uuid.UUID `json:"export"`
}

// job makes a long table.
type job struct {
	ID uuid.UUID `json:"id"`
}

// Kind names the job in the queue.
func (job) Kind() string { return "export" }

// InsertOpts gives the job a low priority, so that letters do not wait for it.
func (job) InsertOpts() river.InsertOpts { return river.InsertOpts{Priority: 3, MaxAttempts: 10} }

// slice is how long a job works before it makes room for others. It later continues where it stopped, as it does after a kill.
const slice = 10 * time.Second

// Register lets workers make long tables.
func Register(workers *river.Workers, b *Books) { river.AddWorker(workers, &worker{books: b}) }

type worker struct {
	river.WorkerDefaults[job]
	books *Books
}

// Work makes pages until the table is done or the time is over.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	for begun := time.Now(); time.Since(begun) < slice; {
		if done, err := w.books.Continue(ctx, j.Args.ID); err != nil || done {
			return err
		}
	}
	return river.JobSnooze(0)
}

// Continue makes the next page of a long table, and queues the letter with the last one. done reports that nothing is left to do. Each page
// is made once, however many processes call it and whenever one is killed.
func (b *Books) Continue(ctx context.Context, id uuid.UUID) (done bool, err error) {
	err = pgx.BeginFunc(ctx, b.pool, func(tx pgx.Tx) error {
		queries := b.queries.WithTx(tx)
		row, err := queries.ExportLock(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) {
			done = true
			return nil
		}
		if err != nil {
			return err
		}
		span := Span{Shop: row.ShopCode, Test: row.TestMode, Since: row.Since, Before: row.Before, Zone: clock.Zone(row.TimeZone)}
		if row.RowsTotal == nil {
			return b.count(ctx, queries, row)
		}
		reader := Books{queries: queries}
		text, next, n, err := reader.page(ctx, row.Kind, span, place{row.AfterAt, row.AfterID})
		if err != nil {
			return err
		}
		if row.Parts == 0 {
			text = append(head(row.Kind), text...)
		}
		done = n < perPage
		err = queries.ExportPartAdd(ctx, db.ExportPartAddParams{
			ID: id, Content: text, RowsDone: int32(n), AfterAt: next.at, AfterID: next.id, Done: done, //nolint:gosec // at most perPage
		})
		if err != nil || !done {
			return err
		}
		return b.mail.Add(ctx, tx, mail.Request{Kind: LetterExport, Key: "export/" + id.String(), Data: ExportData{id}})
	})
	return done, err
}

// count counts the rows of a table for the progress bar. The request that begins the table does not wait for that.
func (b *Books) count(ctx context.Context, queries *db.Queries, row db.Export) error {
	total, err := queries.ExportCount(ctx, db.ExportCountParams{
		Kind: string(row.Kind), ShopCode: row.ShopCode, TestMode: row.TestMode, Since: row.Since, Before: row.Before, AtMost: math.MaxInt32,
	})
	if err != nil {
		return err
	}
	return queries.ExportTotal(ctx, total, row.ID)
}

package books

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

const (
	// short is the most payments, refunds or payouts that a table may have and still be sent at once.
	short = 20_000
	// mostOpen is how many long tables of a shop may be made at the same time. mostKept is how many are kept.
	mostOpen, mostKept = 2, 8
)

// Begin begins a table of a shop's books and notes it in the log of the shop. The caller writes a short table with Write; for a long one
// Begin starts a job and returns its id. Errors: shop.ErrMissing, shop.ErrRole, ErrExports.
func (b *Books) Begin(ctx context.Context, by shop.Person, kind ExportKind, s Span) (id uuid.UUID, long bool, err error) {
	err = b.shops.Change(ctx, by, s.Shop, shop.Books, func(tx pgx.Tx) (shop.Change, error) {
		queries := b.queries.WithTx(tx)
		count, err := queries.ExportCount(ctx, db.ExportCountParams{
			Kinds: counted[kind], Payouts: kind == ExportPayouts, ShopCode: s.Shop, TestMode: s.Test, Since: s.Since, Before: s.Before,
			AtMost: short + 1,
		})
		if long = count > short; err == nil && long {
			id = uuid.New()
			err = b.start(ctx, tx, by, kind, s, id)
		}
		return shop.Change{Action: "export", Detail: string(kind) + ", " + days(s)}, err
	})
	return id, long, err
}

func (b *Books) start(ctx context.Context, tx pgx.Tx, by shop.Person, kind ExportKind, s Span, id uuid.UUID) error {
	queries := b.queries.WithTx(tx)
	if err := queries.ClosingLock(ctx, s.Shop); err != nil {
		return err
	}
	open, err := queries.ExportOpen(ctx, s.Shop, ExportKeptFor)
	if err != nil {
		return err
	}
	if open >= mostOpen {
		return ErrExports
	}
	first := from(kind, s)
	err = queries.ExportAdd(ctx, db.ExportAddParams{
		ID: id, ShopCode: s.Shop, AccountID: by.ID, RequestedBy: by.Email, Kind: kind, TestMode: s.Test,
		Since: s.Since, Before: s.Before, TimeZone: s.Zone.String(), AfterAt: first.at, AfterID: first.id,
	})
	if err != nil {
		return err
	}
	if err := queries.ExportTrim(ctx, s.Shop, mostKept); err != nil {
		return err
	}
	_, err = b.jobs.InsertTx(ctx, tx, job{ID: id}, nil)
	return err
}

// Note records in the log of a shop that somebody downloaded a part of its books. Errors: shop.ErrMissing, shop.ErrRole.
func (b *Books) Note(ctx context.Context, by shop.Person, s Span, what string) error {
	return b.shops.Change(ctx, by, s.Shop, shop.Books, func(pgx.Tx) (shop.Change, error) {
		return shop.Change{Action: "export", Detail: what + ", " + days(s)}, nil
	})
}

// days writes out a span: "2026-11-01 to 2026-11-30".
func days(s Span) string {
	text := s.Since.In(s.Zone).Format(time.DateOnly) + " to " + s.Before.Add(-time.Nanosecond).In(s.Zone).Format(time.DateOnly)
	if s.Test {
		text += ", test mode"
	}
	return text
}

// Write writes a table, page by page.
func (b *Books) Write(ctx context.Context, kind ExportKind, s Span, w io.Writer) error {
	if _, err := w.Write(head(kind)); err != nil {
		return err
	}
	for at := from(kind, s); ; {
		text, next, n, err := b.page(ctx, kind, s, at)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil || n < perPage {
			return err
		}
		at = next
	}
}

// Exports lists the long tables of a shop, the newest first.
func (b *Books) Exports(ctx context.Context, one shop.Shop) ([]Export, error) {
	rows, err := b.queries.ExportList(ctx, one.Code, ExportKeptFor)
	list := make([]Export, len(rows))
	for i, row := range rows {
		list[i] = exportOf(row)
	}
	return list, err
}

// Export returns a long table of a shop. Errors: ErrNoBook.
func (b *Books) Export(ctx context.Context, one shop.Shop, id string) (Export, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || parsed.String() != strings.ToLower(id) {
		return Export{}, ErrNoBook
	}
	row, err := b.queries.ExportGet(ctx, parsed, one.Code, ExportKeptFor)
	if errors.Is(err, pgx.ErrNoRows) {
		return Export{}, ErrNoBook
	}
	return exportOf(row), err
}

// WriteFile writes a long table that is done.
func (b *Books) WriteFile(ctx context.Context, e Export, w io.Writer) error {
	for no := int32(1); no <= e.Parts; no++ {
		part, err := b.queries.ExportPartGet(ctx, e.ID, no)
		if err != nil {
			return err
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func exportOf(row db.Export) Export {
	clock.Local(clock.Zone(row.TimeZone), &row.Since, &row.Before, &row.CreatedAt)
	if row.RowsTotal == nil {
		row.RowsTotal = new(int64)
	}
	return Export{row}
}

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
		if row.RowsTotal == nil {
			return b.count(ctx, queries, row)
		}
		reader := Books{queries: queries}
		text, next, n, err := reader.page(ctx, row.Kind, exportOf(row).Span(), place{row.AfterAt, row.AfterID})
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
		Kinds: counted[row.Kind], Payouts: row.Kind == ExportPayouts, ShopCode: row.ShopCode, TestMode: row.TestMode,
		Since: row.Since, Before: row.Before, AtMost: math.MaxInt32,
	})
	if err != nil {
		return err
	}
	return queries.ExportTotal(ctx, total, row.ID)
}

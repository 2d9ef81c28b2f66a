package privacy

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/run/mail"
)

// dueJob does the erasures that are due.
type dueJob struct{}

func (dueJob) Kind() string { return "erasures" }

type dueWorker struct {
	river.WorkerDefaults[dueJob]
	privacy *Privacy
}

// Timeout limits one round: each erasure reads the whole audit.
func (*dueWorker) Timeout(*river.Job[dueJob]) time.Duration { return 2 * time.Minute }

// Work does the erasures.
func (w *dueWorker) Work(ctx context.Context, _ *river.Job[dueJob]) error {
	return w.privacy.EraseDue(ctx)
}

// Register lets workers erase.
func Register(workers *river.Workers, p *Privacy) {
	river.AddWorker(workers, &dueWorker{privacy: p})
}

// Due returns the job that does the erasures that are due. It is for every minute.
func Due() river.JobArgs { return dueJob{} }

// step is how many erasures one round does.
const step = 100

// EraseDue does the erasures that are due, and deletes unanswered requests and last letters that were sent. It goes on if
// one erasure fails.
func (p *Privacy) EraseDue(ctx context.Context) error {
	due, err := p.queries.ErasureAskDue(ctx, step)
	if err != nil {
		return err
	}
	var failed error
	for _, ask := range due {
		if err := p.eraseDue(ctx, ask); err != nil {
			p.log.ErrorContext(ctx, "an erasure failed; it is tried again in a minute", "ask", ask.ID, "error", err)
			failed = errors.Join(failed, err)
		}
	}
	for _, prune := range []func(context.Context, int32) (int64, error){
		p.dropUnanswered, p.queries.ErasureFormPrune, p.dropLastLetters,
	} {
		if _, err := prune(ctx, step); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// eraseDue does one erasure. If an account can no longer be erased, eraseDue drops the request and tells the owner. A payer's request waits
// until no money moves and the order is made.
func (p *Privacy) eraseDue(ctx context.Context, ask db.ErasureAskDueRow) error {
	if ask.TransactionID != nil {
		err := p.ErasePayer(ctx, *ask.TransactionID)
		if errors.Is(err, ErrMoving) || errors.Is(err, ErrMaking) {
			return p.queries.ErasureAskWait(ctx, ask.ID)
		}
		return err
	}
	err := p.EraseAccount(ctx, *ask.AccountID)
	if errors.Is(err, ErrNobody) { // another process was faster
		return nil
	}
	var held *HeldError
	if !errors.As(err, &held) {
		return err
	}
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		dropped, err := db.New(tx).ErasureAskDrop(ctx, *ask.AccountID)
		if err != nil || dropped == 0 {
			return err
		}
		return p.mail.Add(ctx, tx, mail.Request{
			Kind: LetterHeld, Key: LetterHeld + "/" + ask.ID.String(), Data: AccountLetter{Account: *ask.AccountID},
		})
	})
}

// dropUnanswered deletes requests whose link no longer works.
func (p *Privacy) dropUnanswered(ctx context.Context, atMost int32) (int64, error) {
	return p.queries.ErasureAskPrune(ctx, ConfirmFor, atMost)
}

// dropLastLetters deletes last letters that were sent or never will be, and the jobs that hold their addresses.
func (p *Privacy) dropLastLetters(ctx context.Context, atMost int32) (int64, error) {
	gone, err := p.pool.Exec(ctx, `WITH told AS (
			SELECT id, key FROM mail WHERE kind = $1 AND (sent_at IS NOT NULL OR problem <> '' OR held <> '')
				AND NOT EXISTS (SELECT FROM river_job j WHERE j.kind = 'mail' AND j.finalized_at IS NULL AND j.args ->> 'key' = mail.key) LIMIT $2
		), jobs AS (
			DELETE FROM river_job j USING told WHERE j.kind = 'mail' AND j.args ->> 'key' = told.key
		)
		DELETE FROM mail USING told WHERE mail.id = told.id`, LetterErased, atMost)
	return gone.RowsAffected(), err
}

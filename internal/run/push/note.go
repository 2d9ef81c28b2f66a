package push

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// Note is a message to somebody on a team.
type Note struct {
	Shop     string `json:"client"`
	Business string `json:"-"`     // its name, when the message is written
	Kind     string `json:"kind"`  // of the notice
	Event    string `json:"event"` // the kind of the first event; "" in a summary
	Count    int    `json:"count"`
	Amount   int64  `json:"amount"` // of a single event, in minor units
	Currency string `json:"currency"`
	Test     bool   `json:"test"`

	// Of the summary of a day. Count and Refunds are those of all currencies, Amount and Refunded what they came to in Currency.
	Day      string    `json:"day,omitempty"` // 2026-11-22
	Refunds  int       `json:"refunds,omitempty"`
	Refunded int64     `json:"givenBack,omitempty"`
	Others   []NoteSum `json:"others,omitempty"`
}

// NoteSum is what a day came to in one more currency.
type NoteSum struct {
	Amount   int64  `json:"amount"`
	Refunded int64  `json:"givenBack"`
	Currency string `json:"currency"`
}

// QueueNote queues a message to a browser of somebody on a team, in tx. It is not sent if they have left the team by then.
func (p *Push) QueueNote(ctx context.Context, tx pgx.Tx, account uuid.UUID, browser string, n Note) error {
	_, err := p.queue.InsertTx(ctx, tx, note{Account: account, Browser: browser, Note: n}, nil)
	return err
}

// note is the job that sends one note to one browser.
type note struct {
	Account uuid.UUID `json:"account"`
	Browser string    `json:"browser"` // key of its registration
	Note    Note      `json:"note"`
}

func (note) Kind() string { return "push_note" }

// InsertOpts limits the tries.
func (note) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: Queue, MaxAttempts: tries} }

type noteWorker struct {
	river.WorkerDefaults[note]
	push  *Push
	words func(Note) Message
}

// Work sends one note.
func (w *noteWorker) Work(ctx context.Context, j *river.Job[note]) error {
	row, err := w.push.queries.PushRegistrationOfMember(ctx, j.Args.Browser, j.Args.Note.Shop, j.Args.Account)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	j.Args.Note.Business = row.Business
	return w.push.deliver(
		ctx, w.push.log.With("business", j.Args.Note.Shop, "notice", j.Args.Note.Kind),
		j.CreatedAt, row.PushRegistration, w.words(j.Args.Note),
	)
}

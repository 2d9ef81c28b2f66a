package form

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/printable"
)

// maxReason is how many letters a reason has at most.
const maxReason = 2000

// Why staff cannot decide.
var (
	// ErrNoForm is a reference that names nothing.
	ErrNoForm = fault.New(fault.NotFound, "no form has that reference")
	// ErrDecided is a form that is not, or no longer, what the person who decides has looked at.
	ErrDecided = fault.New(fault.Conflict, "the form was decided or changed in the meantime")
	// ErrNoReason is a decision that has to say why.
	ErrNoReason = fault.New(fault.Invalid, "the decision needs a reason")
	// ErrLongReason is a reason of more than 2000 letters.
	ErrLongReason = fault.New(fault.Invalid, "the reason is too long")
	// ErrNoDecision is a decision there is not.
	ErrNoDecision = fault.New(fault.Invalid, "there is no such decision")
)

// Review is a form as staff see it.
type Review struct {
	Form
	Email, Name string // of its owner
	DecidedBy   string
	History     []Event
}

// Event is a line of a form's history.
type Event struct {
	At     time.Time `json:"at"`
	Actor  string    `json:"actor"`
	Action string    `json:"action"`
	Reason string    `json:"reason,omitempty"`
}

// Review returns what was handed in under a reference. Errors: ErrNoForm.
func (s *Forms) Review(ctx context.Context, reference string) (*Review, error) {
	row, err := s.queries.FormByReference(ctx, &reference)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNoForm
	}
	if err != nil {
		return nil, err
	}
	f, err := formOf(row.Form, Owner{ID: row.Form.AccountID, Email: row.Email})
	if err != nil {
		return nil, err
	}
	r := &Review{Form: *f, Email: row.Email, Name: row.Name, DecidedBy: row.Form.DecidedBy}
	lines, err := s.queries.AuditListBySubject(ctx, reference)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		r.History = append(r.History, Event{At: line.CreatedAt, Actor: line.Actor, Action: line.Action, Reason: line.Reason})
	}
	return r, nil
}

// Decision is what staff say to a form.
type Decision struct {
	Reference string
	State     State // Approved, Declined or Returned
	Reason    string
	By        string
	// HandedIn is which submission was looked at: Review.HandedIn.
	HandedIn int
}

// Decide records a decision, tells the applicant and notes it in the audit. The same decision by the same person once more changes
// nothing. Errors: ErrNoDecision, ErrNoReason, ErrLongReason, ErrNoForm, ErrDecided.
func (s *Forms) Decide(ctx context.Context, d Decision) error {
	d.Reason = printable.MakeLines(d.Reason)
	switch {
	case d.State != Approved && d.State != Declined && d.State != Returned:
		return ErrNoDecision
	case d.Reason == "" && d.State != Approved:
		return ErrNoReason
	case utf8.RuneCountInString(d.Reason) > maxReason:
		return ErrLongReason
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		done, err := queries.FormDecide(ctx, db.FormDecideParams{
			State: string(d.State), DecidedBy: d.By, Reason: d.Reason, Reference: &d.Reference, HandedIn: int32(d.HandedIn), //nolint:gosec // it came from there
		})
		if err != nil {
			return err
		}
		row, err := queries.FormByReference(ctx, &d.Reference)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoForm
		}
		if err != nil {
			return err
		}
		if done == 0 {
			f := row.Form
			if f.State == string(d.State) && f.DecidedBy == d.By && f.Reason == d.Reason && int(f.HandedIn) == d.HandedIn {
				return nil // said twice
			}
			return ErrDecided
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: d.By, Action: "form " + string(d.State), Subject: d.Reference, Reason: d.Reason,
		})
		return errors.Join(err, s.tell(ctx, tx, LetterDecided, LetterData{
			Reference: d.Reference, HandedIn: d.HandedIn, State: d.State, Reason: d.Reason,
		}))
	})
}

// Filter picks forms out of the queue; empty fields let everything through.
type Filter struct {
	Kind  Kind
	State State
	Page  int // from 1
}

// PageSize is how many forms a page of the queue holds.
const PageSize = 25

// Queued is a form in the queue.
type Queued struct {
	Reference   string     `json:"reference"`
	Kind        Kind       `json:"form"`
	State       State      `json:"state"`
	TradingName string     `json:"name"`
	Email       string     `json:"email"`
	SubmittedAt time.Time  `json:"submittedAt"`
	DecidedAt   *time.Time `json:"decidedAt,omitempty"`
	DecidedBy   string     `json:"decidedBy,omitempty"`
}

// Queue returns a page of what was handed in, oldest first, and whether there is another one.
func (s *Forms) Queue(ctx context.Context, f Filter) (page []Queued, more bool, err error) {
	skip := (min(max(f.Page, 1), 1<<20) - 1) * PageSize
	rows, err := s.queries.FormList(ctx, db.FormListParams{
		State: string(f.State), Kind: string(f.Kind), Skip: int32(skip), AtMost: PageSize + 1,
	})
	if err != nil {
		return nil, false, err
	}
	page = []Queued{}
	for i, row := range rows {
		if i == PageSize {
			return page, true, nil
		}
		page = append(page, Queued{
			Reference: *row.Reference, Kind: Kind(row.Kind), State: State(row.State), TradingName: row.TradingName, Email: row.Email,
			SubmittedAt: *row.SubmittedAt, DecidedAt: row.DecidedAt, DecidedBy: row.DecidedBy,
		})
	}
	return page, false, nil
}

// Counts tells how many forms of a kind, "" for all, are in each state.
func (s *Forms) Counts(ctx context.Context, kind Kind) (map[State]int, error) {
	rows, err := s.queries.FormCount(ctx, string(kind))
	if err != nil {
		return nil, err
	}
	counts := map[State]int{}
	for _, row := range rows {
		counts[State(row.State)] = int(row.Forms)
	}
	return counts, nil
}

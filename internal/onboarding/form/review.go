package form

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	"forecourt/internal/shop/shop"
)

// ErrNoForm means that no form has this reference.
var ErrNoForm = fault.New(fault.NotFound, "no form has that reference")

// sayWhy asks for a reason.
const sayWhy = "Say why, in words for the applicant"

// choices are what staff can decide.
var choices = []review.Choice[State]{{State: Approved}, {State: Returned, Why: sayWhy}, {State: Declined, Why: sayWhy}}

// Review is a form as staff see it.
type Review struct {
	Form
	Owner       uuid.UUID
	Email, Name string // of its owner
	DecidedBy   string
	History     []review.Event
}

// Review returns the form with a reference. Errors: ErrNoForm.
func (s *Forms) Review(ctx context.Context, reference string) (*Review, error) {
	row, err := s.queries.FormByReference(ctx, &reference)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrNoForm
	}
	if err != nil {
		return nil, err
	}
	f, err := formOf(row.Form, shop.Person{ID: row.Form.AccountID, Email: row.Email})
	if err != nil {
		return nil, err
	}
	r := &Review{Form: *f, Owner: row.Form.AccountID, Email: row.Email, Name: row.Name, DecidedBy: row.Form.DecidedBy}
	r.History, err = review.History(ctx, s.queries, reference)
	return r, err
}

// Decide stores a decision on a submission, notifies the applicant and records it in the audit log. If the same person repeats the same
// decision, nothing changes. Errors: those of review.Check, review.ErrDecided, ErrNoForm.
func (s *Forms) Decide(ctx context.Context, reference string, d review.Decision[State]) (err error) {
	if d.Reason, err = review.Check(choices, d.State, d.Reason); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		done, err := queries.FormDecide(ctx, db.FormDecideParams{
			State: d.State, DecidedBy: d.By, Reason: d.Reason, Reference: &reference,
			HandedIn: int32(d.Version), //nolint:gosec // it came from there
		})
		if err != nil {
			return err
		}
		row, err := queries.FormByReference(ctx, &reference)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoForm
		}
		if err != nil {
			return err
		}
		if done == 0 {
			f := row.Form
			if f.State == d.State && f.DecidedBy == d.By && f.Reason == d.Reason && int(f.HandedIn) == d.Version {
				return nil // a repetition
			}
			return review.ErrDecided
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: d.By, Action: "form " + string(d.State), Subject: reference, Reason: d.Reason,
		})
		if d.State == Approved && row.Form.Kind == string(Application) && s.Accepted != nil && err == nil {
			var f *Form
			if f, err = formOf(row.Form, shop.Person{ID: row.Form.AccountID, Email: row.Email}); err == nil {
				err = s.Accepted(ctx, tx, d.By, row.Form.AccountID, f)
			}
		}
		return errors.Join(err, s.queueLetter(ctx, tx, LetterDecided, LetterData{
			Reference: reference, HandedIn: d.Version, State: d.State, Reason: d.Reason,
		}))
	})
}

// Filter selects forms from the queue; empty fields match everything.
type Filter struct {
	Kind  Kind
	State State
	Page  int // from 1
}

// Queue returns a page of the submitted forms, oldest first, and reports whether another page follows.
func (s *Forms) Queue(ctx context.Context, f Filter) (page []db.FormListRow, more bool, err error) {
	skip, atMost := review.Window(f.Page)
	rows, err := s.queries.FormList(ctx, db.FormListParams{State: f.State, Kind: string(f.Kind), Skip: skip, AtMost: atMost})
	page, more = review.Page(rows)
	return page, more, err
}

// Counts returns how many forms of a kind, "" for all, are in each state.
func (s *Forms) Counts(ctx context.Context, kind Kind) (map[State]int, error) {
	rows, err := s.queries.FormCount(ctx, string(kind))
	return review.Counts(rows, func(row db.FormCountRow) (State, int64) { return row.State, row.Forms }), err
}

// AcceptAgain makes up for an application that was approved by an earlier version: it makes what an approval makes now, such as the
// compliance record. Whatever exists already stays as it is. Errors: ErrNoForm, also for a form that is not an approved application.
func (s *Forms) AcceptAgain(ctx context.Context, reference, by string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		row, err := queries.FormLockApproved(ctx, &reference)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoForm
		}
		if err != nil {
			return err
		}
		f, err := formOf(row.Form, shop.Person{ID: row.Form.AccountID, Email: row.Email})
		if err != nil {
			return err
		}
		return errors.Join(
			s.Accepted(ctx, tx, by, row.Form.AccountID, f),
			queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: "application accepted again", Subject: reference}),
		)
	})
}

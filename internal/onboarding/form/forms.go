package form

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
	"forecourt/internal/people/review"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
)

// ErrSubmitted means that the form was submitted: its owner can only read it.
var ErrSubmitted = fault.New(fault.Conflict, "the form was handed in")

// Forms stores the forms.
type Forms struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	mail    *mail.Queue
	rule    account.Verification

	// Accepted, unless nil, is called in the transaction in which staff approve an application, to make what follows from that. by is the
	// person who approved it.
	Accepted func(ctx context.Context, tx pgx.Tx, by string, account uuid.UUID, f *Form) error
}

// New returns the forms stored in pool. Owners learn of decisions by email; rule says who may submit.
func New(pool *pgxpool.Pool, queue *mail.Queue, rule account.Verification) *Forms {
	return &Forms{pool: pool, queries: db.New(pool), mail: queue, rule: rule}
}

// Get returns a person's form, or a fresh one if nothing was saved yet.
func (s *Forms) Get(ctx context.Context, owner shop.Person, kind Kind) (*Form, error) {
	row, err := s.queries.FormGet(ctx, owner.ID, string(kind))
	if errors.Is(err, pgx.ErrNoRows) {
		f := &Form{Kind: kind, Data: kind.Fresh(), State: Draft}
		f.Data.SignIn(owner.Email)
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	return formOf(row, owner)
}

func formOf(row db.Form, owner shop.Person) (*Form, error) {
	f := &Form{
		Kind: Kind(row.Kind), State: row.State, Reason: row.Reason, HandedIn: int(row.HandedIn), Reached: int(row.Reached),
		Begun: true,
	}
	if err := json.Unmarshal(row.Data, &f.Data); err != nil {
		return nil, fmt.Errorf("stored form: %w", err)
	}
	if row.Reference != nil {
		f.Reference, f.SubmittedAt = *row.Reference, *row.SubmittedAt
	}
	if f.Open() {
		f.Data.SignIn(owner.Email)
	}
	return f, nil
}

// Save stores the answer to a step, which must be valid. It leaves every other step unchanged, even if another request saves at the same
// time. kind must have a step with that number. The form is returned with fault.Problems too. Errors: fault.Problems of an invalid answer,
// which is not stored; ErrSubmitted; ErrIncomplete, if an earlier step is invalid.
func (s *Forms) Save(ctx context.Context, owner shop.Person, kind Kind, number int, step Step) (*Form, error) {
	return s.save(ctx, owner, kind, func(f *Form) error { return f.Answer(number, step) })
}

// Keep stores the answer to a step even if it is incomplete or has empty rows. Errors: fault.Problems and ErrSubmitted, as Save.
func (s *Forms) Keep(ctx context.Context, owner shop.Person, kind Kind, step Step) (*Form, error) {
	return s.save(ctx, owner, kind, func(f *Form) error { return f.Keep(step) })
}

// save changes a form under a lock. A form whose first answer is invalid has begun, with nothing in it.
func (s *Forms) save(ctx context.Context, owner shop.Person, kind Kind, change func(*Form) error) (f *Form, err error) {
	var problems fault.Problems
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if f, err = lock(ctx, queries, owner, kind); err != nil {
			return err
		}
		if !f.Open() {
			return ErrSubmitted
		}
		if err := change(f); errors.As(err, &problems) {
			return nil
		} else if err != nil {
			return err
		}
		data, err := json.Marshal(f.Data)
		if err != nil {
			return err
		}
		return queries.FormSave(ctx, db.FormSaveParams{
			Data: data, Reached: int16(f.Reached), AccountID: owner.ID, Kind: string(kind), //nolint:gosec // a form has a handful of steps
		})
	})
	if err == nil {
		err = problems.Err()
	}
	return f, err
}

// Asked is an application of an owner of a shop that staff returned with a question.
type Asked = db.FormAskedRow

// Asked returns what staff ask about the application of a shop's owners, first that of reader; nil if they ask nothing.
func (s *Forms) Asked(ctx context.Context, code, reader string) (*Asked, error) {
	row, err := s.queries.FormAsked(ctx, reader, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no question is not an error
	}
	return &row, err
}

// lock locks a person's form until the transaction ends; it makes a fresh one if there is none.
func lock(ctx context.Context, queries *db.Queries, owner shop.Person, kind Kind) (*Form, error) {
	row, err := queries.FormLock(ctx, owner.ID, string(kind))
	if errors.Is(err, pgx.ErrNoRows) {
		data, err := json.Marshal(kind.Fresh())
		if err != nil {
			return nil, err
		}
		if err := queries.FormStart(ctx, owner.ID, string(kind), data); err != nil {
			return nil, err
		}
		if row, err = queries.FormLock(ctx, owner.ID, string(kind)); err != nil {
			return nil, err
		}
		return formOf(row, owner)
	}
	if err != nil {
		return nil, err
	}
	return formOf(row, owner)
}

// Submit submits a form. If it was submitted before, it stays unchanged and is returned. said is the owner's answer to what staff asked
// when they returned it, which they read in its history. Errors: form.ErrIncomplete and account.ErrUnverified, with the form;
// fault.Problems of the note.
func (s *Forms) Submit(ctx context.Context, owner shop.Person, kind Kind, said string) (*Form, error) {
	if wrong := review.Answer(&said); wrong != "" {
		return nil, fault.Problems{"note": wrong}
	}
	for {
		f, err := s.submit(ctx, owner, kind, newReference(kind), said)
		if db.IsTaken(err, db.FormReference) {
			continue // the reference is taken: draw another one
		}
		return f, err
	}
}

func (s *Forms) submit(ctx context.Context, owner shop.Person, kind Kind, reference, said string) (f *Form, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if f, err = lock(ctx, queries, owner, kind); err != nil || !f.Open() {
			return err
		}
		if _, invalid := f.FirstInvalid(len(kind.Asking())); invalid {
			return ErrIncomplete
		}
		if err := s.rule.Check(ctx, queries, owner.ID); err != nil {
			return err
		}
		row, err := queries.FormSubmit(ctx, reference, owner.ID, string(kind))
		if err != nil {
			return err
		}
		if f, err = formOf(row, owner); err != nil {
			return err
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{Actor: owner.Email, Action: "form submitted", Subject: f.Reference, Reason: said})
		return errors.Join(err, s.queueLetter(ctx, tx, LetterSubmitted, LetterData{Reference: f.Reference, HandedIn: f.HandedIn}))
	})
	return f, err
}

// The letters that a form's owner gets, by mail.Request.Kind.
const (
	LetterSubmitted = "form submitted"
	LetterDecided   = "form decided"
)

// LetterData is what the writers of these letters need.
type LetterData struct {
	Reference string `json:"reference"`
	HandedIn  int    `json:"handedIn"`         // which submission it is about
	State     State  `json:"state,omitempty"`  // of a decision
	Reason    string `json:"reason,omitempty"` // of a decision
}

// queueLetter queues a letter with its data.
func (s *Forms) queueLetter(ctx context.Context, tx pgx.Tx, letter string, data LetterData) error {
	return s.mail.Add(ctx, tx, mail.Request{
		Kind: letter, Key: fmt.Sprintf("%s/%s/%d", letter, data.Reference, data.HandedIn), Data: data,
	})
}

// unambiguous holds the characters of a reference: no two of them look alike.
const unambiguous = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// newReference makes a reference that can be read out on the phone: A-7KQ2-M9. The first letter identifies the form.
func newReference(k Kind) string {
	drawn := make([]byte, 6)
	_, _ = rand.Read(drawn) // never fails
	for i, b := range drawn {
		drawn[i] = unambiguous[b%byte(len(unambiguous))] // 32 divides 256
	}
	return k.Letter() + "-" + string(drawn[:4]) + "-" + string(drawn[4:])
}

// ParseReference normalises a typed reference, which may be in lower case. It need not exist.
func ParseReference(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }

package form

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/mail"
)

// Why a form is not saved or handed in.
var (
	// ErrHandedIn is a form that its owner can only read.
	ErrHandedIn = fault.New(fault.Conflict, "the form was handed in")
	// ErrIncomplete is a form with a step before that does not hold.
	ErrIncomplete = fault.New(fault.Conflict, "an earlier step is not complete")
)

// Owner is the person whose form it is.
type Owner struct {
	ID    uuid.UUID
	Email string
}

// State is where a form stands.
type State string

// The states of a form. Draft and Returned are open to their owner.
const (
	Draft     State = "draft"
	Submitted State = "submitted"
	Returned  State = "returned" // staff asked for more
	Approved  State = "approved"
	Declined  State = "declined"
)

// Form is one person's form.
type Form struct {
	Kind        Kind
	Data        Data
	State       State
	Reference   string    // empty for a draft
	SubmittedAt time.Time // the last time, zero for a draft
	Reason      string    // of the decision
	HandedIn    int       // how often
	reached     int
}

// Open tells whether its owner may change it.
func (f *Form) Open() bool { return f.State == Draft || f.State == Returned }

// Step is the answer to a step that asks, as it is stored.
func (f *Form) Step(number int) Step { return f.Data.step(f.Kind.Asking()[number]) }

// FirstInvalid is the number of the first step before limit whose answer does not hold; false for none (FORM-19).
func (f *Form) FirstInvalid(limit int) (int, bool) {
	for i, id := range f.Kind.Asking() {
		if i < limit && len(f.Data.step(id).Check(f.Data.EntityType)) > 0 {
			return i, true
		}
	}
	return 0, false
}

// Next is the step to go on with: the first that does not hold or was not looked at yet. len(Kind.Asking()) means that all hold.
func (f *Form) Next() int {
	all := len(f.Kind.Asking())
	if i, ok := f.FirstInvalid(all); ok {
		return min(i, f.reached)
	}
	return min(f.reached, all)
}

// Forms keeps the forms.
type Forms struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	mail    *mail.Queue
}

// New keeps forms in pool and tells their owners by mail what becomes of them.
func New(pool *pgxpool.Pool, queue *mail.Queue) *Forms {
	return &Forms{pool: pool, queries: db.New(pool), mail: queue}
}

// Get returns a person's form, a fresh one where nothing was saved yet.
func (s *Forms) Get(ctx context.Context, owner Owner, kind Kind) (*Form, error) {
	row, err := s.queries.FormGet(ctx, owner.ID, string(kind))
	if errors.Is(err, pgx.ErrNoRows) {
		f := &Form{Kind: kind, Data: kind.fresh(), State: Draft}
		f.Data.signIn(owner.Email)
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	return formOf(row, owner)
}

func formOf(row db.Form, owner Owner) (*Form, error) {
	f := &Form{
		Kind: Kind(row.Kind), State: State(row.State), Reason: row.Reason, HandedIn: int(row.HandedIn), reached: int(row.Reached),
	}
	if err := json.Unmarshal(row.Data, &f.Data); err != nil {
		return nil, fmt.Errorf("stored form: %w", err)
	}
	if row.Reference != nil {
		f.Reference, f.SubmittedAt = *row.Reference, *row.SubmittedAt
	}
	if f.Open() {
		f.Data.signIn(owner.Email)
	}
	return f, nil
}

// Save stores the answer to a step, which has to hold, and leaves every other step as it is, whoever saves at the same time.
// It returns the problems of an answer that does not hold, which is not stored. Errors: ErrHandedIn; ErrIncomplete, when an
// earlier step does not hold. kind has a step of that number.
func (s *Forms) Save(ctx context.Context, owner Owner, kind Kind, number int, step Step) (*Form, []Problem, error) {
	step.tidy()
	step.drop()
	return s.save(ctx, owner, kind, func(f *Form) ([]Problem, error) {
		if problems := step.Check(f.Data.EntityType); len(problems) > 0 {
			return problems, nil
		}
		if _, invalid := f.FirstInvalid(number); invalid {
			return nil, ErrIncomplete
		}
		step.apply(&f.Data)
		f.reached = max(f.reached, number+1)
		return nil, nil
	})
}

// Keep stores the answer to a step as far as it goes, with rows that are empty still. Errors: ErrHandedIn.
func (s *Forms) Keep(ctx context.Context, owner Owner, kind Kind, step Step) (*Form, []Problem, error) {
	step.tidy()
	if problems := step.kept(); len(problems) > 0 {
		return nil, problems, nil
	}
	return s.save(ctx, owner, kind, func(f *Form) ([]Problem, error) {
		step.apply(&f.Data)
		return nil, nil
	})
}

// save changes a form while nobody else can.
func (s *Forms) save(ctx context.Context, owner Owner, kind Kind, change func(*Form) ([]Problem, error)) (f *Form, problems []Problem, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if f, err = lock(ctx, queries, owner, kind); err != nil {
			return err
		}
		if !f.Open() {
			return ErrHandedIn
		}
		if problems, err = change(f); err != nil || len(problems) > 0 {
			return err
		}
		f.Data.fit()
		data, err := json.Marshal(f.Data)
		if err != nil {
			return err
		}
		return queries.FormSave(ctx, db.FormSaveParams{
			Data: data, Reached: int16(f.reached), AccountID: owner.ID, Kind: string(kind), //nolint:gosec // a form has a handful of steps
		})
	})
	return f, problems, err
}

// lock holds a person's form until the transaction ends; a fresh one is begun where there is none.
func lock(ctx context.Context, queries *db.Queries, owner Owner, kind Kind) (*Form, error) {
	row, err := queries.FormLock(ctx, owner.ID, string(kind))
	if errors.Is(err, pgx.ErrNoRows) {
		data, err := json.Marshal(kind.fresh())
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

// Submit hands a form in. A form that was handed in before stays as it is and is returned. Errors: ErrIncomplete, with the form.
func (s *Forms) Submit(ctx context.Context, owner Owner, kind Kind) (*Form, error) {
	for {
		f, err := s.submit(ctx, owner, kind, newReference(kind))
		if db.IsTaken(err, db.FormReference) {
			continue // the reference is somebody else's: draw another one
		}
		return f, err
	}
}

func (s *Forms) submit(ctx context.Context, owner Owner, kind Kind, reference string) (f *Form, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if f, err = lock(ctx, queries, owner, kind); err != nil || !f.Open() {
			return err
		}
		if _, invalid := f.FirstInvalid(len(kind.Asking())); invalid {
			return ErrIncomplete
		}
		row, err := queries.FormSubmit(ctx, reference, owner.ID, string(kind))
		if err != nil {
			return err
		}
		if f, err = formOf(row, owner); err != nil {
			return err
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{Actor: owner.Email, Action: "form submitted", Subject: f.Reference})
		return errors.Join(err, s.tell(ctx, tx, LetterSubmitted, LetterData{Reference: f.Reference, HandedIn: f.HandedIn}))
	})
	return f, err
}

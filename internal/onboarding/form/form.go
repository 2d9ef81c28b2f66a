package form

import (
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/fault"
)

// ErrIncomplete means that an earlier step is invalid.
var ErrIncomplete = fault.New(fault.Conflict, "an earlier step is not complete")

// State is the state of a form.
type State = state.Form

// The states of a form. Draft and Returned are open to their owner.
const (
	Draft     = state.FormDraft
	Submitted = state.FormSubmitted
	Returned  = state.FormReturned
	Approved  = state.FormApproved
	Declined  = state.FormDeclined
)

// Form is one person's form.
type Form struct {
	Kind        Kind
	Data        Data
	State       State
	Reference   string    // empty for a draft
	SubmittedAt time.Time // of the last submission, zero for a draft
	Reason      string    // of the decision
	HandedIn    int       // number of submissions
	Reached     int       // number of steps that were answered or passed
	Begun       bool      // something of it was saved
}

// Open reports whether its owner may change it.
func (f *Form) Open() bool { return f.State == Draft || f.State == Returned }

// Step is the answer to a step that asks, as it is stored.
func (f *Form) Step(number int) Step { return f.Data.step(f.Kind.Asking()[number]) }

// FirstInvalid returns the number of the first invalid step before limit; false if there is none (FORM-19).
func (f *Form) FirstInvalid(limit int) (int, bool) {
	for i, id := range f.Kind.Asking() {
		if i < limit && len(f.Data.step(id).Check(f.Data.EntityType)) > 0 {
			return i, true
		}
	}
	return 0, false
}

// Next returns the step to continue with: the first one that is invalid or not yet visited. len(Kind.Asking()) means that all are
// valid.
func (f *Form) Next() int {
	all := len(f.Kind.Asking())
	if i, ok := f.FirstInvalid(all); ok {
		return min(i, f.Reached)
	}
	return min(f.Reached, all)
}

// Answer takes over the answer to the step with a number, which the form must have. Errors: fault.Problems of an invalid answer;
// ErrIncomplete, if an earlier step is invalid.
func (f *Form) Answer(number int, step Step) error {
	step.tidy()
	step.drop()
	if err := step.Check(f.Data.EntityType).Err(); err != nil {
		return err
	}
	if _, invalid := f.FirstInvalid(number); invalid {
		return ErrIncomplete
	}
	f.take(step)
	f.Reached = max(f.Reached, number+1)
	return nil
}

// Keep takes over the answer to a step even if it is incomplete. Errors: fault.Problems of an answer that is too long even for a draft.
func (f *Form) Keep(step Step) error {
	step.tidy()
	problems := findings{}
	step.kept(problems)
	if len(problems) == 0 {
		f.take(step)
	}
	return fault.Problems(problems).Err()
}

func (f *Form) take(step Step) {
	step.apply(&f.Data)
	f.Data.fit()
}

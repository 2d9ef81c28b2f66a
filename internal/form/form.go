package form

import (
	"time"

	"forecourt/internal/fault"
)

// ErrIncomplete is a form with a step before that does not hold.
var ErrIncomplete = fault.New(fault.Conflict, "an earlier step is not complete")

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
	Reached     int       // how many steps were answered or passed
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
		return min(i, f.Reached)
	}
	return min(f.Reached, all)
}

// Answer takes in the answer to the step of a number, which the form has. It returns the problems of an answer that does not hold
// and is not taken in. Errors: ErrIncomplete, when an earlier step does not hold.
func (f *Form) Answer(number int, step Step) ([]Problem, error) {
	step.tidy()
	step.drop()
	if problems := step.Check(f.Data.EntityType); len(problems) > 0 {
		return problems, nil
	}
	if _, invalid := f.FirstInvalid(number); invalid {
		return nil, ErrIncomplete
	}
	f.Keep(step)
	f.Reached = max(f.Reached, number+1)
	return nil, nil
}

// Keep takes in the answer to a step as far as it goes. DraftProblems has found none.
func (f *Form) Keep(step Step) {
	step.apply(&f.Data)
	f.Data.fit()
}

// DraftProblems tidies an answer, and lists what is too long or too much even for a draft.
func DraftProblems(step Step) []Problem {
	step.tidy()
	return step.kept()
}

// Package staff serves the pages of the staff room, on which staff list, look at and decide everything that waits for a person. A Kind, in
// a separate file, describes each kind of case; its Queue serves the list and the cases.
package staff

import (
	"context"
	"net/http"
	"slices"

	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
	"forecourt/static"
	view "forecourt/views/staff"
	"forecourt/views/ui"
)

// Kind describes a kind of case: its addresses, its words, and how the rules list, show and decide it.
type Kind struct {
	Path   string    // of the queue; each case lies below it
	Title  string    // of the queue
	Heads  [3]string // of its columns: see view.Queue
	Styles []string  // names of style sheets that cases need besides the room's own
	// States are the states of cases, in the order of the queue's filter. The queue opens with the first, in which cases wait for a
	// decision.
	States         []State
	Outside        []State    // states of cases that are in no queue
	Sort           *Sort      // a second filter; nil for none
	Waiting, Other view.Empty // shown if no case waits, and if another part of the queue is empty

	Decisions []ui.Option       // what staff can choose; the values are states. If there are none, staff only look
	Hint      string            // says who reads the reason
	Overtaken string            // says who decided or changed the case since it was shown; the rest of the sentence follows
	ToQueue   bool              // a decision leads back to the queue rather than to the case
	Actions   map[string]string // words of the history for the actions of the audit log: "approved it"
	Looks     []Look

	List   func(ctx context.Context, p Part) (Listing, error)
	Load   func(r *http.Request) (*Case, error)
	Decide func(r *http.Request, d Decision) error
}

// State is a state of cases.
type State = view.State

// stand returns the State that shows a state of the domain.
func stand[S ~string](state S, label string, tone ui.Tone) State {
	return State{Name: string(state), Label: label, Tone: tone}
}

// choice returns the option of a decision by the state that it leads to.
func choice[S ~string](end S, label, hint string) ui.Option {
	return ui.Option{Value: string(end), Label: label, Hint: hint}
}

// Sort is a filter by something other than the state.
type Sort struct {
	Param, Label string // its parameter in addresses, and its name for screen readers
	All          string // the label of the link that filters nothing
	Options      []ui.Option
}

// Part says which part of a queue a page shows.
type Part struct {
	State string // one of Kind.States; empty for all
	Sort  string // a value of Kind.Sort; empty for all
	Text  string // what businesses are searched for; only the queue of the gateway accounts heeds it
	Page  int    // from 1
}

// list makes the listing of a page of cases of a rule. counts are asked for only if there is a page.
func list[T any, S ~string](
	ctx context.Context, page []T, more bool, err error, row func(T) view.Row, counts func(context.Context) (map[S]int, error),
) (Listing, error) {
	if err != nil {
		return Listing{}, err
	}
	all := Listing{More: more, Counts: map[string]int{}}
	for _, one := range page {
		all.Rows = append(all.Rows, row(one))
	}
	numbers, err := counts(ctx)
	for state, n := range numbers {
		all.Counts[string(state)] = n
	}
	return all, err
}

// Listing is a page of a queue.
type Listing struct {
	Rows   []view.Row
	More   bool           // another page follows
	Counts map[string]int // how many cases are in each state
}

// Case is one case. The view's State follows from State, unless the kind sets it itself.
type Case struct {
	view.Case
	Path    string // below Kind.Path, without a slash in front
	State   string // one of Kind.States
	Version int    // changes with everything that matters for a decision
	Says    string // what the gateway says about it; a decision comes with what was shown
	// Undo is what staff can choose after the decision; most cases have nothing.
	Undo []ui.Option
	// Extra is an additional field beside the decision and its reason, or nil. Its name is extra.
	Extra   *ui.Field
	History []review.Event
}

// Decision is a staff member's decision on a case.
type Decision struct {
	review.Decision[string]        // Version is -1 for a form that did not come from the page
	Extra                   string // the value of Case.Extra
	Says                    string // Case.Says when they looked at it
}

// Refusal is an error that says why a decision was not recorded, in words for the person who made it.
func Refusal(text string) error { return fault.Problems{"": text} }

// Overruled means that the gateway does not confirm a decision. The decision is recorded if it comes again with what the gateway says.
type Overruled struct{ Says string }

func (o *Overruled) Error() string { return "the gateway says: " + o.Says }

// Problem is an error that says what is wrong with Decision.Extra, in words for the person who typed it.
func Problem(text string) error { return fault.Problems{extra: text} }

// Queue serves one kind of case.
type Queue struct{ Kind }

// waiting is the state of cases that wait for a decision.
func (k Kind) waiting() string { return k.States[0].Name }

// stateOf returns a state as views show it.
func stateOf[S ~string](k Kind, state S) view.State {
	for _, s := range slices.Concat(k.States, k.Outside) {
		if s.Name == string(state) {
			return s
		}
	}
	return view.State{Label: string(state)}
}

func (k Kind) frame(title string) ui.Site {
	site := ui.Site{Title: title}
	for _, name := range slices.Concat(k.Styles, []string{"staff.css"}) {
		site.Styles = append(site.Styles, static.URL(name))
	}
	return site
}

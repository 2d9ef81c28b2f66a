// Package staff renders the staff room: the queues of cases that wait for a person, and the page on which one is decided.
package staff

import (
	"cmp"
	"slices"
	"time"

	"github.com/a-h/templ"

	"forecourt/internal/kit/clock"
	"forecourt/internal/people/review"
	"forecourt/views/ui"
)

// Queue is a page of the cases of one kind.
type Queue struct {
	Frame          ui.Site
	Title          string
	Heads          [3]string // of the columns of its name, of what it is about and of whom it is from; empty for those of most kinds
	Filters        []Filter
	Rows           []Row
	Empty          Empty
	Previous, Next string // addresses of other pages, empty for none
}

// referenced says whether the cases have references of their own.
func (q Queue) referenced() bool {
	return slices.ContainsFunc(q.Rows, func(r Row) bool { return r.Reference != "" })
}

func (q Queue) columns() []ui.Column {
	h := cmp.Or(q.Heads, [3]string{"Case", "What", "From"})
	list := []ui.Column{{Name: h[0]}, {Name: h[1]}, {Name: h[2]}, {Name: "Since"}, {Name: "State"}}
	if q.referenced() {
		list = slices.Insert(list, 2, ui.Column{Name: "Reference"})
	}
	return list
}

// Empty is the text of a queue without rows.
type Empty struct{ Title, Text string }

// Filter picks some of the cases.
type Filter struct {
	Label string
	Links []FilterLink
}

// FilterLink leads to the cases that a filter picks.
type FilterLink struct {
	Label, URL string
	Count      string // of the cases, empty for none
	Current    bool
}

// Row is a case in a queue.
type Row struct {
	URL       string
	Reference string // empty for a kind without references
	Name      string
	What      string // what it is about
	From      string
	At        time.Time
	State     State
	Queue     string // that it waits in; only on the first page
}

// Home is the first page: what waits longest in all queues, and the businesses that somebody searched for.
type Home struct {
	Frame     ui.Site
	Now       time.Time
	Rows      []Row
	More      bool   // more waits than Rows
	Find      string // empty for no search
	Found     []Row
	MoreFound bool // more businesses fit than Found
}

// waited words how long a case has waited, in its largest unit.
func waited(since, now time.Time) string {
	d := max(now.Sub(since), time.Minute)
	for _, unit := range []time.Duration{24 * time.Hour, time.Hour} {
		if d >= unit {
			return clock.Span(d.Truncate(unit))
		}
	}
	return clock.Span(d.Truncate(time.Minute))
}

// State is the state of a case, by the name that the rules and addresses use.
type State struct {
	Name, Label string
	Tone        ui.Tone
}

// Zone returns the time zone in which staff read times. They work for businesses in many zones.
func Zone() *time.Location { return clock.Zone(clock.Home) }

// When returns a time by the clock of staff.
func When(t time.Time) string { return clock.Text(t, Zone()) }

// Review is a case as staff see it.
type Review struct {
	Frame                     ui.Site
	URL, QueueURL, QueueTitle string
	Case
	History  []review.Event
	Decision *Decision // nil when the case waits for none
	Notice   string    // why a decision was not recorded
}

// Case describes a case of any kind.
type Case struct {
	What, Title string // the line above the heading, and the heading
	State       State
	Since       string // what happened at At, such as "Sent"
	At          time.Time
	By, Email   string // the person who did it; either may be empty
	Number      string // another number of it, empty for none
	Lacking     string // what is still missing, empty for nothing
	Facts       []Fact
	Body        templ.Component // more than the facts tell, nil for nothing
}

// Fact is one known fact about a case.
type Fact struct{ Name, Value string }

// Decision is the form by which staff decide on what they look at.
type Decision struct {
	Seen   string // the version of it that they look at
	Says   string // what the gateway says about it, "" if that does not matter
	Choice ui.Choice
	Extra  *ui.Field // another field that this case asks for, nil for none
	Reason ui.Field
}

// Fields lists the fields of the form in their order.
func (d *Decision) Fields() []ui.Field {
	if d.Extra == nil {
		return []ui.Field{d.Choice.Field, d.Reason}
	}
	return []ui.Field{d.Choice.Field, *d.Extra, d.Reason}
}

// AgainstGateway says that a decision is only recorded once the person has seen that the gateway does not confirm it.
func AgainstGateway(says string) string {
	return "Your decision was not recorded yet, since the gateway does not confirm it. It says: “" + says + "”. " +
		"If you are sure, record the decision again. All staff get an email about it."
}

// NewDecision is an empty form, or one with a choice and its reason. The hint says who reads the reason.
func NewDecision(seen, chosen, reason, hint string, options ...ui.Option) *Decision {
	d := &Decision{
		Seen:   seen,
		Choice: ui.Choice{Field: ui.Field{ID: "decision", Name: "decision", Label: "Decision"}},
		Reason: ui.Field{ID: "reason", Name: "reason", Label: "Reason", Value: reason, Hint: hint},
	}
	for _, o := range options {
		o.Chosen = o.Value == chosen
		d.Choice.Options = append(d.Choice.Options, o)
	}
	return d
}

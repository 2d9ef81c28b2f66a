package compliance

import (
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Queue is who staff have to look at.
type Queue struct {
	Frame          layout.Site
	States         []Filter
	Rows           []Queued
	Previous, Next string // addresses of other pages, empty for none
}

// Filter is a link that shows a part of the queue.
type Filter struct {
	Label, URL string
	Count      string // empty for none
	Current    bool
}

// Queued is somebody in the queue.
type Queued struct {
	ID, Name, Business, URL string
	Status                  Status
	Changed                 Moment
}

// Review is a person as staff see them.
type Review struct {
	Frame        layout.Site
	URL          string
	ID, Business string
	Person
	Changed  Moment
	History  []Event
	Decision *DecisionForm // nil when none is waited for
	Notice   string        // what kept a decision from being recorded
}

// Event is a line of a person's history.
type Event struct {
	When                 Moment
	Actor, What, Because string
}

// DecisionForm asks for a decision.
type DecisionForm struct {
	Revision string // what is looked at
	Choice   ui.Choice
	Reason   ui.Field
}

// What staff are told of a decision that was not recorded.
const (
	NoDecision   = "Choose a decision"
	NoReason     = "Say what is missing, in words for the applicant"
	LongReason   = "The reason has at most 2,000 letters"
	DecidedOther = "Somebody else decided, or the applicant changed something, while you looked at it. Nothing of yours was recorded. This is how it stands now."
)

// DecisionFormOf is an empty decision form, or one with what was chosen.
func DecisionFormOf(revision, state, reason string) *DecisionForm {
	d := &DecisionForm{
		Revision: revision,
		Choice:   ui.Choice{Field: ui.Field{ID: "decision", Name: "decision", Label: "Decision"}},
		Reason: ui.Field{
			ID: "reason", Name: "reason", Label: "Reason", Value: reason,
			Hint: "The applicant reads this. It may stay empty when you accept. Name no numbers of documents.",
		},
	}
	for _, o := range []ui.Option{
		{Value: "accepted", Label: "Accept"},
		{Value: "returned", Label: "Ask for more", Hint: "The applicant can change the details, with your reason on top"},
	} {
		o.Chosen = o.Value == state
		d.Choice.Options = append(d.Choice.Options, o)
	}
	return d
}

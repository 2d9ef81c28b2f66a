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
	Decision *ui.Decision // nil when none is waited for
	Notice   string       // what kept a decision from being recorded
}

// Event is a line of a person's history.
type Event struct {
	When                 Moment
	Actor, What, Because string
}

// What staff are told of a decision that was not recorded.
const (
	NoReason     = "Say what is missing, in words for the applicant"
	DecidedOther = "Somebody else decided, or the applicant changed something, while you looked at it. Nothing of yours was recorded. This is how it stands now."
)

// DecisionFormOf is an empty decision form, or one with what was chosen.
func DecisionFormOf(revision, state, reason string) *ui.Decision {
	return ui.NewDecision(revision, state, reason,
		"The applicant reads this. It may stay empty when you accept. Name no numbers of documents.",
		ui.Option{Value: "accepted", Label: "Accept"},
		ui.Option{Value: "returned", Label: "Ask for more", Hint: "The applicant can change the details, with your reason on top"})
}

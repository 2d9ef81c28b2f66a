package forms

import (
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Queue is what staff have to look at.
type Queue struct {
	Frame   layout.Site
	States  []Filter
	Kinds   []Filter
	Rows    []Queued
	Newer   string // address of the next page, empty for none
	Older   string // address of the page before, empty for none
	Waiting bool   // only forms that wait for a decision are shown
}

// Filter is a link that shows a part of the queue.
type Filter struct {
	Label, URL string
	Count      string // empty for none
	Current    bool
}

// Queued is a form in the queue.
type Queued struct {
	Reference, URL, Form, Name, Email string
	State                             State
	Sent                              Moment
}

// Review is a form as staff see it.
type Review struct {
	Frame           layout.Site
	URL, QueueURL   string
	Form, Reference string
	Name, Email     string // of its owner; the name may be empty
	State           State
	Sent            Moment
	Sections        []Section
	History         []Event
	Decision        *ui.Decision // nil once it is decided
	Notice          string       // what kept a decision from being recorded
}

// Event is a line of a form's history.
type Event struct {
	When                 Moment
	Actor, What, Because string
}

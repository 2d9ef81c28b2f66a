// Package forms renders the merchant forms, and the parts of them that staff see.
package forms

import (
	"github.com/a-h/templ"

	"forecourt/internal/form"
	"forecourt/views/account"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Panel is the fragment that htmx swaps: the page between header and footer.
const Panel = "form-panel"

// Place holds what the pages of a form share.
type Place struct {
	Frame  layout.Site
	Form   string // the form's name
	Title  string
	URL    string // the page's own address, to which its form is posted
	Reason string // what staff asked for, empty if nothing
	Notice string // a problem that belongs to no field; empty if none
}

// Greeting is the first page of a form.
type Greeting struct {
	Place
	About []string // what the form is for; empty for a form under way
}

// Step asks for one part of a form.
type Step struct {
	Place
	Lead     string // one sentence below the heading, may be empty
	Progress []Mark
	BackURL  string // of the step before, empty at the first
	// OnURL and OnTitle are the step to continue with, or empty if it is this one.
	OnURL, OnTitle string
	Problems       []ui.Field
	Body           templ.Component // the fields
}

// Mark is a step in the progress.
type Mark struct {
	Name          string
	Done, Current bool
}

// Check is the last look before a form is submitted.
type Check struct {
	Place
	Progress []Mark
	BackURL  string
	Sections []Section
	Again    bool // it was submitted before
	// Unverified asks to confirm the address first; nil if it is.
	Unverified *account.Unverified
}

// Section is a step's answers.
type Section struct {
	Title, ChangeURL string // ChangeURL is empty where nothing can be changed
	Rows             []Row
}

// Row is an answer.
type Row struct {
	Name   string
	Values []string // none: not given
	Link   string   // an address that the value names, empty for none
}

// Done is a form that was submitted.
type Done struct {
	Place
	Reference string
	State     State
	Sent      Moment
	Why       string // of the decision, may be empty
	Next      []string
	Sections  []Section
	// OnURL leads on from here, in the words of OnText.
	OnURL, OnText string
}

// State is the state of a form, in words and as the class of its colour.
type State struct {
	Name  form.State
	Label string
}

// Moment is a time for people and for programs.
type Moment struct{ Text, ISO string }

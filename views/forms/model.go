// Package forms renders the merchant forms, and the parts of them that staff see.
package forms

import (
	"time"

	"forecourt/internal/onboarding/form"
	"forecourt/static"
	"forecourt/views/account"
	"forecourt/views/layout"
)

// Panel is the fragment that htmx swaps: the page between header and footer.
const Panel = "form-panel"

// Place holds what the pages of a form share.
type Place struct {
	Kind   form.Kind
	URL    string // the page's own address, to which its form is posted
	Reason string // what staff asked for, empty if nothing
	Notice string // a problem that belongs to no field; empty if none
}

// frame returns the frame of a page with a title, "" for that of the form.
func (p Place) frame(title string) layout.Site {
	f := layout.Site{Title: FormTitle(p.Kind), Styles: []string{static.URL("forms.css")}, Scripts: []string{static.URL("forms.js")}}
	if title != "" {
		f.Title = title + " · " + f.Title
	}
	return f
}

// Greeting is the first page of a form.
type Greeting struct {
	Place
	Begun bool // something of the form was saved
}

// Step asks for one part of a form.
type Step struct {
	Place
	Number   int // of the step, from 0
	Answer   form.Step
	Entity   string // type of the business, on which the roles of stakeholders depend
	Problems []form.Problem
	Row      int    // the row that was just added, or -1 for none
	BackURL  string // of the step before, empty at the first
	// OnURL and On are the step to continue with; OnURL is empty if it is this one.
	OnURL string
	On    int
}

func (s Step) id() form.StepID { return s.Kind.Asking()[s.Number] }

func (s Step) frame() layout.Site {
	f := s.Place.frame(stepTitle(s.id()))
	if len(s.Problems) > 0 {
		f.Title = "Error: " + f.Title
	}
	return f
}

// Check is the last look before a form is submitted.
type Check struct {
	Place
	BackURL  string
	Sections []Section
	Again    bool // it was submitted before
	// Unverified asks to confirm the address first; nil if it is.
	Unverified *account.Unverified
}

// Done is a form that was submitted.
type Done struct {
	Place
	Form  *form.Form
	Email string         // of the applicant
	Zone  *time.Location // of the business
	OnURL string         // where the applicant can go on, in the words of onText
}

// State is the state of a form, in words and as the class of its colour.
type State struct {
	Name  form.State
	Label string
}

// Moment is a time for people and for programs.
type Moment struct{ Text, ISO string }

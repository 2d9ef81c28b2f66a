// Package forms renders the merchant forms, and the parts of them that staff see.
package forms

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/form"
	"forecourt/static"
	"forecourt/views/account"
	"forecourt/views/ui"
)

// Panel is the fragment that htmx swaps: the page between header and footer.
const Panel = "form-panel"

// Place is what the pages of a form share.
type Place struct {
	*form.Form
	URL    string // the page's own address, to which its form is posted
	Notice string // a problem that belongs to no field; empty if none
}

// frame returns the frame of a page with a title, "" for that of the form.
func (p Place) frame(title string) ui.Site {
	f := ui.Site{
		Own: true, Title: FormTitle(p.Kind), Styles: []string{static.URL("forms.css")}, Scripts: []string{static.URL("forms.js")},
		Nav: []ui.Tab{}, // one column, nothing beside it
	}
	if title != "" {
		f.Title = title + " · " + f.Title
	}
	return f
}

// StepURL returns the address of a step, or of the check that follows the last step.
func StepURL(kind form.Kind, number int) string {
	if number >= len(kind.Asking()) {
		return "/form/" + string(kind) + "/check"
	}
	return "/form/" + string(kind) + "/" + strconv.Itoa(number)
}

// Step asks for one part of a form.
type Step struct {
	Place
	Number   int // of the step, from 0
	Answer   form.Step
	Problems fault.Problems
	Row      int // the row that was just added, or -1 for none
	On       int // the step to continue with, if it is a later one; 0 if not
}

func (s Step) id() form.StepID { return s.Kind.Asking()[s.Number] }

func (s Step) frame() ui.Site {
	f := s.Place.frame(stepTitle(s.id()))
	if len(s.Problems) > 0 {
		f.Title = "Error: " + f.Title
	}
	return f
}

// field gives a field of a row its id and its problem.
func (s Step) field(row int, one ui.Field) ui.Field {
	one.ID = form.FieldID(one.Name, row)
	one.Autofocus = row == s.Row && (one.Name == "first" || one.Name == "name")
	one.Problem = s.Problems[one.ID]
	return one
}

// inOrder are the fields of all steps in the order of the pages.
var inOrder = []string{
	"first", "last", "email", "country", "name", "type", "roles", "entityName", "entityType", "natureOfBusiness", "url",
	"paytypes", "services",
}

// summary lists the fields with problems, then the problems of a list as a whole, which link to its first field.
func (s Step) summary() []ui.Field {
	var fields, lists []ui.Field
	for id, problem := range s.Problems {
		if name, _, _ := strings.Cut(id, "-"); slices.Contains(inOrder, name) {
			fields = append(fields, ui.Field{ID: id, Name: name, Problem: problem})
		} else {
			lists = append(lists, ui.Field{ID: map[string]string{"contacts": "first", "stakeHolders": "name"}[id], Problem: problem})
		}
	}
	row := func(f ui.Field) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(f.ID, f.Name+"-"))
		return n
	}
	slices.SortFunc(fields, func(a, b ui.Field) int {
		return cmp.Or(cmp.Compare(row(a), row(b)), cmp.Compare(slices.Index(inOrder, a.Name), slices.Index(inOrder, b.Name)))
	})
	return append(fields, lists...)
}

func (s Step) chosen(name, label string, names, picked []string) ui.Choice {
	return options(s.field(0, ui.Field{Name: name, Label: label, Hint: "Choose all that apply", Required: true}), names, picked)
}

// payTypes asks how a merchant wants to be paid, and says which answer a café gives.
func (s Step) payTypes(picked []string) ui.Choice {
	c := s.chosen("paytypes", "How do you want to be paid?", form.PayTypeNames(), picked)
	c.Hint += ". " + payTypesHint
	return c
}

func options(f ui.Field, names, picked []string) ui.Choice {
	c := ui.Choice{Field: f}
	for _, name := range names {
		c.Options = append(c.Options, ui.Option{Value: name, Label: name, Chosen: slices.Contains(picked, name)})
	}
	return c
}

// Done is a form that was submitted.
type Done struct {
	Place
	Email string         // of the applicant
	Zone  *time.Location // of the business
}

// Check is the last look before a form is submitted.
type Check struct {
	Place
	Unverified *account.Unverified // asks to confirm the address first; nil if it is
	Note       ui.Field            // for the answer to what staff asked
}

// NoteField asks for the answer to what staff asked about a form.
func NoteField(value, problem string) ui.Field {
	return ui.Field{
		ID: "note", Name: "note", Label: "Your answer", Value: value, Problem: problem, Hint: "The person who reviews this form reads it.",
	}
}

// answer is a line of what was answered.
type answer struct {
	Name   string
	Values []string // none: not given
	Link   string   // an address that the value names, empty for none
}

// rows words the answer to a step.
func rows(id form.StepID, d *form.Data) []answer {
	switch id {
	case form.PrimaryContactStep:
		return contactRows(d.Contacts)
	case form.BusinessInfoStep:
		return businessRows(d.BusinessInfo)
	case form.PaymentTypesStep:
		return []answer{{Name: "Payment types", Values: d.PayTypes}}
	case form.TestTypesStep:
		return []answer{{Name: "Services", Values: d.Services}}
	case form.StakeHoldersStep:
		return holderRows(d.People)
	case form.AllDoneApplicationStep, form.AllDoneTestAccStep:
	}
	return nil
}

// given leaves out empty values.
func given(values ...string) []string {
	return slices.DeleteFunc(values, func(value string) bool { return value == "" })
}

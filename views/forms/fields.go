package forms

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"forecourt/internal/onboarding/form"
	"forecourt/views/ui"
)

// fields makes the fields of a step, each with the first of its problems.
type fields struct {
	step     form.StepID
	problems []form.Problem
	row      int // the row that was just added, or -1 for none
	made     []ui.Field
}

// asks returns the fields of a step with the answer in them, and what the error summary lists.
func (s Step) asks() (templ.Component, []ui.Field) {
	f := &fields{step: s.id(), problems: s.Problems, row: s.Row}
	body := f.body(s.Answer, s.Entity)
	return body, f.summary()
}

func (f *fields) body(answer form.Step, entity string) templ.Component {
	switch s := answer.(type) {
	case *form.PrimaryContact:
		return contactsBody(f.contacts(s))
	case *form.BusinessInfo:
		return businessBody(f.business(s))
	case *form.PaymentTypes:
		return ui.Checkboxes(f.chosen("paytypes", "How do you want to be paid?", form.PayTypeNames(), s.PayTypes))
	case *form.TestTypes:
		return ui.Checkboxes(f.chosen("services", "Which services do you want to try?", form.ServiceNames(), s.Services))
	case *form.StakeHolders:
		return holdersBody(f.holders(s, entity))
	}
	return templ.NopComponent
}

// field gives a field its id, "first" in row 0 and "first-2" in row 1, and its problem.
func (f *fields) field(row int, one ui.Field) ui.Field {
	one.ID = one.Name
	if row > 0 {
		one.ID += "-" + strconv.Itoa(row+1)
	}
	one.Autofocus = row == f.row && (one.Name == "first" || one.Name == "name")
	for _, p := range f.problems {
		if p.Field == one.Name && p.Row == row {
			one.Problem = problemText(f.step, p.Field, p.Code)
			break
		}
	}
	f.made = append(f.made, one)
	return one
}

// summary lists the fields with problems, then the problems without a field, which link to the first field.
func (f *fields) summary() []ui.Field {
	all := slices.Clone(f.made)
	for _, p := range f.problems {
		text := problemText(f.step, p.Field, p.Code)
		if !slices.ContainsFunc(f.made, func(one ui.Field) bool { return one.Problem == text }) {
			all = append(all, ui.Field{ID: all[0].ID, Problem: text})
		}
	}
	return all
}

func (f *fields) chosen(name, label string, names, picked []string) ui.Choice {
	return options(f.field(0, ui.Field{Name: name, Label: label, Hint: "Choose all that apply", Required: true}), names, picked)
}

func options(f ui.Field, names, picked []string) ui.Choice {
	c := ui.Choice{Field: f}
	for _, name := range names {
		c.Options = append(c.Options, ui.Option{Value: name, Label: name, Chosen: slices.Contains(picked, name)})
	}
	return c
}

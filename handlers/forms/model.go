package forms

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"forecourt/internal/form"
	"forecourt/static"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

// scripts are what the pages of forms run: htmx and the button's words.
func scripts() []string { return []string{static.URL("forms.js")} }

// page is a step with the answer given and what is wrong with it.
func (h *Handler) page(r *http.Request, v visit, number int, answer form.Step, problems []form.Problem) view.Step {
	id := v.kind.Asking()[number]
	title := view.StepTitle(id)
	address := v.path(number)
	if r.URL.Query().Has("change") {
		address += "?change"
	}
	s := view.Step{Place: v.place(title, address), Lead: view.StepLead(id), Progress: v.progress(number)}
	if number > 0 {
		s.BackURL = v.path(number - 1)
	}
	b := builder{step: id, problems: problems, row: -1}
	if row, err := strconv.Atoi(r.URL.Query().Get("row")); err == nil && len(problems) == 0 {
		b.row = row
	}
	if id == form.StakeHoldersStep {
		s.Lead = view.HoldersLead(v.Data.EntityType)
	}
	s.Body = h.body(&b, answer, v.Data.EntityType)
	s.Problems = b.summary()
	if len(problems) > 0 {
		s.Frame.Title = "Error: " + s.Frame.Title
	}
	return s
}

func (v visit) progress(current int) []view.Mark {
	var marks []view.Mark
	for i, id := range v.kind.Asking() {
		marks = append(marks, view.Mark{Name: view.StepTitle(id), Done: i < current, Current: i == current})
	}
	return append(marks, view.Mark{Name: view.StepTitle(view.CheckStep), Current: current == len(marks)})
}

func (h *Handler) body(b *builder, answer form.Step, entity string) templ.Component {
	switch s := answer.(type) {
	case *form.PrimaryContact:
		return view.ContactsBody(contacts(b, s))
	case *form.BusinessInfo:
		return view.BusinessBody(h.business(b, s))
	case *form.PaymentTypes:
		return ui.Checkboxes(chosen(b, "paytypes", "How do you want to be paid?", form.PayTypeNames(), s.PayTypes))
	case *form.TestTypes:
		return ui.Checkboxes(chosen(b, "services", "Which services do you want to try?", form.ServiceNames(), s.Services))
	case *form.StakeHolders:
		return view.HoldersBody(holders(b, s, entity))
	}
	return templ.NopComponent
}

func chosen(b *builder, name, label string, names, picked []string) ui.Choice {
	return options(b.field(0, ui.Field{Name: name, Label: label, Hint: "Choose all that apply", Required: true}), names, picked)
}

func options(f ui.Field, names, picked []string) ui.Choice {
	c := ui.Choice{Field: f}
	for _, name := range names {
		c.Options = append(c.Options, ui.Option{Value: name, Label: name, Chosen: slices.Contains(picked, name)})
	}
	return c
}

// builder hands out the fields of a step, each with the first of its problems.
type builder struct {
	step     form.StepID
	problems []form.Problem
	row      int // which row was just added, -1 for none
	fields   []ui.Field
}

// field gives a field its id, "first" in row 0 and "first-2" in row 1, and its problem.
func (b *builder) field(row int, f ui.Field) ui.Field {
	f.ID = f.Name
	if row > 0 {
		f.ID += "-" + strconv.Itoa(row+1)
	}
	f.Autofocus = row == b.row && (f.Name == "first" || f.Name == "name")
	for _, p := range b.problems {
		if p.Field == f.Name && p.Row == row {
			f.Problem = view.ProblemText(b.step, p.Field, p.Code)
			break
		}
	}
	b.fields = append(b.fields, f)
	return f
}

// summary lists the fields with problems, and behind them the problems without a field, which lead to the first one.
func (b *builder) summary() []ui.Field {
	all := slices.Clone(b.fields)
	for _, p := range b.problems {
		if !slices.ContainsFunc(b.fields, func(f ui.Field) bool { return f.Problem == view.ProblemText(b.step, p.Field, p.Code) }) {
			all = append(all, ui.Field{ID: all[0].ID, Problem: view.ProblemText(b.step, p.Field, p.Code)})
		}
	}
	return all
}

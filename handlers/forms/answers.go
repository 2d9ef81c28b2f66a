package forms

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"forecourt/internal/form"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

// read reads the answer to a step from a form post. Repeated fields come as lists, so the first `first` belongs to the first `email`; a
// role comes with the number of its row.
func read(id form.StepID, posted url.Values) form.Step {
	switch id {
	case form.PrimaryContactStep:
		return readContacts(posted)
	case form.BusinessInfoStep:
		return readBusiness(posted)
	case form.PaymentTypesStep:
		return &form.PaymentTypes{PayTypes: posted["paytypes"]}
	case form.TestTypesStep:
		return &form.TestTypes{Services: posted["services"]}
	case form.StakeHoldersStep:
		return readHolders(posted)
	case form.AllDoneApplicationStep, form.AllDoneTestAccStep:
	}
	panic("a step without questions")
}

// body draws the fields of a step with the answer in them.
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

// rows returns the answer to a step as lines of text.
func rows(id form.StepID, d *form.Data) []view.Row {
	switch id {
	case form.PrimaryContactStep:
		return contactRows(d.Contacts)
	case form.BusinessInfoStep:
		return businessRows(d.BusinessInfo)
	case form.PaymentTypesStep:
		return []view.Row{{Name: "Payment types", Values: d.PayTypes}}
	case form.TestTypesStep:
		return []view.Row{{Name: "Services", Values: d.Services}}
	case form.StakeHoldersStep:
		return holderRows(d.People)
	case form.AllDoneApplicationStep, form.AllDoneTestAccStep:
	}
	return nil
}

// press carries out a button beside "Next": it adds a row to a step or removes one. It returns the number of the row to go on with, or ""
// for none, and whether there was such a button.
func press(step form.Step, posted url.Values) (row string, pressed bool) {
	remove, err := strconv.Atoi(posted.Get("remove"))
	removes := posted.Has("remove") && err == nil
	if !removes && !posted.Has("add") {
		return "", false
	}
	switch s := step.(type) {
	case *form.PrimaryContact:
		if removes {
			s.Contacts = without(s.Contacts, remove)
			return "", true
		}
		s.Contacts = append(s.Contacts, form.Contact{})
		return strconv.Itoa(len(s.Contacts) - 1), true
	case *form.StakeHolders:
		if removes {
			s.People = without(s.People, remove)
			return "", true
		}
		s.People = append(s.People, form.StakeHolder{Type: form.HolderTypes()[0]})
		return strconv.Itoa(len(s.People) - 1), true
	default:
		return "", false
	}
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

// builder makes the fields of a step, each with the first of its problems.
type builder struct {
	step     form.StepID
	problems []form.Problem
	row      int // the row that was just added, or -1 for none
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

// summary lists the fields with problems, then the problems without a field, which link to the first field.
func (b *builder) summary() []ui.Field {
	all := slices.Clone(b.fields)
	for _, p := range b.problems {
		if !slices.ContainsFunc(b.fields, func(f ui.Field) bool { return f.Problem == view.ProblemText(b.step, p.Field, p.Code) }) {
			all = append(all, ui.Field{ID: all[0].ID, Problem: view.ProblemText(b.step, p.Field, p.Code)})
		}
	}
	return all
}

func without[T any](rows []T, i int) []T {
	if i < 0 || i >= len(rows) {
		return rows
	}
	return slices.Delete(rows, i, i+1)
}

func at(values []string, i int) string {
	if i < len(values) {
		return values[i]
	}
	return ""
}

// given leaves out empty values.
func given(values ...string) []string {
	var all []string
	for _, value := range values {
		if value != "" {
			all = append(all, value)
		}
	}
	return all
}

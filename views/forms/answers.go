package forms

import (
	"forecourt/internal/onboarding/form"
)

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

// Sections returns the answers of a form, worded, by step.
func Sections(f *form.Form) []Section {
	var all []Section
	for _, id := range f.Kind.Asking() {
		all = append(all, Section{Title: stepTitle(id), Rows: rows(id, &f.Data)})
	}
	return all
}

func rows(id form.StepID, d *form.Data) []Row {
	switch id {
	case form.PrimaryContactStep:
		return contactRows(d.Contacts)
	case form.BusinessInfoStep:
		return businessRows(d.BusinessInfo)
	case form.PaymentTypesStep:
		return []Row{{Name: "Payment types", Values: d.PayTypes}}
	case form.TestTypesStep:
		return []Row{{Name: "Services", Values: d.Services}}
	case form.StakeHoldersStep:
		return holderRows(d.People)
	case form.AllDoneApplicationStep, form.AllDoneTestAccStep:
	}
	return nil
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

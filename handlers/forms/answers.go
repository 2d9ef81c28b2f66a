package forms

import (
	"forecourt/internal/form"
	view "forecourt/views/forms"
)

// rows words the answer to a step.
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

// given leaves out what was not given.
func given(values ...string) []string {
	var all []string
	for _, value := range values {
		if value != "" {
			all = append(all, value)
		}
	}
	return all
}

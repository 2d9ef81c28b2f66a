package forms

import (
	"net/url"
	"slices"
	"strconv"

	"forecourt/internal/form"
)

// read takes the answer to a step out of a form post. What repeats comes as lists: the first `first` belongs to the first
// `email`; a role comes with the number of its row.
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
	panic("a step that asks for nothing")
}

// press does what a button beside "Next" does to a step: it adds a row or takes one away. It returns the number of the row to go on
// with, "" for none, and whether there was such a button.
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

package forms

import (
	"net/url"
	"slices"
	"strconv"

	"forecourt/internal/onboarding/form"
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

func readContacts(posted url.Values) *form.PrimaryContact {
	// At least one, and at most one more than allowed, so that the check can tell that there are too many.
	rows := min(max(len(posted["first"]), len(posted["last"]), len(posted["email"]), 1), form.MaxContacts+1)
	contacts := make([]form.Contact, rows)
	for i := range contacts {
		contacts[i] = form.Contact{First: at(posted["first"], i), Last: at(posted["last"], i), Email: at(posted["email"], i)}
	}
	return &form.PrimaryContact{Contacts: contacts}
}

func readBusiness(posted url.Values) *form.BusinessInfo {
	return &form.BusinessInfo{
		Country: posted.Get("country"), TradingName: posted.Get("name"), EntityName: posted.Get("entityName"),
		EntityType: posted.Get("entityType"), NatureOfBusiness: posted.Get("natureOfBusiness"), Website: posted.Get("url"),
	}
}

func readHolders(posted url.Values) *form.StakeHolders {
	people := make([]form.StakeHolder, min(len(posted["name"]), form.MaxPeople+1))
	for i := range people {
		people[i] = form.StakeHolder{Name: at(posted["name"], i), Type: at(posted["type"], i)}
	}
	for _, role := range form.AllRoles() {
		for _, row := range posted[string(role)] {
			if i, err := strconv.Atoi(row); err == nil && i >= 0 && i < len(people) {
				people[i].Give(role)
			}
		}
	}
	return &form.StakeHolders{People: people}
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

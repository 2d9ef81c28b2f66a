package form

import "strings"

// Data is the content of a form, with the steps of all forms side by side. It is the specification's entity and is stored under its names.
type Data struct {
	SignedIn bool `json:"signedIn"`
	PrimaryContact
	BusinessInfo
	TestTypes
	PaymentTypes
	StakeHolders
}

// SignIn applies to a form what signing in implies (FORM-21 to FORM-23).
func (d *Data) SignIn(email string) {
	d.SignedIn = true
	if len(d.Contacts) == 0 {
		d.Contacts = []Contact{{}}
	}
	if strings.TrimSpace(d.Contacts[0].Email) == "" {
		d.Contacts[0].Email = email
	}
}

// fit removes the roles that the type of entity does not have.
func (d *Data) fit() {
	for i := range d.People {
		d.People[i].keep(Roles(d.EntityType))
	}
}

// step returns the part of a form that a step asks for, or nil if the step asks for nothing.
func (d *Data) step(id StepID) Step {
	switch id {
	case PrimaryContactStep:
		return &d.PrimaryContact
	case BusinessInfoStep:
		return &d.BusinessInfo
	case TestTypesStep:
		return &d.TestTypes
	case PaymentTypesStep:
		return &d.PaymentTypes
	case StakeHoldersStep:
		return &d.StakeHolders
	case AllDoneApplicationStep, AllDoneTestAccStep:
	}
	return nil
}

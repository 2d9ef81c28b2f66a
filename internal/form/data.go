package form

import "strings"

// Data is the content of a form, with the steps of all forms side by side. It is the specification's entity, whose names it is
// stored under.
type Data struct {
	SignedIn bool `json:"signedIn"`
	PrimaryContact
	BusinessInfo
	TestTypes
	PaymentTypes
	StakeHolders
}

// PrimaryContact is whom to contact; the first one is required (FORM-27).
type PrimaryContact struct {
	Contacts []Contact `json:"contacts"`
}

// Contact is a person with an address.
type Contact struct {
	First string `json:"first"`
	Last  string `json:"last"`
	Email string `json:"email"`
}

// BusinessInfo is the business that applies.
type BusinessInfo struct {
	Country          string `json:"country"` // two letters, ISO 3166-1
	TradingName      string `json:"name"`
	EntityName       string `json:"entityName"`
	EntityType       string `json:"entityType"`
	NatureOfBusiness string `json:"natureOfBusiness"`
	Website          string `json:"url"`
}

// TestTypes is what a test account is for.
type TestTypes struct {
	Services []string `json:"services"`
}

// PaymentTypes is how a merchant wants to be paid.
type PaymentTypes struct {
	PayTypes []string `json:"paytypes"`
}

// StakeHolders are the people behind the business.
type StakeHolders struct {
	People []StakeHolder `json:"stakeHolders"`
}

// StakeHolder is a person or company with the roles it has.
type StakeHolder struct {
	Name string `json:"name"`
	Type string `json:"type"`
	RoleFlags
}

// ServiceNames lists the services (FORM-38).
func ServiceNames() []string {
	return []string{"Hosted Payment Page", "Shopping Cart Plugin", "Direct Debit", "Paylink / SMSpay", "Recurring Payments"}
}

// PayTypeNames lists the payment types (FORM-40).
func PayTypeNames() []string {
	return []string{
		"In person payments", "Online payments through a website or app", "Recurring payments via bank account or card",
	}
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

// Package form defines what the merchant forms ask for, when an answer is valid, and the states of a form. It stores
// the drafts that people fill in over days and on several devices, their submission and the decisions of staff.
package form

import (
	"strconv"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// Kind is one of the forms, by its name in addresses.
type Kind string

// The forms (FORM-07 to FORM-12). The table form of the database checks the same list.
const (
	Application Kind = "application" // a merchant applies
	WPTest      Kind = "wptest"      // a test account for the shopping cart plugin
	DDTest      Kind = "ddtest"      // a test account for direct debit
	TestAccount Kind = "testacc"     // a test account
)

// Kinds lists the forms in display order.
func Kinds() []Kind { return []Kind{Application, WPTest, DDTest, TestAccount} }

// StepID names a step.
type StepID string

// The steps.
const (
	PrimaryContactStep     StepID = "primaryContact"
	BusinessInfoStep       StepID = "businessInfo"
	PaymentTypesStep       StepID = "paymentTypes"
	TestTypesStep          StepID = "testTypes"
	StakeHoldersStep       StepID = "stakeHolders"
	AllDoneApplicationStep StepID = "allDoneApplication"
	AllDoneTestAccStep     StepID = "allDoneTestAcc"
)

// Steps lists the steps of a form in order, nil for an unknown form. The last one only says that the form is complete; the others
// ask.
func (k Kind) Steps() []StepID {
	switch k {
	case Application:
		return []StepID{PrimaryContactStep, BusinessInfoStep, PaymentTypesStep, StakeHoldersStep, AllDoneApplicationStep}
	case WPTest:
		return []StepID{BusinessInfoStep, AllDoneTestAccStep}
	case DDTest, TestAccount:
		return []StepID{BusinessInfoStep, TestTypesStep, AllDoneTestAccStep}
	default:
		return nil
	}
}

// Known reports whether the form exists.
func (k Kind) Known() bool { return k.Steps() != nil }

// Asking lists the steps of a form that ask for something.
func (k Kind) Asking() []StepID {
	steps := k.Steps()
	return steps[:max(len(steps)-1, 0)]
}

// Number parses a step's number from an address: "0" up to the last, in canonical form only.
func (k Kind) Number(text string) (int, bool) {
	for i := range k.Steps() {
		if strconv.Itoa(i) == text {
			return i, true
		}
	}
	return 0, false
}

// Letter is the first letter of the form's references.
func (k Kind) Letter() string {
	return map[Kind]string{Application: "A", WPTest: "W", DDTest: "D", TestAccount: "T"}[k]
}

// Fresh returns an empty form (FORM-09, FORM-11, FORM-34, FORM-35).
func (k Kind) Fresh() Data {
	var d Data
	d.Contacts = []Contact{{}}
	d.Country, d.EntityType = "AU", PtyLtd
	switch k {
	case WPTest:
		d.Services = []string{"Shopping Cart Plugin"}
	case DDTest:
		d.Services = []string{"Direct Debit"}
	case Application, TestAccount:
	}
	return d
}

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
	if d.Contacts[0].Email == "" {
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

// Step is the answer to one step.
type Step interface {
	// Check returns what keeps a tidy answer from continuing, by FieldID. entity is the type of the business.
	Check(entity string) fault.Problems
	// tidy brings what was typed into one form.
	tidy()
	// drop removes rows that nobody filled in.
	drop()
	// kept adds the values that are too long or too many even for a draft.
	kept(f findings)
	// apply writes the step into the form.
	apply(d *Data)
}

// FieldID names a field, by the specification's entity, in a row that counts from 0: "first", "first-2".
func FieldID(field string, row int) string {
	if row == 0 {
		return field
	}
	return field + "-" + strconv.Itoa(row+1)
}

// The most that a form keeps.
const (
	MaxContacts = 10
	MaxPeople   = 50
	maxName     = 100
	maxEmail    = typed.MostEmail
	maxBusiness = 200
)

// notOnList is the problem of a choice that the page does not offer.
const notOnList = "Choose one from the list"

// findings collects problems, the first of each field.
type findings fault.Problems

func (f findings) add(field string, row int, text string) {
	if id := FieldID(field, row); f[id] == "" {
		f[id] = text
	}
}

// text adds tooLong if a value has more than most characters, and another problem for a card number.
func (f findings) text(field string, row int, value string, most int, tooLong string) {
	switch {
	case utf8.RuneCountInString(value) > most:
		f.add(field, row, tooLong)
	case !utf8.ValidString(value):
		f.add(field, row, "This came in a form that cannot be read. Please type it again")
	case card.HoldsCard(value):
		f.add(field, row, card.LeaveOut)
	}
}

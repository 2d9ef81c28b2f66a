// Package form defines what the merchant forms ask for, when an answer is valid, and the states of a form. It stores
// the drafts that people fill in over days and on several devices, their submission and the decisions of staff.
package form

import "strconv"

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

package form

import (
	"slices"

	"forecourt/internal/kit/fault"
)

// TestTypes is what a test account is for.
type TestTypes struct {
	Services []string `json:"services"`
}

// PaymentTypes is how a merchant wants to be paid.
type PaymentTypes struct {
	PayTypes []string `json:"paytypes"`
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

// Check requires at least one service (FORM-37).
func (s *TestTypes) Check(string) fault.Problems {
	return chosen("services", s.Services, ServiceNames(), "Choose at least one service")
}

func (s *TestTypes) tidy() { s.Services = listed(s.Services, ServiceNames()) }

func (s *TestTypes) drop() {}

func (s *TestTypes) kept(findings) {}

func (s *TestTypes) apply(d *Data) { d.TestTypes = *s }

// Check requires at least one payment type (FORM-39).
func (s *PaymentTypes) Check(string) fault.Problems {
	return chosen("paytypes", s.PayTypes, PayTypeNames(), "Choose at least one payment type")
}

func (s *PaymentTypes) tidy() { s.PayTypes = listed(s.PayTypes, PayTypeNames()) }

func (s *PaymentTypes) drop() {}

func (s *PaymentTypes) kept(findings) {}

func (s *PaymentTypes) apply(d *Data) { d.PaymentTypes = *s }

func chosen(field string, choice, from []string, problem string) fault.Problems {
	if len(listed(choice, from)) == 0 {
		return fault.Problems{field: problem}
	}
	return nil
}

// listed returns the valid ones among the choices, each once and in the list's order.
func listed(choice, from []string) []string {
	list := []string{}
	for _, name := range from {
		if slices.Contains(choice, name) {
			list = append(list, name)
		}
	}
	return list
}

package desk

import (
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Limits is the page that sets how much each role may refund.
type Limits struct {
	Frame  layout.Desk
	Fields []ui.Field
	Notice string
	Done   bool
}

// LimitsOf returns the form with the limits of a business.
func LimitsOf(limits books.RefundLimits, currency string) (m Limits) {
	for _, role := range books.Refunders() {
		text := ""
		if most := limits[role]; most != nil {
			text = money.Format(*most)
		}
		m.Fields = append(m.Fields, LimitField(role, text, currency))
	}
	return m
}

// LimitField is the field for the limit of a role.
func LimitField(role shop.Role, text, currency string) ui.Field {
	return ui.Field{
		ID: string(role), Name: string(role), Label: RoleName(role) + ", in " + currency, InputMode: "decimal", Autocomplete: "off", Value: text,
	}
}

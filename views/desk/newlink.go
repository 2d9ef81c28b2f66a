package desk

import (
	"cmp"
	"strings"

	"forecourt/internal/shop/shop"
	apiview "forecourt/views/api"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// LinkTyped is what was typed into the form of a pay link.
type LinkTyped struct {
	Key                                                      string // of this form
	Amount, Description, Reference, Expires, To, ReceiptMail string
}

// LinkProblem is what is wrong with a field: one of the problems of pay links, or "bad".
type LinkProblem struct{ Field, What string }

// NewLink is the form of a pay link.
type NewLink struct {
	Frame     layout.Desk
	Back, URL string
	Key       string
	Test      bool
	fields    []ui.Field
}

// NewLinkOf returns the form with its words.
func NewLinkOf(one shop.Shop, typed LinkTyped, problems []LinkProblem) NewLink {
	wrong := map[string]string{}
	for _, p := range problems {
		wrong[p.Field] = cmp.Or(wrong[p.Field], linkProblem(p))
	}
	return NewLink{Key: typed.Key, Test: !one.Live, fields: []ui.Field{
		{
			ID: "amount", Name: "amount", Label: "Amount in " + one.Currency, InputMode: "decimal",
			Placeholder: "125.00", Required: true, Value: typed.Amount, Problem: wrong["amount"],
		},
		{
			ID: "description", Name: "description", Label: "What it is for (optional)",
			Hint: "The payer reads this, on the page and on the receipt.", MaxLength: 255, Value: typed.Description, Problem: wrong["description"],
		},
		{
			ID: "reference", Name: "reference", Label: "Your reference (optional)",
			Hint: "Such as an invoice number. The payer sees it, too.", MaxLength: 64, Value: typed.Reference, Problem: wrong["reference"],
		},
		{
			ID: "expires", Name: "expires", Label: "Last day to pay (optional)", Type: "date",
			Hint: "The link works until the end of this day in your time " +
				"zone (" + strings.ReplaceAll(one.TimeZone, "_", " ") + "). Without a day it works until you end it.",
			Value: typed.Expires, Problem: wrong["expires"],
		},
		{
			ID: "to", Name: "to", Label: "Email the link to (optional)", Type: "email", Autocomplete: "off",
			Hint: "You can also copy the link on the next page.", Value: typed.To, Problem: wrong["to"],
		},
		{
			ID: "mail", Name: "mail", Label: "Your copy of the receipt to", Type: "email", Autocomplete: "email",
			Hint: "Leave it empty to use the address in your business details.", Value: typed.ReceiptMail, Problem: wrong["receipt mail"],
		},
	}}
}

// linkProblem returns the text for a problem of the form.
func linkProblem(p LinkProblem) string {
	switch p.Field + " " + p.What {
	case "to bad", "receipt mail bad":
		return "Enter an email address like name@example.com."
	case "expires bad":
		return "Enter a day like 2027-01-31."
	case "expires past":
		return "Enter today or a later day."
	case "amount missing":
		return "Enter an amount above zero."
	}
	text := apiview.RowProblemText(p.Field, p.What)
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

package pay

import (
	"forecourt/internal/money"
	"forecourt/internal/payment"
	view "forecourt/views/pay"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// fields returns the card form's controls before anybody has typed.
func fields() (name, number, expiry, cvc, email ui.Field) {
	name = ui.Field{ID: "name", Name: "name", Label: "Name on Card", Autocomplete: "cc-name", EnterKeyHint: "next", Required: true}
	number = ui.Field{ID: "card", Name: "card", Label: "Card Number", Autocomplete: "cc-number", InputMode: "numeric", EnterKeyHint: "next", Required: true}
	expiry = ui.Field{ID: "exp", Name: "exp", Label: "Expiry", Autocomplete: "cc-exp", InputMode: "numeric", EnterKeyHint: "next", Placeholder: "MM/YY", Required: true}
	cvc = ui.Field{ID: "cvc", Name: "cvc", Label: "CVC", Masked: true, Autocomplete: "cc-csc", InputMode: "numeric", EnterKeyHint: "next", Required: true}
	email = ui.Field{ID: "email", Name: "email", Label: "Customer Email", Type: "email", Autocomplete: "email", InputMode: "email", EnterKeyHint: "go", Placeholder: "For your receipt"}
	return
}

// This is the card that a form in test mode suggests (PAY-25).
const (
	testName   = "Test Customer"
	testNumber = "4111 1111 1111 1111"
	testExpiry = "12/34"
	testCVC    = "123"
	testEmail  = "customer@example.com"
)

// emptyForm returns the form before any post: empty or, in test mode, with the test card.
func emptyForm(t *payment.Transaction, key string) view.CardForm {
	f := view.CardForm{Key: key}
	f.Name, f.Number, f.Expiry, f.CVC, f.Email = fields()
	if t.TestMode {
		f.Name.Value, f.Number.Value, f.Expiry.Value, f.CVC.Value, f.Email.Value = testName, testNumber, testExpiry, testCVC, testEmail
	}
	f.PayLabel = "Pay " + money.Label(t.AmountMinor, t.Currency)
	f.Props = props.CardForm{
		Client: t.Client.Code, TrxID: t.ID, PageURL: address(t.Client.Code, t.ID), Key: key, PayLabel: f.PayLabel,
		Currency: t.Currency, TestMode: t.TestMode, Problems: view.Problems(),
	}
	return f
}

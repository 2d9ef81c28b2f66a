package pay

import (
	"context"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"forecourt/internal/pay/payment"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// CardForm is the card form without JavaScript.
type CardForm struct {
	Name, Email, Number, Expiry, CVC ui.Field
	Key                              string // idempotency key of this showing
	PayLabel                         string // "Pay $12.50"
	Blank                            bool   // nobody has typed, and nothing was refused
	Props                            props.CardForm
}

// Fields are the form's controls in the order they are shown.
func (f *CardForm) Fields() []*ui.Field {
	return []*ui.Field{&f.Number, &f.Expiry, &f.CVC, &f.Name, &f.Email}
}

// Summary is what the error summary lists: the controls with a problem.
func (f *CardForm) Summary() []ui.Field {
	var wrong []ui.Field
	for _, field := range f.Fields() {
		if field.Problem != "" {
			wrong = append(wrong, *field)
		}
	}
	return wrong
}

// BlankCard returns the card form before anybody has typed: empty or, in test mode, with a card that is approved (PAY-25). The caller adds
// what depends on the payment.
func BlankCard(test bool) CardForm {
	f := CardForm{
		Name: ui.Field{ID: "name", Name: "name", Label: "Name on Card", Autocomplete: "cc-name", EnterKeyHint: "next", Required: true},
		Number: ui.Field{
			ID: "card", Name: "card", Label: "Card Number", Autocomplete: "cc-number", InputMode: "numeric", EnterKeyHint: "next", Required: true,
		},
		Expiry: ui.Field{
			ID: "exp", Name: "exp", Label: "Expiry", Autocomplete: "cc-exp",
			InputMode: "numeric", EnterKeyHint: "next", Placeholder: "MM/YY", Required: true,
		},
		CVC: ui.Field{
			ID: "cvc", Name: "cvc", Label: "CVC", Masked: true, Autocomplete: "cc-csc", InputMode: "numeric", EnterKeyHint: "next", Required: true,
		},
		Email: ui.Field{
			ID: "email", Name: "email", Label: "Customer Email", Type: "email", Autocomplete: "email",
			InputMode: "email", EnterKeyHint: "go", Placeholder: "For your receipt",
		},
		Blank: true,
	}
	if test {
		f.Name.Value, f.Number.Value, f.Expiry.Value = "Test Customer", "4111 1111 1111 1111", "12/34"
		f.CVC.Value, f.Email.Value = "123", "customer@example.com"
	}
	return f
}

// cardFields draws the fields of the card form. It draws blank ones only once: that takes a third of the time of a page, and they are the
// same for everybody.
func cardFields(p Page) templ.Component {
	switch {
	case !p.Card.Blank:
		return fieldset(p)
	case p.TestMode:
		return templ.Raw(suggested())
	default:
		return templ.Raw(empty())
	}
}

var (
	empty     = sync.OnceValue(func() string { return drawn(false) })
	suggested = sync.OnceValue(func() string { return drawn(true) })
)

func drawn(test bool) string {
	var html strings.Builder
	p := Page{Transaction: &payment.Transaction{}, Card: BlankCard(test)}
	p.TestMode = test
	_ = fieldset(p).Render(context.Background(), &html) // writing to memory cannot fail
	return html.String()
}

// secret empties a field with a part of a card, because what somebody typed is never printed back. It keeps the card that test mode
// suggests in a new form.
func secret(p Page, f ui.Field) ui.Field {
	if !p.TestMode || len(p.Problems) > 0 || p.Notice != "" {
		f.Value = ""
	}
	return f
}

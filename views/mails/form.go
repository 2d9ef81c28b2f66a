package mails

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/run/mail"
	formview "forecourt/views/forms"
)

// formSubmitted confirms that a form arrived (FORM-51).
func (l Letters) formSubmitted(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[form.LetterData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).FormByReference(ctx, &order.Reference)
	if err != nil {
		return nil, gone(err)
	}
	title := formview.FormTitle(form.Kind(row.Form.Kind))
	return note(ctx, row.Email, Note{
		Sender:  l.provider("You are receiving this email because a form was submitted from your account."),
		Subject: "We received your form " + order.Reference, Heading: "Thank you. We received your form",
		Lines:  []string{"A person reviews it now. We write to you when it is decided, or if we need anything else."},
		Facts:  []Fact{{Name: "Form", Value: title}, {Name: "Reference", Value: order.Reference}},
		Button: &Button{Label: "See its status", URL: l.page("form", row.Form.Kind)},
	})
}

// formDecided tells the sender of a form what staff decided.
func (l Letters) formDecided(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[form.LetterData](data)
	if err != nil {
		return nil, err
	}
	row, err := db.New(tx).FormByReference(ctx, &order.Reference)
	if err != nil {
		return nil, gone(err)
	}
	subject, heading, button := formview.DecisionWords(order.State)
	n := Note{
		Sender:  l.provider("You are receiving this email because a form was submitted from your account."),
		Subject: subject + " (" + order.Reference + ")", Heading: heading,
		Facts: []Fact{
			{Name: "Form", Value: formview.FormTitle(form.Kind(row.Form.Kind))}, {Name: "Reference", Value: order.Reference},
		},
		Button: &Button{Label: button, URL: l.page("form", row.Form.Kind)},
	}
	if order.Reason != "" {
		n.Lines = []string{order.Reason}
	}
	return note(ctx, row.Email, n)
}

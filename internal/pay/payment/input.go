package payment

import (
	"errors"
	"time"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/typed"
)

// CardInput is a card form as the payer typed it.
type CardInput struct {
	Name, Expiry, Email string
	Number, CVC         card.Typed
}

// maxName is the longest cardholder's name, in characters.
const maxName = 100

// Problems maps the form's field names (name card exp cvc email) to what is wrong.
type Problems map[string]card.Problem

// Check reads the form. If it returns problems, the card must not be used. Expiry is judged at now.
func (in CardInput) Check(now time.Time) (Card, Problems) {
	problems := Problems{}
	c := Card{Name: in.Name, Email: typed.Text(in.Email)}
	switch wrong := typed.Tidy(&c.Name, maxName, "name", "missing"); {
	case c.Name == "":
		problems["name"] = card.Missing
	case utf8.RuneCountInString(c.Name) > maxName:
		problems["name"] = card.TooLong
	case wrong != "", card.MayHoldNumber(c.Name):
		// The payer typed the number into the wrong field. Names are stored, card numbers never.
		problems["name"] = card.BadText
	}
	// The address is for the receipt and optional.
	if c.Email != "" && !typed.IsEmail(c.Email) {
		problems["email"] = card.BadText
	}
	note := func(field string, err error) {
		if problem := card.Problem(""); errors.As(err, &problem) {
			problems[field] = problem
		}
	}
	var wrong error
	c.Number, wrong = card.ParseNumber(typed.Digits(in.Number.Reveal()))
	note("card", wrong)
	c.Expiry, wrong = typed.ParseExpiry(in.Expiry)
	if note("exp", wrong); wrong == nil && c.Expiry.Past(now) {
		problems["exp"] = card.Past
	}
	c.CVC, wrong = card.ParseCVC(typed.Digits(in.CVC.Reveal()))
	note("cvc", wrong)
	return c, problems
}

package paylink

import (
	"strings"

	"forecourt/internal/kit/money"
)

// Row is a pay link as it was sent, as strings: the amount as "12.50", the expiry as a day (2027-01-31, up to its end where
// the business is) or a moment (2027-01-31T09:30:00Z). Only the amount is required.
type Row struct {
	Amount, Currency, Reference, Description, Expires string
	// Unread lists fields that were neither a string nor a number, or that occurred twice.
	Unread []string
	// Whole is the problem of a row without usable fields.
	Whole string
}

// read returns the pay link that the row asks for, and which of its values cannot be read.
func (r Row) read(number int) (Wanted, BatchProblems) {
	if r.Whole != "" {
		return Wanted{}, BatchProblems{{Row: number, What: r.Whole}}
	}
	link := Wanted{Currency: r.Currency, Reference: r.Reference, Description: r.Description}
	var problems BatchProblems
	for _, field := range r.Unread {
		problems = append(problems, BatchProblem{Row: number, Field: field, What: "no text"})
	}
	var err error
	if r.Amount != "" {
		if link.Amount, err = money.Parse(r.Amount); err != nil {
			problems = append(problems, BatchProblem{Row: number, Field: "amount", What: "bad"})
		}
	}
	if link.Expires, err = ParseExpiry(r.Expires); err != nil {
		problems = append(problems, BatchProblem{Row: number, Field: "expires", What: "bad"})
	}
	return link, problems
}

// set sets the field of that name; unknown names are ignored.
func (r *Row) set(field, value string) {
	value = strings.TrimSpace(value)
	switch field {
	case "amount":
		r.Amount = value
	case "currency":
		r.Currency = value
	case "reference":
		r.Reference = value
	case "description":
		r.Description = value
	case "expires":
		r.Expires = value
	}
}

package paylink

import (
	"fmt"

	"forecourt/internal/kit/fault"
)

// Problem says what is wrong with a field of a pay link.
type Problem string

// The problems; the views have a text for each.
const (
	Missing Problem = "missing"  // nothing was given, or an amount of nothing
	Unknown Problem = "unknown"  // no such client, no such currency
	TooMuch Problem = "too much" // more than can be paid at once
	TooLong Problem = "too long" // more characters than the field holds
	BadText Problem = "bad"      // broken characters, or some that cannot be printed
	Past    Problem = "past"     // an expiry that is over
	// HoldsCard means a card number, which must not be stored.
	HoldsCard Problem = "card number"
)

// RowProblem says what is wrong with a field of a row. Rows count from 0; the fields are client, amount, currency, reference, description,
// expires and receipt mail.
type RowProblem struct {
	Row     int
	Field   string
	Problem Problem
}

// Problems lists everything that is wrong with pay links, by row. As an error it is a fault.Invalid.
type Problems []RowProblem

func (p Problems) Error() string {
	return fmt.Sprintf("%d problems, the first: row %d: %s %s", len(p), p[0].Row, p[0].Field, p[0].Problem)
}

// Unwrap returns a fault.Invalid.
func (p Problems) Unwrap() error { return fault.New(fault.Invalid, "pay links break a rule") }

package order

import (
	"strings"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
)

// Reasons to refuse an order that the customer can act on.
var (
	// ErrEmpty means that the order has no lines.
	ErrEmpty = fault.New(fault.Invalid, "the order is empty")
	// ErrFree means that the order costs nothing, so nobody can pay it.
	ErrFree = fault.New(fault.Invalid,
		"Everything in this order is free, so there is nothing to pay here. Add something else, or ask the staff.")
	// ErrPaused means that the business takes no orders while no kitchen screen is watching.
	ErrPaused = fault.New(fault.Conflict,
		"Ordering is paused: the kitchen is not taking orders right now. Please try again in a few minutes, or ask the staff.")
	// ErrKeyUsed means that the key was used before with other content. The API answers 422.
	ErrKeyUsed = fault.New(fault.Invalid, "the idempotency key was used for another order")
	// ErrKey means that the key is not valid.
	ErrKey = fault.New(fault.Invalid, "an idempotency key has 1 to 255 printable ASCII characters")
)

// UnavailableError names the lines that cannot be ordered as requested.
type UnavailableError struct {
	IDs      []int64  // known items that cannot be ordered, or not with these options
	Choices  []int64  // options that are not on sale
	Names    []string // of the lines, for guests, except of closed items
	Problems []string // the same for the author of the order
	Closed   []*Item  // items outside their hours
}

// add names a line as the menu makes it.
func (e *UnavailableError) add(line Line, made Made) {
	if made.NotNow != "" {
		e.Closed = append(e.Closed, made.Item)
	} else {
		e.Names, e.Problems = append(e.Names, made.Name), append(e.Problems, made.Problem)
	}
	switch {
	case len(made.Gone) > 0 && made.Item.Available && !made.Item.SoldOut:
		e.Choices = append(e.Choices, made.Gone...)
	case made.Item != nil:
		e.IDs = append(e.IDs, made.Item.ID)
	case line.ID != 0:
		e.IDs = append(e.IDs, line.ID)
	}
}

func (e *UnavailableError) Error() string {
	texts := e.NotNow()
	if len(e.Problems) > 0 {
		texts = append(texts, "not available: "+strings.Join(e.Problems, ", "))
	}
	return strings.Join(texts, " ")
}

// NotNow returns a sentence about each closed item.
func (e *UnavailableError) NotNow() (texts []string) {
	for _, item := range e.Closed {
		texts = append(texts, item.NotNow())
	}
	return texts
}

// Unwrap returns a fault.Conflict.
func (e *UnavailableError) Unwrap() error {
	return fault.New(fault.Conflict, "an item is not available")
}

// AmountError holds the price of the order when the customer was shown a different one.
type AmountError struct {
	Amount   int64 // minor units
	Currency string
}

func (e *AmountError) Error() string { return "the order costs " + money.Wire(e.Amount) }

// Unwrap returns a fault.Conflict.
func (e *AmountError) Unwrap() error { return fault.New(fault.Conflict, "the amount differs") }

// CardNumberError means that Field, such as "name" or "trxRef", contains a card number, which must not be stored.
type CardNumberError struct{ Field string }

func (e *CardNumberError) Error() string {
	return "The " + e.Field + " looks like a card number. Leave it out: card details belong on the payment page only"
}

// Unwrap returns a fault.Invalid.
func (e *CardNumberError) Unwrap() error { return fault.New(fault.Invalid, "it holds a card number") }

// TableError means that Table is not in the business's list of tables, as with an old code or a mistyped address.
type TableError struct{ Table string }

func (e *TableError) Error() string {
	return "We do not know table " + printable.Isolated(e.Table) +
		". Scan the code on your table again, or order without a table and give your name."
}

// Unwrap returns a fault.Invalid.
func (e *TableError) Unwrap() error {
	return fault.New(fault.Invalid, "the business has no such table")
}

// FieldError means that a field of the request breaks a rule. Field is its JSON name, such as "order[0].qty". Rule completes a sentence
// that begins with that name: "has to be …".
type FieldError struct{ Field, Rule string }

func (e *FieldError) Error() string { return e.Field + " " + e.Rule }

// Unwrap returns a fault.Invalid.
func (e *FieldError) Unwrap() error { return fault.New(fault.Invalid, "a field breaks a rule") }

package desk

import (
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

// PayerNeeded says why a payer's details are not removed yet.
const PayerNeeded = "A payment, refund or dispute is still under way, and the payer has to be told the outcome. Come back when it is done."

// Payer is the page that removes a payer's details from a payment.
type Payer struct {
	Frame       layout.Desk
	Case        books.Case
	Notice      string
	Going, Done bool // the removal is under way; it is done
}

package books

import (
	"strings"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/shop/shop"
)

// RefundWish says how much of a payment somebody wants to refund.
type RefundWish struct {
	How    string      // Whole, ByLine or ByAmount
	Qty    map[int]int // how many of each line, by its number
	Amount int64       // minor units
	Reason string
}

// The ways to say how much.
const (
	Whole    = "whole" // all that is left
	ByLine   = "lines"
	ByAmount = "amount"
)

// MaxReason is how long a reason may be, in characters.
const MaxReason = 500

// The problems of a RefundWish, by field.
const (
	NoAmount       shop.Problem = "no amount"
	TooManyOfLine  shop.Problem = "too many of a line"
	MoreThanIsLeft shop.Problem = "more than is left"
	NoReason       shop.Problem = "no reason"
	LongReason     shop.Problem = "long reason"
	CardInReason   shop.Problem = "card in reason" // which must not be stored
)

// Plan works out the amount to refund, in minor units, and the lines that it is for. Problems are by field: "how", "amount", "reason".
func (c Case) Plan(wish RefundWish) (minor int64, lines []PaidLine, problems shop.Problems) {
	problems = shop.Problems{}
	switch wish.How {
	case Whole:
		minor = c.Left()
	case ByLine:
		for _, line := range c.Lines {
			n := wish.Qty[line.No]
			if n < 0 || n > line.Qty-line.Refunded {
				problems["how"] = TooManyOfLine
				continue
			}
			if n > 0 {
				line.Qty = n
				minor += line.Each * int64(n)
				lines = append(lines, line)
			}
		}
	case ByAmount:
		minor = wish.Amount
	}
	switch {
	case len(problems) > 0:
	case minor <= 0:
		problems["how"] = NoAmount
	case minor > c.Left():
		problems["how"] = MoreThanIsLeft
	}
	if wish.How == ByAmount && problems["how"] != "" {
		problems["amount"] = problems["how"]
		delete(problems, "how")
	}
	switch reason := strings.TrimSpace(wish.Reason); {
	case reason == "":
		problems["reason"] = NoReason
	case utf8.RuneCountInString(reason) > MaxReason:
		problems["reason"] = LongReason
	case card.HoldsCard(reason):
		problems["reason"] = CardInReason
	}
	return minor, lines, problems
}

// Refundable reports whether the state of the payment allows a refund now.
func (c Case) Refundable() bool {
	return c.Captured > 0 && c.Left() > 0 && !c.Undecided && !c.Closed && !c.InQuestion && c.State != PaymentDisputed
}

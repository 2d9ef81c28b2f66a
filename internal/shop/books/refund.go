package books

import (
	"context"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
)

// RefundWish says how much of a payment somebody wants to refund.
type RefundWish struct {
	How    string      // Whole, ByLine or ByAmount
	Qty    map[int]int // how many of each line, by its number
	Amount int64       // minor units
}

// The ways to say how much.
const (
	Whole    = "whole" // all that is left
	ByLine   = "lines"
	ByAmount = "amount"
)

// MaxReason is how long the reason of a refund may be, in characters.
const MaxReason = 500

// Plan works out the amount to refund, in minor units, and the lines that it is for. Problems are those of "how" and "amount".
func (c Case) Plan(wish RefundWish) (minor int64, lines []PaidLine, problems fault.Problems) {
	problems = fault.Problems{}
	switch wish.How {
	case Whole:
		minor = c.Left()
	case ByLine:
		for _, line := range c.Lines {
			n := wish.Qty[line.No]
			if n < 0 || n > line.Left() {
				problems["how"] = "Choose no more than are left to refund"
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
	field := "how"
	if wish.How == ByAmount {
		field = "amount"
	}
	switch {
	case len(problems) > 0:
	case minor <= 0:
		problems[field] = "Choose what to refund"
	case minor > c.Left():
		problems[field] = "Enter no more than is left to refund"
	}
	return minor, lines, problems
}

// CheckReason tidies the reason of a refund and says what is wrong with it; "" is nothing.
func CheckReason(reason *string) (wrong string) {
	return typed.TidyLines(reason, MaxReason, "reason", "Enter a reason")
}

// Refundable reports whether the state of the payment allows a refund now.
func (c Case) Refundable() bool {
	return c.Captured > 0 && c.Left() > 0 && !c.Undecided && !c.Closed && !c.InQuestion && !c.BankHolds()
}

// RefundsSilent reports whether the payer gets no letter about one more refund of a payment, because they got so many within a day.
func (b *Books) RefundsSilent(ctx context.Context, p Payment) (bool, error) {
	if p.Test { // where other limits count
		return false, nil
	}
	sent, err := b.queries.MailRefundsOf(ctx, p.ID)
	return sent >= mail.MostRefunds, err
}

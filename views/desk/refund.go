package desk

import (
	"cmp"
	"strconv"

	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/views/layout"
	"forecourt/views/receipt"
	"forecourt/views/ui"
)

// Refund is the form to make a refund, and its preview.
type Refund struct {
	Frame     layout.Desk
	Back, URL string
	Business  string
	Case      books.Case
	Typed     RefundTyped
	Room      shop.RefundLimit // what the member may still refund of it
	Own       string           // the currency of the business, and of its limits
	Problems  shop.Problems
	Notice    string // why it was not made
	// The following fields are for the preview.
	Key   string // of the form
	Minor int64
	Lines []books.PaidLine
	Seen  int64
}

// RefundTyped is what was typed into the form.
type RefundTyped struct {
	How, Amount, Reason string
	Qty                 map[int]string // by the number of a line
}

// QtyName returns the name of the field for how many of a line to refund.
func QtyName(no int) string { return "qty-" + strconv.Itoa(no) }

// AboveLimit says that a refund is more than a role may refund.
func AboveLimit(room shop.RefundLimit, currency, own string) string {
	if currency != own {
		return "The limit of your role is in " + own + ", so you may refund nothing of a payment " +
			"in " + currency + ". Ask somebody whose role has no limit."
	}
	if room.Most == 0 {
		return "Your role may not refund any more of this payment. Ask an owner."
	}
	return "Your role may refund at most " + money.Label(room.Most, currency) + " more of this payment. Ask an owner to refund the rest."
}

// RefundUnderWay says that a refund was not made because another one, which began after the person looked, has no outcome yet.
func RefundUnderWay(c books.Case) string {
	refund := "Another refund"
	if asked := (Refund{Case: c}).before(); len(asked) > 0 {
		last := asked[len(asked)-1]
		refund = "A refund of " + money.Label(last.Amount, last.Currency) + " by " + cmp.Or(last.Who, "our staff")
	}
	return refund + " is being made. Yours was not sent, so nothing is refunded twice. This is how the payment stands now."
}

var refundProblems = map[shop.Problem]string{
	books.NoAmount: "Choose what to refund", books.TooManyOfLine: "Choose no more than are left to refund",
	books.MoreThanIsLeft: "Enter no more than is left to refund",
	books.NoReason:       "Enter a reason", books.LongReason: "Enter at most 500 characters",
	books.CardInReason: "Leave out the card number", shop.Unfit: BadAmount,
}

func (m Refund) problem(field string) string { return refundProblems[m.Problems[field]] }

func (m Refund) how() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "how", Name: "how", Label: "How much", Problem: m.problem("how")}, Options: []ui.Option{
		{Value: books.Whole, Label: "All that is left: " + money.Label(m.Case.Left(), m.Case.Currency)},
	}}
	if m.pick() {
		c.Options = append(c.Options, ui.Option{Value: books.ByLine, Label: "Some of what was ordered", Hint: "Choose how many of each below."})
	}
	c.Options = append(c.Options, ui.Option{Value: books.ByAmount, Label: "An amount", Hint: "Enter it below."})
	for i := range c.Options {
		c.Options[i].Chosen = c.Options[i].Value == m.Typed.How
	}
	return c
}

// pick reports whether there are lines left to refund.
func (m Refund) pick() bool {
	for _, l := range m.Case.Lines {
		if l.Qty > l.Refunded {
			return true
		}
	}
	return false
}

func (m Refund) amount() ui.Field {
	return ui.Field{
		ID: "amount", Name: "amount", Label: "Amount in " + m.Case.Currency, InputMode: "decimal", Autocomplete: "off",
		Value: m.Typed.Amount, Problem: m.problem("amount"),
	}
}

func (m Refund) reason() ui.Field {
	return ui.Field{
		ID: "reason", Name: "reason", Label: "Reason", Hint: "For your team. The payer does not see it.",
		Autocomplete: "off", MaxLength: books.MaxReason,
		Required: true, Value: m.Typed.Reason, Problem: m.problem("reason"),
	}
}

// room says how much the member may refund, or returns "" if there is no limit.
func (m Refund) room() string {
	if m.Room.Any {
		return ""
	}
	return AboveLimit(m.Room, m.Case.Currency, m.Own)
}

// to says where the money goes.
func (m Refund) to() string { return receipt.CardText(m.Case.Method, m.Case.Brand, m.Case.LastFour) }

func (m Refund) label() string { return money.Label(m.Minor, m.Case.Currency) }

func (m Refund) subject() string { return RefundSubject(m.label(), m.Business) }

func (m Refund) letter() string { return RefundText(m.label(), m.Business) }

// left returns the amount that is left after the refund.
func (m Refund) left() string { return money.Label(m.Case.Left()-m.Minor, m.Case.Currency) }

// before lists the refunds of the payment so far.
func (m Refund) before() (list []books.Event) {
	for _, e := range m.Case.Timeline {
		if e.Kind == books.RefundAsked {
			list = append(list, e)
		}
	}
	return list
}

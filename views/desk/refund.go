package desk

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/books"
	"forecourt/views/ui"
)

// Refund is the form to make a refund, and its preview.
type Refund struct {
	Frame    ui.Desk
	Case     books.Case
	Typed    url.Values
	Room     *int64 // what the member may still refund of it; nil is no limit
	Own      string // the currency of the business, and of its limits
	Owner    bool   // the reader is one
	Problems fault.Problems
	Notice   string // why it was not made
	// The following fields are for the preview.
	Key    string // of the form
	Minor  int64
	Lines  []books.PaidLine
	Seen   int64
	Silent bool // the payer got so many letters about refunds today that they get none about this one
}

// QtyName returns the name of the field for how many of a line to refund.
func QtyName(no int) string { return "qty-" + strconv.Itoa(no) }

// asks reports whether the member may not refund that much, or nothing, and can ask an owner.
func (m Refund) asks() bool { return m.Room != nil && (*m.Room == 0 || m.Minor > *m.Room) }

const (
	notPaid = "This has not been paid, so there is nothing to refund."
	unnamed = "We cannot refund this payment from here. Ask support to refund it."
)

// refusals says why a refund was not made, by error.
var refusals = map[error]string{
	payment.ErrNotPaid:      notPaid,
	payment.ErrNoCaptureID:  unnamed,
	payment.ErrOtherCapture: unnamed,
	payment.ErrTooMuch:      "That is more than is left of the payment. Nothing was refunded.",
	payment.ErrLines:        "Some of these were refunded already. Nothing was refunded now.",
	payment.ErrDisputed:     "The payer’s bank holds this money or has taken it. Nothing was refunded.",
	payment.ErrInQuestion:   "Our records of this payment do not agree. Our staff are checking it. Nothing was refunded.",
	payment.ErrOtherRefund:  "Somebody else made a refund in the meantime. Nothing was refunded twice. Below is the payment as it is now.",
	payment.ErrRestored: "The server was restored from a backup. Payments from before can be refunded once our " +
		"staff have checked them. Nothing was refunded.",
	payment.ErrElsewhere: "This was paid through a bank that is no longer connected. Ask support to refund it.",
	payment.ErrMember:    "Your role has changed. Nothing was refunded. Look at the payment again.",
	payment.ErrLimit:     "That is more than your role may refund of this payment. Nothing was refunded.",
}

// Refused says why no refund was made of a payment as it is now. It returns "" for an error that the person cannot have caused.
func Refused(err error, c books.Case) string {
	for known, text := range refusals {
		if !errors.Is(err, known) {
			continue
		}
		if asked := (Refund{Case: c}).before(); errors.Is(known, payment.ErrOtherRefund) && c.Undecided && len(asked) > 0 {
			last := asked[len(asked)-1]
			return "A refund of " + money.Label(last.Amount, last.Currency) + " by " + cmp.Or(last.Who, "our staff") +
				" is being made. Yours was not sent, so nothing is refunded twice. This is how the payment stands now."
		}
		return text
	}
	return ""
}

func (m Refund) how() ui.Choice {
	c := ui.Choice{Field: ui.Field{ID: "how", Name: "how", Label: "How much", Problem: m.Problems["how"]}, Options: []ui.Option{
		{Value: books.Whole, Label: "All that is left: " + money.Label(m.Case.Left(), m.Case.Currency)},
	}}
	if m.pick() {
		c.Options = append(c.Options, ui.Option{Value: books.ByLine, Label: "Some of what was ordered", Hint: "Choose how many of each below."})
	}
	c.Options = append(c.Options, ui.Option{Value: books.ByAmount, Label: "An amount", Hint: "Enter it below."})
	for i := range c.Options {
		c.Options[i].Chosen = c.Options[i].Value == m.Typed.Get("how")
	}
	return c
}

// pick reports whether there are lines left to refund.
func (m Refund) pick() bool {
	for _, l := range m.Case.Lines {
		if l.Left() > 0 {
			return true
		}
	}
	return false
}

// fates says what the kitchen does with what is refunded of a line.
var fates = map[state.Line]string{state.LineOpen: "The kitchen will not make it.", state.LineDone: "Already made."}

// kitchen says what the kitchen does with an order, unless the refund is for some of its lines; "" if it has nothing to make.
func (m Refund) kitchen() string {
	switch making := slices.ContainsFunc(m.Case.Lines, func(l books.PaidLine) bool { return l.Status == state.LineOpen }); {
	case !making:
		return ""
	case m.Minor == m.Case.Left():
		return "It will not make what is not made yet."
	case len(m.Lines) > 0:
		return ""
	default:
		return "It still makes the order. To take something from the kitchen, refund what was ordered."
	}
}

func (m Refund) amount() ui.Field {
	return ui.Field{
		ID: "amount", Name: "amount", Label: "Amount in " + m.Case.Currency, InputMode: "decimal", Autocomplete: "off",
		Value: m.Typed.Get("amount"), Problem: m.Problems["amount"],
	}
}

func (m Refund) reason() ui.Field {
	return ui.Field{
		ID: "reason", Name: "reason", Label: "Reason", Hint: "For your team. The payer does not see it.",
		Autocomplete: "off", MaxLength: books.MaxReason,
		Required: true, Value: m.Typed.Get("reason"), Problem: m.Problems["reason"],
	}
}

// check is the look of the button that checks a refund: asking an owner comes first where the member may not make it.
func (m Refund) check() ui.Kind {
	if m.asks() {
		return ui.Secondary
	}
	return ui.Primary
}

// room says how much the member may refund, or returns "" if their limit leaves them all that is left.
func (m Refund) room() string {
	switch {
	case m.Room == nil || *m.Room >= m.Case.Left() && m.Minor <= *m.Room:
		return ""
	case m.Case.Currency != m.Own:
		return "The limit of your role is in " + m.Own + ", so you may refund nothing of a payment in " + m.Case.Currency +
			". An owner can. Say how much and why, and we tell them."
	case *m.Room > 0:
		return "You may refund at most " + money.Label(*m.Room, m.Case.Currency) + " of this payment yourself. For more, ask an owner."
	case m.Case.Reserved > 0:
		return "Your role may not refund any more of this payment. An owner can. Say how much and why, and we tell them."
	}
	return "Your role may not make this refund. An owner can. Say how much and why, and we tell them."
}

// before lists the refunds of the payment so far.
func (m Refund) before() (list []books.Event) {
	for _, e := range m.Case.Timeline {
		if e.Kind == books.RefundAsked || e.Kind == books.RefundFound {
			list = append(list, e)
		}
	}
	return list
}

// RefundSubject is the subject of the letter that tells a payer about a refund.
func RefundSubject(amount, business string) string {
	return "Refund of " + amount + " from " + printable.Isolated(business)
}

// RefundText is the text of that letter. The person who makes the refund sees it beforehand.
func RefundText(amount, business string) string {
	return printable.Isolated(business) + " refunded " + amount + " to the card you paid with. Your bank may take a few days to show it."
}

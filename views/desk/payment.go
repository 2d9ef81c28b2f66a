package desk

import (
	"cmp"
	"slices"
	"strings"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/books"
	"forecourt/views/receipt"
	"forecourt/views/ui"
)

// PaymentFragment is the fragment with the state of a payment, which htmx refreshes while it may still change.
const PaymentFragment = "payment"

// Payment is the page of one payment.
type Payment struct {
	Frame    ui.Desk
	Case     books.Case
	May      bool   // make refunds
	Owner    bool   // the reader is one
	MayErase bool   // the payer's details
	Erased   bool   // they were removed
	Asked    string // the state of a refund that was just requested; "" for none
}

// newest lists what happened, the latest first. What is under way has no time.
func (m Payment) newest() []books.Event {
	list := slices.Clone(m.Case.Timeline)
	slices.Reverse(list)
	return list
}

// eventDay is the day of an event.
func eventDay(e books.Event) string {
	if e.At.IsZero() {
		return "Now"
	}
	return listDay(e.At) + ", " + zoneName(e.At)
}

// payouts are what happened in payouts to the business itself.
func (m Payment) payouts() (list []books.Event) {
	for _, e := range m.Case.Timeline {
		if e.Number != 0 {
			list = append(list, e)
		}
	}
	return list
}

// payoutName says what a payout contains of the payment, and when it was paid.
func payoutName(e books.Event) string {
	if e.Kind == state.Event(state.MovedCharge) {
		return "Payout of " + dayOf(e.At)
	}
	title, _, _ := textOf(e)
	return title + ", " + dayOf(e.At)
}

// dispute returns the id of the payment's dispute; "" is none.
func (m Payment) dispute() string {
	for _, e := range m.Case.Timeline {
		if e.Dispute != "" {
			return e.Dispute
		}
	}
	return ""
}

// status says what became of the refund that was just requested; problem reports that nothing was refunded yet. The page's timeline
// shows later changes.
func (m Payment) status() (text string, problem bool) {
	last := books.Event{}
	for _, e := range m.Case.Timeline {
		switch e.Kind {
		case state.EventPaymentRefunded, state.EventRefundFailed, books.RefundOpen, books.RefundManual:
			last = e
		}
	}
	if m.Asked == "" || last.Kind == "" { // anybody can write a link
		return "", false
	}
	amount := money.Label(last.Amount, last.Currency)
	switch last.Kind {
	case state.EventPaymentRefunded:
		return amount + " was refunded.", false
	case state.EventRefundFailed:
		return amount + " could not be refunded. Nothing has changed, and you can try again.", true
	case books.RefundManual:
		return "The answer about " + amount + " is not clear. Our staff are checking the outcome. Do not refund it another way.", true
	default:
		return "The refund of " + amount + " is not decided yet. We keep asking, and this page will " +
			"show the answer. Do not refund it another way.", true
	}
}

// allRefunded is news only to those who wanted to refund more: the payment says it by itself.
const allRefunded = "Everything was refunded."

// cannot says why nothing can be refunded now; "" if it can be.
func (m Payment) cannot() string {
	switch c := m.Case; {
	case c.InQuestion:
		return "Our records of this do not agree. Until our staff have checked it, it can be neither paid nor refunded."
	case c.Captured == 0:
		return ""
	case c.Closed:
		return "The server was restored from a backup. Payments from before can be refunded once our staff have checked them."
	case c.BankHolds():
		return "The payer’s bank holds this money or has taken it back, so you cannot refund it as well."
	case c.Undecided:
		return "A refund has no outcome yet. Wait for it before you refund more."
	case c.Left() <= 0:
		return allRefunded
	case !m.May:
		return "Your role may not make refunds. Ask a manager or an owner."
	}
	return ""
}

// happenings are the texts of events and the look of their marks. They name the guest, the bank, a person on the team or our
// staff as the one who acted.
var happenings = map[state.Event]struct {
	title, text string
	tone        ui.Tone
}{
	state.EventOrderMade:        {"Ordered for {amount}", "", ""},
	state.EventOrderReady:       {"Ready at {location}", "", ""},
	state.EventOrderDone:        {"The whole order is ready", "", ui.Good},
	books.LinkMade:              {"Pay link made for {amount}", "", ""},
	books.LinkSeen:              {"The payer opened the link", "", ""},
	books.PayTried:              {"Payment started with {card}", "", ""},
	state.EventPaymentSucceeded: {"The bank approved {amount}", "", ui.Good},
	state.EventPaymentFailed:    {"The bank declined {card}", "{reason}", ui.Warning},
	books.PayNotCharged:         {"Nothing was charged", "The payment did not reach the bank, or was not finished there.", ""},
	books.PayUnconfirmed: {
		"Our staff ended it without an answer from the bank",
		"Nobody can pay it again. If it turns out that it was charged, they look into it.", ui.Warning,
	},
	books.PayAtBank:  {"Waiting for the payer to confirm with their bank", "The payment is complete once the bank confirms it.", ui.Info},
	books.PayUnknown: {"There is no answer from the bank yet", "We keep asking. Do not take the money another way meanwhile.", ui.Info},
	books.PayManual: {
		"Our staff are checking its outcome", "The bank’s answer was not clear. Until then nobody can pay this again.", ui.Warning,
	},
	books.ReceiptMade:          {"The receipt was made", "", ""},
	books.ReceiptMailed:        {"We emailed the receipt to the payer", "", ""},
	books.ReceiptHeld:          {"The receipt was not emailed", "{held}", ""},
	books.ReceiptFailed:        {"The receipt could not be emailed yet", "The mail server refused it for now.", ui.Warning},
	books.PayMissed:            {"The payment did not go through", "", ""},
	books.PayFound:             {"A payment of {amount} was found", "Our staff booked it.", ui.Good},
	books.PayGivenBack:         {"What was charged was given back", "It was charged in another currency than you asked for.", ""},
	books.PayCorrected:         {"Our staff corrected the payment by {amount}", "That is what was charged.", ""},
	books.RefundFound:          {"{amount} was refunded outside this site", "Our staff booked it.", ""},
	books.RefundFixed:          {"Our staff corrected a refund by {amount}", "That is what was refunded.", ""},
	books.RefundAsked:          {"{who} asked to refund {amount}", "{lines}{reason}", ""},
	state.EventPaymentRefunded: {"{amount} was refunded", "", ui.Good},
	state.EventRefundFailed:    {"The refund of {amount} was declined", "No money moved.", ui.Warning},
	books.RefundOpen:           {"The refund of {amount} is not decided yet", "We keep asking.", ui.Info},
	books.RefundManual: {
		"Our staff are checking the outcome of the refund of {amount}", "The bank’s answer was not clear.", ui.Warning,
	},
	books.RefundMailed:             {"We emailed the payer about the refund of {amount}", "", ""},
	books.RefundHeld:               {"The email about the refund was not sent", "{held}", ""},
	books.RefundUnsent:             {"The email about the refund could not be sent yet", "The mail server refused it for now.", ui.Warning},
	state.EventDisputeOpened:       {"The cardholder disputed {amount}", "The bank holds the money until it decides.{due}", ui.Warning},
	state.EventDisputeWon:          {"You won the dispute about {amount}", "The money is yours.", ui.Good},
	state.EventDisputeLost:         {"You lost the dispute about {amount}", "The bank gave the money back to the cardholder.", ui.Warning},
	state.Event(state.MovedCharge): {"{amount} was paid out to you", "Payout {payout}", ui.Good},
	state.Event(state.MovedRefund): {"The refund of {amount} was taken from a payout", "Payout {payout}", ""},
	state.Event(state.MovedTaken):  {"The dispute was taken from a payout", "Payout {payout}", ""},
	state.Event(state.MovedReturn): {"The disputed amount was paid back to you", "Payout {payout}", ui.Good},
}

// heldWords say why a letter to a payer was held.
var heldWords = map[string]string{
	mail.HeldForTeam: "In test mode only your own team receives email.",
	mail.HeldByLimit: "A payer gets only a few emails a day about one payment, or from one business in test mode. Tell them yourself.",
}

// textOf returns the text of an event, and the look of its mark.
func textOf(e books.Event) (title, text string, tone ui.Tone) {
	lines, due := e.Lines, ""
	if lines != "" {
		lines += ". "
	}
	if !e.Due.IsZero() {
		due = " Answer by " + clock.Day(e.Due, e.Due.Location()) + "."
	}
	fill := strings.NewReplacer(
		"{amount}", money.Label(e.Amount, e.Currency), "{card}", receipt.CardText(e.Method, e.Brand, e.LastFour), "{location}", e.Location,
		"{who}", cmp.Or(e.Who, "Our staff"), "{lines}", lines, "{reason}", e.Reason, "{held}", heldWords[e.Reason], "{due}", due,
		"{payout}", e.Payout,
	)
	h := happenings[e.Kind]
	return fill.Replace(h.title), fill.Replace(h.text), h.tone
}

// asked returns the end of the page's address that keeps the status of the refund that was just requested.
func (m Payment) asked() string {
	if m.Asked == "" {
		return ""
	}
	return "?refund=asked"
}

// boughtWith lists the options of a line and its note.
func boughtWith(l books.PaidLine) string {
	text := l.Options
	if l.Note != "" {
		if text != "" {
			text += ". "
		}
		text += "“" + l.Note + "”"
	}
	return text
}

// PayerNeeded says why a payer's details are not removed yet.
const PayerNeeded = "A payment, refund or dispute is still under way, and the payer has to be told the outcome. Come back when it is done."

package desk

import (
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
	"forecourt/views/receipt"
)

// PaymentFragment is the fragment with the state of a payment, which htmx refreshes while it may still change.
const PaymentFragment = "payment"

// Payment is the page of one payment.
type Payment struct {
	Frame     layout.Desk
	Back, URL string
	Case      books.Case
	Client    string // code of the business
	May       bool   // make refunds
	MayErase  bool   // the payer's details
	Erased    bool   // they were removed
	// DisputeURL is the page of its dispute, "" if there is none. Payouts are the payouts that hold something of it.
	DisputeURL string
	Payouts    []InPayout
	Asked      string // the state of a refund that was just requested; "" for none
}

// InPayout is a payout's line about a payment.
type InPayout struct {
	Event books.Event
	URL   string
}

// name says what a payout contains of the payment, and when it was paid.
func (p InPayout) name() string {
	day := clock.Day(p.Event.At, p.Event.At.Location())
	if p.Event.Kind == books.PaidOut {
		return "Payout of " + day
	}
	return textOf(p.Event).title + ", " + day
}

// status says what became of the refund that was just requested; problem reports that nothing was refunded yet. The page's timeline
// shows later changes.
func (m Payment) status() (text string, problem bool) {
	last := books.Event{}
	for _, e := range m.Case.Timeline {
		switch e.Kind {
		case books.RefundDone, books.RefundDeclined, books.RefundOpen, books.RefundManual:
			last = e
		}
	}
	if m.Asked == "" || last.Kind == "" { // anybody can write a link
		return "", false
	}
	amount := money.Label(last.Amount, last.Currency)
	switch last.Kind {
	case books.RefundDone:
		return "The gateway refunded " + amount + ".", false
	case books.RefundDeclined:
		return "The gateway declined to refund " + amount + ". Nothing has changed, and you can try again.", true
	case books.RefundManual:
		return "The gateway’s answer about " + amount + " is not clear. Our staff are checking the outcome. Do not refund it another way.", true
	default:
		return "The gateway has not decided about " + amount + " yet. We keep asking, and this page will " +
			"show the answer. Do not refund it another way.", true
	}
}

// cannot says why nothing can be refunded now; "" if it can be.
func (m Payment) cannot() string {
	switch c := m.Case; {
	case c.InQuestion:
		return "The gateway’s list and our books differ about this. Until our staff have checked it, it can be neither paid nor refunded."
	case c.Captured == 0:
		return ""
	case c.Closed:
		return "The server was restored from a backup. Payments from before can be refunded once our staff have compared them with the gateway."
	case c.State == books.PaymentDisputed:
		return "The payer’s bank holds this money or has taken it back, so you cannot refund it as well."
	case c.Undecided:
		return "A refund has no outcome yet. Wait for it before you refund more."
	case c.Left() <= 0:
		return "Everything was refunded."
	case !m.May:
		return "Your role may not make refunds. Ask a manager or an owner."
	}
	return ""
}

// eventText is the text for an event.
type eventText struct{ title, text string }

// textOf returns the text for an event. It names the guest, the bank, the gateway, a person on the team or our staff as the one who acted.
func textOf(e books.Event) eventText {
	amount, with := money.Label(e.Amount, e.Currency), receipt.CardText(e.Method, e.Brand, e.LastFour)
	switch e.Kind {
	case books.OrderMade:
		return eventText{"Ordered for " + amount, ""}
	case books.OrderReady:
		return eventText{"Ready at " + e.Location, ""}
	case books.OrderDone:
		return eventText{"The whole order is ready", ""}
	case books.LinkMade:
		return eventText{"Pay link made for " + amount, ""}
	case books.LinkSeen:
		return eventText{"The payer opened the link", ""}
	case books.PayTried:
		return eventText{"Payment started with " + with, ""}
	case books.PayApproved:
		return eventText{"The bank approved " + amount, ""}
	case books.PayDeclined:
		return eventText{"The bank declined " + with, e.Reason}
	case books.PayNotCharged:
		return eventText{"Nothing was charged", "The payment did not reach the bank, or was not finished there."}
	case books.PayUnconfirmed:
		return eventText{
			"Our staff ended it without the gateway’s word", "Nobody can pay it again. If it turns out that it was charged, they look into it.",
		}
	case books.PayAtBank:
		return eventText{"Waiting for the payer to confirm with their bank", "The payment is complete once the bank confirms it."}
	case books.PayUnknown:
		return eventText{"The gateway has not answered yet", "We keep asking. Do not take the money another way meanwhile."}
	case books.PayManual:
		return eventText{"Our staff are checking its outcome", "The gateway’s answer was not clear. Until then nobody can pay this again."}
	case books.ReceiptMade:
		return eventText{"The receipt was made", ""}
	case books.ReceiptMailed:
		return eventText{"We emailed the receipt to the payer", ""}
	case books.ReceiptHeld:
		return eventText{"The receipt was not emailed", "In test mode only your own team receives email."}
	case books.ReceiptFailed:
		return eventText{"The receipt could not be emailed yet", "The mail server refused it for now."}
	default:
		return refundText(e, amount)
	}
}

func refundText(e books.Event, amount string) eventText {
	switch e.Kind {
	case books.RefundAsked:
		who := e.Who
		if who == "" {
			who = "Our staff"
		}
		s := eventText{who + " asked to refund " + amount, e.Reason}
		if e.Lines != "" {
			s.text = e.Lines + ". " + e.Reason
		}
		return s
	case books.RefundDone:
		return eventText{"The gateway refunded " + amount, ""}
	case books.RefundDeclined:
		return eventText{"The gateway declined to refund " + amount, "No money moved."}
	case books.RefundOpen:
		return eventText{"The refund of " + amount + " is not decided yet", "We keep asking the gateway."}
	case books.RefundManual:
		return eventText{"Our staff are checking the outcome of the refund of " + amount, "The gateway’s answer was not clear."}
	case books.RefundMailed:
		return eventText{"We emailed the payer about the refund of " + amount, ""}
	case books.RefundHeld:
		return eventText{"The email about the refund was not sent", "In test mode only your own team receives email."}
	case books.RefundFailed:
		return eventText{"The email about the refund could not be sent yet", "The mail server refused it for now."}
	default:
		return bankText(e, amount)
	}
}

func bankText(e books.Event, amount string) eventText {
	switch e.Kind {
	case books.DisputeOpened:
		s := eventText{"The cardholder disputed " + amount, "The bank holds the money until it decides."}
		if !e.Due.IsZero() {
			s.text += " Answer by " + clock.Day(e.Due, e.Due.Location()) + "."
		}
		return s
	case books.DisputeWon:
		return eventText{"You won the dispute about " + amount, "The money stays yours."}
	case books.DisputeLost:
		return eventText{"You lost the dispute about " + amount, "The bank gave the money back to the cardholder."}
	case books.PaidOut:
		return eventText{amount + " was paid out to you", "Payout " + e.Payout}
	case books.RefundPaidOut:
		return eventText{"The refund of " + amount + " was taken from a payout", "Payout " + e.Payout}
	case books.DisputePaidOut:
		return eventText{"The dispute was taken from a payout", "Payout " + e.Payout}
	case books.ReturnPaidOut:
		return eventText{"The disputed amount was paid back to you", "Payout " + e.Payout}
	}
	return eventText{string(e.Kind), ""}
}

// eventTone returns the look of an event's mark.
func eventTone(e books.Event) string {
	switch e.Kind {
	case books.PayApproved, books.OrderDone, books.RefundDone, books.DisputeWon, books.PaidOut, books.ReturnPaidOut:
		return "well"
	case books.PayDeclined, books.PayUnconfirmed, books.PayManual, books.RefundDeclined, books.RefundManual,
		books.DisputeOpened, books.DisputeLost, books.ReceiptFailed, books.RefundFailed:
		return "badly"
	case books.PayAtBank, books.PayUnknown, books.RefundOpen:
		return "now"
	}
	return ""
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

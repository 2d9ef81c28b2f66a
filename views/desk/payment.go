package desk

import (
	"forecourt/internal/clock"
	"forecourt/internal/money"
	"forecourt/internal/shop"
	"forecourt/views/layout"
	"forecourt/views/receipt"
)

// PaymentFragment is the fragment with the state of a payment, which htmx refreshes while it may still change.
const PaymentFragment = "payment"

// Payment is the page of one payment.
type Payment struct {
	Frame     layout.Desk
	Back, URL string
	Case      shop.Case
	Client    string // code of the business
	May       bool   // give money back
	MayErase  bool   // the payer's details
	Erased    bool   // they were removed
	// DisputeURL is the page of its dispute, "" if there is none. Payouts are the payouts that hold something of it.
	DisputeURL string
	Payouts    []InPayout
	Asked      string // the state of a refund that was just requested; "" for none
}

// InPayout is a payout's line about a payment.
type InPayout struct {
	Event shop.Event
	URL   string
}

// name says what a payout contains of the payment, and when it was paid.
func (p InPayout) name() string {
	day := clock.Day(p.Event.At, p.Event.At.Location())
	if p.Event.Kind == shop.PaidOut {
		return "Payout of " + day
	}
	return tell(p.Event).title + ", " + day
}

// status says what became of the refund that was just requested; problem reports that no money was given back yet. The page's timeline
// shows later changes.
func (m Payment) status() (text string, problem bool) {
	last := shop.Event{}
	for _, e := range m.Case.Timeline {
		switch e.Kind {
		case shop.RefundDone, shop.RefundDeclined, shop.RefundOpen, shop.RefundManual:
			last = e
		}
	}
	if m.Asked == "" || last.Kind == "" { // anybody can write a link
		return "", false
	}
	amount := money.Label(last.Amount, last.Currency)
	switch last.Kind {
	case shop.RefundDone:
		return "The gateway gave " + amount + " back.", false
	case shop.RefundDeclined:
		return "The gateway declined to give " + amount + " back. Nothing has changed, and you can try again.", true
	case shop.RefundManual:
		return "The gateway’s answer about " + amount + " is not clear. Our staff are finding out what became of it. Do not give it back another way.", true
	default:
		return "The gateway has not decided about " + amount + " yet. We keep asking, and this page will show the answer. Do not give it back another way.", true
	}
}

// cannot says why no money can be given back now; "" if it can be.
func (m Payment) cannot() string {
	switch c := m.Case; {
	case c.Captured == 0:
		return ""
	case c.Closed:
		return "The server was restored from a backup. Payments from before can be refunded once our staff have compared them with the gateway."
	case c.State == shop.PaymentDisputed:
		return "The payer’s bank holds this money or has taken it back, so you cannot refund it as well."
	case c.Undecided:
		return "A refund has no outcome yet. Wait for it before you give back more."
	case c.Left() <= 0:
		return "Everything was given back."
	case !m.May:
		return "Your role may not give money back. Ask a manager or an owner."
	}
	return ""
}

// told is a worded event.
type told struct{ title, text string }

// tell words an event. It names the guest, the bank, the gateway, a person on the team or our staff as the one who acted.
func tell(e shop.Event) told {
	amount, with := money.Label(e.Amount, e.Currency), receipt.CardText(e.Method, e.Brand, e.LastFour)
	switch e.Kind {
	case shop.OrderMade:
		return told{"Ordered for " + amount, ""}
	case shop.OrderReady:
		return told{"Ready at " + e.Location, ""}
	case shop.OrderDone:
		return told{"The whole order is ready", ""}
	case shop.LinkMade:
		return told{"Pay link made for " + amount, ""}
	case shop.LinkSeen:
		return told{"The payer opened the link", ""}
	case shop.PayTried:
		return told{"Payment started with " + with, ""}
	case shop.PayApproved:
		return told{"The bank approved " + amount, ""}
	case shop.PayDeclined:
		return told{"The bank declined " + with, e.Reason}
	case shop.PayNotCharged:
		return told{"Nothing was charged", "The payment did not reach the bank, or was not finished there."}
	case shop.PayAtBank:
		return told{"The payer confirms it at the bank", "It counts once the bank says so."}
	case shop.PayUnknown:
		return told{"The gateway has not answered yet", "We keep asking. Do not take the money another way meanwhile."}
	case shop.PayManual:
		return told{"Our staff are finding out what became of it", "The gateway’s answer was not clear. Until then nobody can pay this again."}
	case shop.ReceiptMade:
		return told{"The receipt was made", ""}
	case shop.ReceiptMailed:
		return told{"The receipt was mailed to the payer", ""}
	case shop.ReceiptHeld:
		return told{"The receipt was not mailed", "In test mode only your own team gets mail."}
	case shop.ReceiptFailed:
		return told{"The receipt could not be mailed yet", "The mail server refused it for now."}
	default:
		return tellRefund(e, amount)
	}
}

func tellRefund(e shop.Event, amount string) told {
	switch e.Kind {
	case shop.RefundAsked:
		who := e.Who
		if who == "" {
			who = "Our staff"
		}
		s := told{who + " asked to give " + amount + " back", e.Reason}
		if e.Lines != "" {
			s.text = e.Lines + ". " + e.Reason
		}
		return s
	case shop.RefundDone:
		return told{"The gateway gave " + amount + " back", ""}
	case shop.RefundDeclined:
		return told{"The gateway declined to give " + amount + " back", "No money moved."}
	case shop.RefundOpen:
		return told{"The refund of " + amount + " is not decided yet", "We keep asking the gateway."}
	case shop.RefundManual:
		return told{"Our staff are finding out what became of the refund of " + amount, "The gateway’s answer was not clear."}
	case shop.RefundMailed:
		return told{"The payer was mailed about the refund of " + amount, ""}
	case shop.RefundHeld:
		return told{"The mail about the refund was not sent", "In test mode only your own team gets mail."}
	case shop.RefundFailed:
		return told{"The mail about the refund could not be sent yet", "The mail server refused it for now."}
	default:
		return tellBank(e, amount)
	}
}

func tellBank(e shop.Event, amount string) told {
	switch e.Kind {
	case shop.DisputeOpened:
		s := told{"The card’s holder disputed " + amount, "The bank holds the money until it decides."}
		if !e.Due.IsZero() {
			s.text += " Answer by " + clock.Day(e.Due, e.Due.Location()) + "."
		}
		return s
	case shop.DisputeWon:
		return told{"You won the dispute about " + amount, "The money stays yours."}
	case shop.DisputeLost:
		return told{"You lost the dispute about " + amount, "The bank gave the money back to the card’s holder."}
	case shop.PaidOut:
		return told{amount + " was paid out to you", "Payout " + e.Payout}
	case shop.RefundPaidOut:
		return told{"The refund of " + amount + " was taken from a payout", "Payout " + e.Payout}
	case shop.DisputePaidOut:
		return told{"The dispute was taken from a payout", "Payout " + e.Payout}
	case shop.ReturnPaidOut:
		return told{"The money of the dispute was paid out to you", "Payout " + e.Payout}
	}
	return told{string(e.Kind), ""}
}

// eventTone returns the look of an event's mark.
func eventTone(e shop.Event) string {
	switch e.Kind {
	case shop.PayApproved, shop.OrderDone, shop.RefundDone, shop.DisputeWon, shop.PaidOut, shop.ReturnPaidOut:
		return "well"
	case shop.PayDeclined, shop.PayManual, shop.RefundDeclined, shop.RefundManual, shop.DisputeOpened, shop.DisputeLost, shop.ReceiptFailed, shop.RefundFailed:
		return "badly"
	case shop.PayAtBank, shop.PayUnknown, shop.RefundOpen:
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
func boughtWith(l shop.PaidLine) string {
	text := l.Options
	if l.Note != "" {
		if text != "" {
			text += ". "
		}
		text += "“" + l.Note + "”"
	}
	return text
}

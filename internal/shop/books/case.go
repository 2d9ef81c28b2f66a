package books

import (
	"time"

	"forecourt/db/state"
)

// Case is one payment with everything that happened to it.
type Case struct {
	Payment
	Captured   int64 // minor units; 0 unless it is paid
	Reserved   int64 // refunded, including refunds that are not decided yet
	GatewayID  string
	Receipt    string // the token of its receipt; "" for none
	Reachable  bool   // the payer left an address
	Closed     bool   // a restore has closed it
	InQuestion bool   // the gateway's ledger and our books differ about it
	Undecided  bool   // a refund is not decided yet
	Lines      []PaidLine
	Timeline   []Event // the oldest first
	Unfinished bool    // it may change by itself
}

// Left is how much can still be refunded, in minor units.
func (c Case) Left() int64 { return c.Captured - c.Reserved }

// PaidLine is a line of an order that was paid.
type PaidLine struct {
	No, Qty, Refunded int
	Name              string
	Options           string // the names of what was chosen with it: "Large, Oat milk"
	Note              string
	Each              int64 // minor units, with its options
	Cancelled         bool
}

// Event is something that happened to a payment, in the shop's zone.
type Event struct {
	At       time.Time
	Kind     EventKind
	Amount   int64 // minor units; 0 if it is about no amount
	Currency string
	Method   state.Method
	Brand    string // of the card
	LastFour string
	Who      string // the person on the team who did it; "" for anybody else
	Reason   string // why, in their words or the bank's
	Lines    string // what a refund is for: "1 x Flat White"
	Payout   string // its id
	Location string // the location that finished an order
	Named    bool   // the payout is to this shop only
	Dispute  string // id of the dispute that was opened
	Due      time.Time
}

// EventKind is what happened.
type EventKind string

// The kinds.
const (
	OrderMade      EventKind = "order made"
	OrderReady     EventKind = "order ready" // at one location
	OrderDone      EventKind = "order done"
	LinkMade       EventKind = "link made"
	LinkSeen       EventKind = "link seen"
	PayTried       EventKind = "pay tried"
	PayApproved    EventKind = "pay approved"
	PayDeclined    EventKind = "pay declined"
	PayNotCharged  EventKind = "pay not charged"
	PayUnconfirmed EventKind = "pay unconfirmed"
	PayAtBank      EventKind = "pay at bank" // now
	PayUnknown     EventKind = "pay unknown" // now
	PayManual      EventKind = "pay manual"  // now
	ReceiptMade    EventKind = "receipt made"
	ReceiptMailed  EventKind = "receipt mailed"
	ReceiptHeld    EventKind = "receipt held"
	ReceiptFailed  EventKind = "receipt failed"
	RefundAsked    EventKind = "refund asked"
	RefundDone     EventKind = "refund done"
	RefundDeclined EventKind = "refund declined"
	RefundOpen     EventKind = "refund open"   // now
	RefundManual   EventKind = "refund manual" // now
	RefundMailed   EventKind = "refund mailed"
	RefundHeld     EventKind = "refund held"
	RefundFailed   EventKind = "refund failed"
	DisputeOpened  EventKind = "dispute opened"
	DisputeWon     EventKind = "dispute won"
	DisputeLost    EventKind = "dispute lost"
	PaidOut        EventKind = "paid out"
	RefundPaidOut  EventKind = "refund paid out"
	DisputePaidOut EventKind = "dispute paid out"
	ReturnPaidOut  EventKind = "return paid out"
)

package books

import (
	"time"

	"forecourt/db/state"
)

// Payment is a payment as the desk lists it. Amounts are in minor units of Currency.
type Payment struct {
	ID          string // of the transaction
	State       PaymentState
	Amount      int64 // that was taken or asked for
	Refunded    int64
	Currency    string
	Method      state.Method
	Brand       string // of the card, as package card names it
	LastFour    string
	Payer       string // who paid, as typed on the payment page
	Guest       string // whose order it is
	Table       string
	Link        bool // a pay link, not an order
	Reference   string
	Description string
	Test        bool
	At          time.Time // when somebody last tried to pay, in the shop's zone
}

// PaymentState is the state of a payment.
type PaymentState string

// The states.
const (
	PaymentPaid     PaymentState = "paid"     // money moved
	PaymentPart     PaymentState = "part"     // some of it was refunded
	PaymentBack     PaymentState = "back"     // all of it was refunded
	PaymentDeclined PaymentState = "declined" // the bank declined it, or never heard of it
	PaymentOpen     PaymentState = "open"     // the outcome is not known yet
	PaymentManual   PaymentState = "manual"   // staff are finding out what became of it
	PaymentDisputed PaymentState = "disputed" // the bank holds or has taken the money
	PaymentNew      PaymentState = "new"      // nobody has tried to pay
)

// paymentState returns the state of a payment of an amount from that of its last attempt. disputed is the state of its dispute, "" for
// none.
func paymentState(attempt state.Attempt, disputed state.Dispute, refunded, amount int64) PaymentState {
	switch attempt {
	case "":
		return PaymentNew
	case state.AttemptApproved:
	case state.AttemptDeclined, state.AttemptNotCharged:
		return PaymentDeclined
	case state.AttemptManual:
		return PaymentManual
	default:
		return PaymentOpen
	}
	switch {
	case disputed == state.DisputeOpened, disputed == state.DisputeLost:
		return PaymentDisputed
	case refunded >= amount:
		return PaymentBack
	case refunded > 0:
		return PaymentPart
	}
	return PaymentPaid
}

// The kinds of payments that a list can show.
const (
	AllPayments      = ""
	PaidPayments     = "paid" // also those that were refunded in part
	RefundedPayments = "refunded"
	DeclinedPayments = "declined"
	OpenPayments     = "open" // without an outcome
	DisputedPayments = "disputed"
)

// PaymentFilter selects the payments of a list. The zero value selects all real payments.
type PaymentFilter struct {
	Show      string // one of AllPayments, PaidPayments, …
	Test      bool   // test payments
	Amount    int64  // in minor units; 0 for any
	LastFour  string // of the card
	Name      string // part of who paid or whose order it is
	Table     string
	Reference string // of the business, our id or the gateway's
	Method    state.Method
	Since     time.Time // the zero time is the beginning
	Before    time.Time // the zero time is now
}

// Package state defines the states and kinds that the database stores. docs/states.md draws the transitions between those of payments.
package state

// Transaction is the state of a transaction.
type Transaction string

// These are the states of a transaction. A merchant's other programs may have stored others, which pages show unchanged.
const (
	New        Transaction = "new"        // to be paid
	Processing Transaction = "processing" // an attempt holds it
	Success    Transaction = "success"    // an order, paid and being made
	Completed  Transaction = "completed"  // an order, paid and made
	Paid       Transaction = "paid"       // a pay link, paid
	Error      Transaction = "error"      // the last attempt was refused
	Expired    Transaction = "expired"    // nobody paid in time
)

// Attempt is the state of one attempt to pay.
type Attempt string

// The states of an attempt. Approved, declined and not charged are final.
const (
	AttemptSubmitting Attempt = "submitting"  // on its way to the gateway
	AttemptRedirected Attempt = "redirected"  // the customer is at the bank's page
	AttemptUnknown    Attempt = "unknown"     // the gateway's answer is missing; the sweep asks again
	AttemptManual     Attempt = "manual"      // a person has to decide
	AttemptApproved   Attempt = "approved"    // money moved
	AttemptDeclined   Attempt = "declined"    // the bank said no
	AttemptNotCharged Attempt = "not_charged" // the bank never heard of it
)

// Refused reports whether an attempt ended without a charge.
func (a Attempt) Refused() bool { return a == AttemptDeclined || a == AttemptNotCharged }

// Refund is the state of a refund.
type Refund string

// The states of a refund. Done and declined are final.
const (
	RefundOpen     Refund = "open"     // the gateway's answer is not known
	RefundPending  Refund = "pending"  // the gateway has it and has not decided
	RefundManual   Refund = "manual"   // a person has to decide
	RefundDone     Refund = "done"     // the money was refunded
	RefundDeclined Refund = "declined" // the gateway said no
)

// Dispute is the state of a dispute.
type Dispute string

// The states of a dispute. The bank decides; won and lost are final.
const (
	DisputeOpened Dispute = "opened"
	DisputeWon    Dispute = "won"
	DisputeLost   Dispute = "lost"
)

// Known reports whether a state is one of these.
func (d Dispute) Known() bool { return d == DisputeOpened || d == DisputeWon || d == DisputeLost }

// Movement is the kind of movement behind a line of a payout.
type Movement string

// These are the movements. A line that is MovedUnknown matches nothing of the business; one that is MovedAgain was in an earlier payout.
const (
	MovedCharge  Movement = "capture"
	MovedRefund  Movement = "refund"
	MovedTaken   Movement = "taken"    // by a bank, in a dispute
	MovedReturn  Movement = "returned" // by a bank, after a dispute
	MovedUnknown Movement = "unknown"
	MovedAgain   Movement = "again"
)

// The kinds of transactions.
const (
	OrderKind = "order"
	LinkKind  = "link"
)

// LineKind says what a line of an order is for.
type LineKind string

// The kinds of lines. Those that are no items are extras: nothing is made.
const (
	LineItem      LineKind = "item"
	LineSurcharge LineKind = "surcharge"
	LineTip       LineKind = "tip"
)

// Line is the state of one line of an order.
type Line string

// The states of a line.
const (
	LineOpen      Line = "open"      // to be made
	LineDone      Line = "done"      // made
	LineCancelled Line = "cancelled" // refunded before it was made
	LineExtra     Line = "extra"     // of an extra
)

// Person is the state of the check of somebody behind a business.
type Person string

// The states of a person. A merchant cannot change one that is accepted.
const (
	PersonOpen     Person = "open"
	PersonWaiting  Person = "waiting"  // complete; staff have to look at it
	PersonReturned Person = "returned" // staff asked for more
	PersonAccepted Person = "accepted"
)

// Method is the way in which an attempt pays.
type Method string

// The methods.
const (
	Card      Method = "card"
	GooglePay Method = "gpay"
	ApplePay  Method = "apple"
)

// Form is the state of a merchant form.
type Form string

// The states of a form. Draft and returned are open to their owner.
const (
	FormDraft     Form = "draft"
	FormSubmitted Form = "submitted"
	FormReturned  Form = "returned" // staff asked for more
	FormApproved  Form = "approved"
	FormDeclined  Form = "declined"
)

// GoLive is the state of a business's request to go live.
type GoLive string

// The states of a request.
const (
	GoLiveAsked    GoLive = "waiting"  // staff have it
	GoLiveReturned GoLive = "returned" // staff asked for more, or took the approval back
	GoLiveApproved GoLive = "approved" // an owner may switch
)

// Export is the kind of rows in a table of the books.
type Export string

// The kinds of tables.
const (
	ExportPayments Export = "payments"
	ExportLines    Export = "lines"
	ExportRefunds  Export = "refunds"
	ExportDisputes Export = "disputes"
	ExportPayouts  Export = "payouts"
)

// Event is the kind of an event: what happened to a business.
type Event string

// The kinds of events. docs/store.md says what their rows hold.
const (
	EventPaymentSucceeded Event = "payment.succeeded"
	EventPaymentFailed    Event = "payment.failed"
	EventPaymentRefunded  Event = "payment.refunded"
	EventRefundFailed     Event = "refund.failed"
	EventRefundLarge      Event = "refund.large" // asked for, above the limit of managers
	EventRefundAsked      Event = "refund.asked" // of an owner, by somebody who may not refund so much
	EventDisputeOpened    Event = "dispute.opened"
	EventDisputeWon       Event = "dispute.won"
	EventDisputeLost      Event = "dispute.lost"
	EventPayoutPaid       Event = "payout.paid"
	EventOrderMade        Event = "order.made"
	EventOrderUnseen      Event = "order.unseen" // paid, while no kitchen screen is open
	EventOrderReady       Event = "order.ready"  // one location is done with it
	EventOrderDone        Event = "order.done"
	EventShopLive         Event = "shop.live"
	EventShopTest         Event = "shop.test"
	EventTeamChanged      Event = "team.changed"
)

// Account is how far a bank account has come that a shop asks to be paid into.
type Account string

// The states of an account.
const (
	AccountWaiting  Account = "waiting"  // the acquirer is to get it
	AccountPassed   Account = "passed"   // the acquirer has it
	AccountReturned Account = "returned" // staff ask for another one
)

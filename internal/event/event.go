// Package event defines the events of businesses. Database triggers write an event in the transaction of the change, and package eventstore
// numbers it after the commit. The numbers of a business begin at 1 and have no gaps. A reader who has read up to a number has missed
// nothing before it, however long a transaction took to commit.
package event

import "forecourt/db/state"

// Kind says what happened.
type Kind = state.Event

// The kinds. docs/store.md says what their rows hold.
const (
	PaymentSucceeded Kind = "payment.succeeded"
	PaymentFailed    Kind = "payment.failed"
	PaymentRefunded  Kind = "payment.refunded"
	RefundFailed     Kind = "refund.failed"
	RefundLarge      Kind = "refund.large" // asked for, above the limit of managers
	DisputeOpened    Kind = "dispute.opened"
	DisputeWon       Kind = "dispute.won"
	DisputeLost      Kind = "dispute.lost"
	PayoutPaid       Kind = "payout.paid"
	OrderMade        Kind = "order.made"
	OrderReady       Kind = "order.ready" // one location is done with it
	OrderDone        Kind = "order.done"
	ShopLive         Kind = "shop.live"
	ShopTest         Kind = "shop.test"
	TeamChanged      Kind = "team.changed"
)

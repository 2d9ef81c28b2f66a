// Package notice tells the people on a team what happened to their business, by email and in their browsers, as each of them chose.
//
// Database triggers write an event in the transaction of the change; the package numbers it after the commit. The numbers of a business
// begin at 1 and have no gaps, so who has read up to a number has missed nothing before it, however long a transaction took to commit.
// The transaction that moves on to the next events also queues the letters, so that nobody is told twice.
package notice

import (
	"time"

	"forecourt/db/state"
	"forecourt/internal/shop/shop"
)

// Kind is a kind of notice.
type Kind string

// The kinds.
const (
	Summary      Kind = "summary" // of a day
	RefundFailed Kind = "refund.failed"
	Dispute      Kind = "dispute"
	Payout       Kind = "payout"
	RefundLarge  Kind = "refund.large" // above the limit of managers
)

// Kinds lists the kinds in the order of the page that switches them.
func Kinds() []Kind { return []Kind{Summary, RefundFailed, Dispute, Payout, RefundLarge} }

// Pause is how long after a letter events wait for the next one.
const Pause = 10 * time.Minute

// events lists the events that each kind reports.
var events = map[Kind][]string{
	RefundFailed: {string(state.EventRefundFailed)},
	Dispute:      {string(state.EventDisputeOpened), string(state.EventDisputeWon), string(state.EventDisputeLost)},
	Payout:       {string(state.EventPayoutPaid)},
	RefundLarge:  {string(state.EventRefundLarge)},
}

// Events lists the kinds of events that a notice reports; none for Summary.
func (k Kind) Events() []string { return events[k] }

// Choice is how a person gets a kind of notice.
type Choice struct{ Mail, Push bool }

// Default returns the choice that applies to a role until the person chooses.
func Default(role shop.Role, kind Kind) Choice {
	runs := role == shop.Owner || role == shop.Manager
	switch kind {
	case Summary:
		return Choice{Mail: role == shop.Owner}
	case RefundFailed, Dispute:
		return Choice{Mail: runs, Push: runs} // messages come only to browsers that the person added
	}
	return Choice{}
}

// Package notice says what the people on a team may be told of, and how. Package noticestore tells them.
package notice

import (
	"forecourt/internal/event"
	"forecourt/internal/shop"
)

// Kind is what somebody is told of.
type Kind string

// The kinds.
const (
	Summary      Kind = "summary" // of a day
	RefundFailed Kind = "refund.failed"
	Dispute      Kind = "dispute"
	Payout       Kind = "payout"
	RefundLarge  Kind = "refund.large" // above the ceiling of managers
)

// Kinds lists the kinds in the order of the page that switches them.
func Kinds() []Kind { return []Kind{Summary, RefundFailed, Dispute, Payout, RefundLarge} }

// events lists the events that each kind tells of.
var events = map[Kind][]string{
	RefundFailed: {string(event.RefundFailed)},
	Dispute:      {string(event.DisputeOpened), string(event.DisputeWon), string(event.DisputeLost)},
	Payout:       {string(event.PayoutPaid)},
	RefundLarge:  {string(event.RefundLarge)},
}

// Events lists the kinds of events that a notice tells of; none for Summary.
func (k Kind) Events() []string { return events[k] }

// Choice is how somebody is told of something.
type Choice struct{ Mail, Push bool }

// Default returns the choice of somebody who has not chosen.
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

package shop

import (
	"forecourt/internal/kit/fault"
)

// Reasons why somebody may not refund that much.
var (
	// ErrRefundLimit means that the amount is more than the role may refund of one payment.
	ErrRefundLimit = fault.New(fault.Conflict, "above the limit of the role")
	// ErrUnproved means that the person has to prove who they are before the refund.
	ErrUnproved = fault.New(fault.Forbidden, "above the limit of managers without a proof of identity")
	// ErrNoRefundLimit means that the role cannot have a limit, or that the limit is not valid.
	ErrNoRefundLimit = fault.New(fault.Invalid, "not a limit of a role")
)

// RefundLimit is the most that each person of a role may refund of one payment.
type RefundLimit struct {
	Any  bool  // no limit
	Most int64 // in minor units of the shop's currency; 0 is nothing at all
}

// Allows reports whether an amount is within the limit.
func (l RefundLimit) Allows(minor int64) bool { return l.Any || minor <= l.Most }

// For returns the limit for payments in a currency of a shop with its own. An amount in another currency cannot be compared with it, so
// only a role without a limit may refund it.
func (l RefundLimit) For(currency, own string) RefundLimit {
	if l.Any || currency == own {
		return l
	}
	return RefundLimit{}
}

// MostRefundLimit is the highest limit that can be set, in minor units; a higher one is Any.
const MostRefundLimit = 99_999_999

// RefundLimits are the limits of a shop, by role.
type RefundLimits map[Role]RefundLimit

// Of returns the limit of a role, zero for a role that may not refund at all.
func (l RefundLimits) Of(role Role) RefundLimit {
	if !role.May(Refund) {
		return RefundLimit{}
	}
	if set, ok := l[role]; ok {
		return set
	}
	return defaultRefundLimits[role]
}

// defaultRefundLimits apply until an owner sets others.
var defaultRefundLimits = RefundLimits{Owner: {Any: true}, Manager: {Most: 20_000}, Floor: {}}

// Refunders lists the roles that may have a limit.
func Refunders() (roles []Role) {
	for _, role := range Roles() {
		if role.May(Refund) {
			roles = append(roles, role)
		}
	}
	return roles
}

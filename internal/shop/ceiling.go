package shop

import (
	"forecourt/internal/fault"
)

// Reasons why somebody may not give back that much.
var (
	// ErrCeiling means that the amount is more than the role may give back of one payment.
	ErrCeiling = fault.New(fault.Conflict, "above the ceiling of the role")
	// ErrUnproved means that the person has to prove who they are before the refund.
	ErrUnproved = fault.New(fault.Forbidden, "above the ceiling of managers without a proof")
	// ErrNoCeiling means that the role cannot have a ceiling, or that the ceiling is not valid.
	ErrNoCeiling = fault.New(fault.Invalid, "not a ceiling of a role")
)

// Ceiling is the most that each person of a role may give back of one payment.
type Ceiling struct {
	Any  bool  // no ceiling
	Most int64 // in minor units of the shop's currency; 0 is nothing at all
}

// Allows reports whether an amount is within the ceiling.
func (c Ceiling) Allows(minor int64) bool { return c.Any || minor <= c.Most }

// For returns the ceiling for payments in a currency of a shop with its own. An amount in another currency cannot be compared with it, so only
// a role without a ceiling may give it back.
func (c Ceiling) For(currency, own string) Ceiling {
	if c.Any || currency == own {
		return c
	}
	return Ceiling{}
}

// MostCeiling is the highest ceiling that can be set, in minor units; a higher one is Any.
const MostCeiling = 99_999_999

// Ceilings are the ceilings of a shop, by role.
type Ceilings map[Role]Ceiling

// Of returns the ceiling of a role, zero for a role that may not refund at all.
func (c Ceilings) Of(role Role) Ceiling {
	if !role.May(Refund) {
		return Ceiling{}
	}
	if set, ok := c[role]; ok {
		return set
	}
	return defaultCeilings[role]
}

// defaultCeilings apply until an owner sets others.
var defaultCeilings = Ceilings{Owner: {Any: true}, Manager: {Most: 20_000}, Floor: {}}

// Refunders lists the roles that may have a ceiling.
func Refunders() (roles []Role) {
	for _, role := range Roles() {
		if role.May(Refund) {
			roles = append(roles, role)
		}
	}
	return roles
}

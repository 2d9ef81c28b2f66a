// Package shop holds the rules of a merchant's shop and its desk: roles and rights, name and looks, tables, and the steps to the first
// live sale. The database and addresses call a shop a client.
package shop

import "slices"

// Role is a person's role in a shop.
type Role string

// The roles. Device is not a person's: it is a screen in the kitchen that opened a device link.
const (
	Owner   Role = "owner"
	Manager Role = "manager"
	Floor   Role = "floor"
	Viewer  Role = "viewer"
	Device  Role = "device"
)

// Right is something that a role may do.
type Right string

// The rights. Each page needs one of them; docs/decisions/0050 explains them.
const (
	Look    Right = "look"    // see the desk, orders and payments
	Kitchen Right = "kitchen" // run the kitchen screen and mark things sold out
	Edit    Right = "edit"    // change menu, shop and tables; make pay links
	Own     Right = "own"     // team, agreements, going live
)

// rights lists the roles that have each right. Only Role.May reads it.
var rights = map[Right][]Role{
	Look:    {Owner, Manager, Floor, Viewer},
	Kitchen: {Owner, Manager, Floor, Device},
	Edit:    {Owner, Manager},
	Own:     {Owner},
}

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(rights[right], r) }

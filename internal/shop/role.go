// Package shop holds the rules of a merchant's shop and of its desk: who may do what in it, what it is called and looks like, its tables
// and its way to the first live sale. In the database and in addresses a shop is a client.
package shop

import "slices"

// Role is what a person is in a shop.
type Role string

// The roles. Device is no person's: a screen in the kitchen that opened a device link.
const (
	Owner   Role = "owner"
	Manager Role = "manager"
	Floor   Role = "floor"
	Viewer  Role = "viewer"
	Device  Role = "device"
)

// Roles lists what a person may be, from who may most.
func Roles() []Role { return []Role{Owner, Manager, Floor, Viewer} }

// Right is something that a role may do.
type Right string

// The rights. A page asks for one of them; docs/decisions/0050 says what belongs to which.
const (
	Look    Right = "look"    // see the desk, orders and payments
	Kitchen Right = "kitchen" // run the kitchen screen and mark things sold out
	Edit    Right = "edit"    // change menu, shop and tables
	Own     Right = "own"     // team, agreements, going live
)

// rights is who may do what. It is asked in one place: Role.May.
var rights = map[Right][]Role{
	Look:    {Owner, Manager, Floor, Viewer},
	Kitchen: {Owner, Manager, Floor, Device},
	Edit:    {Owner, Manager},
	Own:     {Owner},
}

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(rights[right], r) }

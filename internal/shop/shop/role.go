// Package shop defines the rules of a merchant's shop and its desk: roles and rights, name and looks, pictures, screens and tables; and it
// stores them. Addresses call it a client (/pos/{client}).
package shop

import "slices"

// Role is a person's role in a shop.
type Role string

// The roles. KitchenScreen is not a person's role but that of a kitchen screen that opened its link. Staff is the role of the provider's
// people, who may read most pages of every desk but have no right in any shop. The database checks the same list in shop_member,
// shop_invite; refund_limit has those that may refund.
const (
	Owner         Role = "owner"
	Manager       Role = "manager"
	Floor         Role = "floor"
	Viewer        Role = "viewer"
	Accountant    Role = "accountant"
	KitchenScreen Role = "screen"
	Staff         Role = "staff"
)

// Right is the permission to do something, which a role may have.
type Right string

// The rights. Each page needs one of them; docs/decisions/0050 explains them.
const (
	Look    Right = "look"    // see payments and disputes
	Takings Right = "takings" // see what was taken, payouts and closings; see Shop.Lets
	Day     Right = "day"     // see the day, pay links and the steps to go live
	Kitchen Right = "kitchen" // run the kitchen screen and mark things sold out
	Edit    Right = "edit"    // change menu, shop and tables; make pay links
	Refund  Right = "refund"  // make refunds, up to the limit of the role
	Close   Right = "close"   // close the day
	Books   Right = "books"   // export the books
	Hire    Right = "hire"    // invite floor staff, viewers and accountants, connect kitchen screens
	Own     Right = "own"     // change anybody's role, sign agreements, go live
)

// rights lists the roles that have each right. Only Role.May reads it.
var rights = map[Right][]Role{
	Look:    {Owner, Manager, Floor, Viewer, Accountant},
	Takings: {Owner, Manager, Floor, Viewer, Accountant},
	Day:     {Owner, Manager, Floor, Viewer},
	Kitchen: {Owner, Manager, Floor, KitchenScreen},
	Edit:    {Owner, Manager},
	Refund:  {Owner, Manager, Floor},
	Close:   {Owner, Manager},
	Books:   {Owner, Manager, Accountant},
	Hire:    {Owner, Manager},
	Own:     {Owner},
}

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(rights[right], r) }

// Lets reports whether a role has a right in the shop, which may hide its takings from floor staff.
func (s Shop) Lets(r Role, right Right) bool {
	return r.May(right) && (right != Takings || r != Floor || s.FloorTakings)
}

// Roles lists the roles that a person can have, the most trusted first.
func Roles() []Role { return []Role{Owner, Manager, Floor, Viewer, Accountant} }

// Rights lists the rights in the order they are explained.
func Rights() []Right {
	return []Right{Look, Takings, Day, Kitchen, Refund, Edit, Close, Books, Hire, Own}
}

// MayManage reports whether a role may invite, change and remove people of another role. A role with the right Hire but not Own manages
// only roles that have neither.
func (r Role) MayManage(other Role) bool {
	return slices.Contains(Roles(), other) && (r.May(Own) || r.May(Hire) && !other.May(Hire))
}

// Loses reports whether a member who changes from one role to another loses a right.
func (r Role) Loses(next Role) bool {
	return slices.ContainsFunc(Rights(), func(right Right) bool { return r.May(right) && !next.May(right) })
}

package desk

import (
	"time"

	"github.com/google/uuid"

	"forecourt/internal/clock"
	"forecourt/internal/shop"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// Member is a person on the team, in the list or on a page of their own.
type Member struct {
	Frame             layout.Desk
	Name, Email, Role string
	Since             string
	You               bool
	URL               string // of the member's page; in the list empty if the reader may not open it
	TeamURL           string
	Notice            string
	Roles             *ui.Choice // nil if the reader may not change the role
	Transfer          bool       // the reader may transfer ownership to the member
	Screens           bool       // the member may have connected kitchen screens, which end with the membership
}

// MemberOf returns a member as somebody with a role and an id sees them.
func MemberOf(by shop.Role, me uuid.UUID, one shop.Member, zone *time.Location) Member {
	m := Member{
		Name: one.Name, Email: one.Email, Role: RoleName(one.Role), Since: clock.Day(one.Since, zone), You: one.ID == me,
		Transfer: by.May(shop.Own) && one.ID != me && one.Role != shop.Owner, Screens: one.Role.May(shop.Hire),
	}
	if m.Name == "" {
		m.Name = one.Email
	}
	if by.MayManage(one.Role) {
		roles := roleChoice(by, one.Role)
		m.Roles = &roles
	}
	return m
}

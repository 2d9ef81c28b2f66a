package desk

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/shop/shop"
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
	Transfer          bool       // the reader may make the member owner in the reader's place
	Proof             shop.Proof // what is known of the member, with Transfer or AskIdentity
	AskIdentity       bool       // the member owns the shop, nobody has verified who they are, and the reader may enter it
	ProofURL          string     // where that is entered
	FullName          ui.Field   // of the member, as documents have it
	Screens           bool       // the member may have connected kitchen screens, which end with the membership
}

// proofWords says how far the proof of a member's identity has come.
func (m Member) proofWords() string {
	then := ""
	if m.Transfer {
		then = " Then you can transfer the business here."
	}
	switch m.Proof.State {
	case state.PersonWaiting:
		return "We are checking who " + m.Name + " is, and will email you." + then
	case state.PersonReturned:
		return "We need a little more to know who " + m.Name + " is."
	default:
		return "Enter the details of " + m.Name + ", and we check them." + then
	}
}

// Words about a member who is to own the business.
const (
	Unproven  = "We verify every owner’s identity. What to do first is below, under “Transfer ownership”."
	NoName    = "Enter the full name, as on the driver licence"
	LastKnown = "We have verified no other owner of this business. Have us verify another owner first."
	NotYours  = "You do not run the compliance record of this business. Ask the owner who signed the agreement to do this."
)

// FullNameField asks for the name of a member who is to own the business. A first name alone is not filled in.
func FullNameField(name string) ui.Field {
	if !strings.Contains(name, " ") {
		name = ""
	}
	return ui.Field{ID: "name", Name: "name", Label: "Full name, as on the driver licence", Value: name, Autocomplete: "off"}
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

package shop

import (
	"time"

	"github.com/google/uuid"

	"forecourt/db/state"
	"forecourt/internal/kit/fault"
)

// Why a change of a team is refused.
var (
	// ErrLastOwner means that the shop would be left without an owner.
	ErrLastOwner = fault.New(fault.Conflict, "the shop's last owner")
	// ErrLastKnown means that no known owner would remain on a shop with an accepted application.
	ErrLastKnown = fault.New(fault.Conflict, "the shop's last known owner")
	// ErrNoMember means that the person is not on the team any more.
	ErrNoMember = fault.New(fault.NotFound, "not on the team of this shop")
	// ErrOnTeam means that the invited person is on the team already.
	ErrOnTeam = fault.New(fault.Conflict, "on the team already")
	// ErrUnknownOwner means that staff have not accepted who the new owner is.
	ErrUnknownOwner = fault.New(fault.Conflict, "nobody has accepted the identity of the new owner")
	// ErrEmail means that an invitation is for no valid address.
	ErrEmail = fault.New(fault.Invalid, "not an email address")
	// ErrInvite means that an invitation has ended, was never made, or is for another address.
	ErrInvite = fault.New(fault.Gone, "no such invitation for this address")
	// ErrInviteUsed means that the invitation was accepted.
	ErrInviteUsed = fault.New(fault.Gone, "the invitation was used")
)

// Member is a person on a shop's team.
type Member struct {
	ID          uuid.UUID
	Email, Name string // Name may be empty
	Role        Role
	Since       time.Time
}

// Proof is what is known of the identity of a member who is to own the shop. The provider knows its owners: once an application was
// accepted, an owner is the applicant, or somebody whose identity staff accepted.
type Proof struct {
	Record  string // id of the compliance record; "" as long as no application was accepted
	Applied bool   // the member is the applicant
	Number  int    // of the member in the record; 0 if not asked yet
	State   state.Person
}

// MayOwn reports whether the member may own the shop.
func (p Proof) MayOwn() bool { return p.Record == "" || p.Applied || p.State == state.PersonAccepted }

// Invited is an invitation that nobody has accepted yet.
type Invited struct {
	Email string
	Role  Role
	Until time.Time
}

// Invitation is what a link invites to.
type Invitation struct {
	Code, Business string // of the shop
	Email          string
	Role           Role
	Account        bool // the address has an account
}

package shop

import (
	"time"

	"github.com/google/uuid"

	"forecourt/internal/fault"
)

// Why a change of a team is refused.
var (
	// ErrLastOwner means that the shop would be left without an owner.
	ErrLastOwner = fault.New(fault.Conflict, "the shop's last owner")
	// ErrNoMember means that the person is not on the team any more.
	ErrNoMember = fault.New(fault.NotFound, "not on the team of this shop")
	// ErrOnTeam means that the invited person is on the team already.
	ErrOnTeam = fault.New(fault.Conflict, "on the team already")
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

package shop

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/pubsub"
)

// Why a change of a team is refused.
var (
	// ErrLastOwner means that the shop would be left without an owner.
	ErrLastOwner = fault.New(fault.Conflict, "A business needs an owner. Make somebody else an owner first, or transfer ownership.")
	// ErrLastKnown means that no known owner would remain on a shop with an accepted application.
	ErrLastKnown = fault.New(fault.Conflict, "We have verified no other owner of this business. Have us verify another owner first.")
	// ErrNoMember means that the person is not on the team any more.
	ErrNoMember = fault.New(fault.NotFound, "not on the team of this shop")
	// ErrOnTeam means that the invited person is on the team already.
	ErrOnTeam = fault.New(fault.Conflict, "This person is on the team already. Change the role in the list above.")
	// ErrUnknownOwner means that staff have not accepted who the new owner is.
	ErrUnknownOwner = fault.New(fault.Conflict,
		"We verify every owner’s identity. What to do first is below, under “Transfer ownership”.")
	// ErrEmail means that an invitation is for no valid address.
	ErrEmail = fault.New(fault.Invalid, "Enter a full email address, such as sam@example.com")
	// ErrInvite means that an invitation has ended, was never made, or is for another address.
	ErrInvite = fault.New(fault.Gone, "no such invitation for this address")
	// ErrInviteUsed means that the invitation was accepted.
	ErrInviteUsed = fault.New(fault.Gone, "the invitation was used")
)

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

// Members lists the team of a shop, in the order they joined.
func (s *Shops) Members(ctx context.Context, code string) ([]Member, error) {
	return s.queries.TeamList(ctx, code)
}

// SetRole gives a member another role. Errors: account.ErrUnproved, ErrMissing, ErrRole, ErrNoMember, ErrLastOwner, ErrUnknownOwner.
func (s *Shops) SetRole(ctx context.Context, by Person, code string, member uuid.UUID, role Role) error {
	return s.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
		switch {
		case !mine.MayManage(Role(was.Role)) || !mine.MayManage(role):
			return Change{}, ErrRole
		case was.Role == string(role):
			return Change{}, nil
		}
		return Change{Action: "role changed", Detail: was.Email + ": " + was.Role + " to " + string(role)},
			put(ctx, queries, code, member, was, role)
	})
}

// Remove ends every access that a member has to a shop. Members may remove themselves. Errors are those of SetRole.
func (s *Shops) Remove(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return s.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
		if member != by.ID && !mine.MayManage(Role(was.Role)) {
			return Change{}, ErrRole
		}
		if err := leave(ctx, queries, code, member, was, true); err != nil {
			return Change{}, err
		}
		if err := queries.CompliancePersonWithdraw(ctx, code, member); err != nil {
			return Change{}, err
		}
		return Change{Action: "member removed", Detail: was.Email + ", " + was.Role}, nil
	})
}

// Transfer makes a member an owner in place of the person, who becomes a manager. Errors are those of SetRole.
func (s *Shops) Transfer(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return s.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
		if !mine.May(Own) || member == by.ID {
			return Change{}, ErrRole
		}
		if err := put(ctx, queries, code, member, was, Owner); err != nil {
			return Change{}, err
		}
		own, err := queries.TeamGet(ctx, code, by.ID)
		if err != nil {
			return Change{}, err
		}
		return Change{
			Action: "ownership transferred", Detail: by.Email + " to " + was.Email,
		}, put(ctx, queries, code, by.ID, own, Manager)
	})
}

// DropProof stops, for an owner who may open the record, asking a member to prove who they are: the member is not to own the shop. Errors
// are those of SetRole.
func (s *Shops) DropProof(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return s.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
		runs, err := queries.ComplianceRunner(ctx, code, by.ID)
		if err != nil {
			return Change{}, err
		}
		if !mine.May(Own) || !runs {
			return Change{}, ErrRole
		}
		return Change{Action: "transfer given up", Detail: was.Email}, queries.CompliancePersonWithdraw(ctx, code, member)
	})
}

// about is change for a single member.
func (s *Shops) about(
	ctx context.Context, by Person, code string, member uuid.UUID, work func(*db.Queries, Role, db.TeamGetRow) (Change, error),
) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	return s.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
		queries := db.New(tx)
		was, err := queries.TeamGet(ctx, code, member)
		if err != nil {
			return Change{}, none(err, ErrNoMember)
		}
		return work(queries, mine, was)
	})
}

// change runs work for a person who may hire, one at a time for each shop, and has open kitchen screens check that they still have access.
func (s *Shops) change(ctx context.Context, by Person, code string, work func(pgx.Tx, Role) (Change, error)) error {
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		if _, err := db.New(tx).ShopLock(ctx, code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return ChangeIn(ctx, tx, by, code, Hire, func(mine Role) (Change, error) { return work(tx, mine) })
	})
	if err == nil {
		s.Announce(pubsub.Kitchen(code))
	}
	return err
}

// Proof returns what is known about the identity of a member who is to own a shop.
func (s *Shops) Proof(ctx context.Context, code string, member uuid.UUID) (Proof, error) {
	return ProofIn(ctx, s.queries, code, member)
}

// ProofIn is Proof within a transaction.
func ProofIn(ctx context.Context, queries *db.Queries, code string, member uuid.UUID) (Proof, error) {
	row, err := queries.ComplianceSuccessor(ctx, member, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return Proof{}, nil
	}
	return Proof{Record: row.ID, Applied: row.Applied, Number: int(row.Number), State: state.Person(row.State)}, err
}

// MakeTeam puts a merchant's admins on the team of its new shop, which the record of the merchant's maker may be for. Those who may own the
// shop become owners; the others become managers and lose the dashboard.
func MakeTeam(ctx context.Context, queries *db.Queries, code string, merchant uuid.UUID) error {
	admins, err := queries.MerchantTeamList(ctx, merchant)
	if err != nil || len(admins) == 0 {
		return err
	}
	if err := queries.ComplianceLinkNew(ctx, code, merchant); err != nil {
		return err
	}
	for _, admin := range admins {
		known, err := ProofIn(ctx, queries, code, admin)
		if err != nil {
			return err
		}
		role := Owner
		if !known.MayOwn() {
			role = Manager
			if err := queries.MerchantAdminDrop(ctx, merchant, admin); err != nil {
				return err
			}
		}
		if err := queries.TeamPut(ctx, db.TeamPutParams{ShopCode: code, AccountID: admin, Role: string(role)}); err != nil {
			return err
		}
	}
	return nil
}

// put gives a member a role. A member who loses a right loses what came with it, too: the dashboard, agreements and invitations, and the
// kitchen screens of those who may not connect any.
func put(ctx context.Context, queries *db.Queries, code string, member uuid.UUID, was db.TeamGetRow, role Role) error {
	if role.May(Own) {
		known, err := ProofIn(ctx, queries, code, member)
		if err != nil {
			return err
		}
		if !known.MayOwn() {
			return ErrUnknownOwner
		}
	}
	if Role(was.Role).Loses(role) {
		if err := leave(ctx, queries, code, member, was, !role.May(Hire)); err != nil {
			return err
		}
	}
	err := queries.TeamPut(ctx, db.TeamPutParams{ShopCode: code, AccountID: member, Role: string(role), JoinedAt: &was.JoinedAt})
	if err == nil && role.May(Own) {
		err = queries.MerchantAdminAddOfShop(ctx, member, code)
	}
	return err
}

// leave ends a member's access. Errors: ErrLastOwner if no owner would remain, ErrLastKnown if the member is the only known
// owner.
func leave(ctx context.Context, queries *db.Queries, code string, member uuid.UUID, was db.TeamGetRow, screens bool) error {
	if Role(was.Role) == Owner {
		owners, err := queries.TeamOwnerCount(ctx, code, member)
		switch {
		case err != nil:
			return err
		case owners.Others == 0:
			return ErrLastOwner
		case owners.Known && owners.KnownOthers == 0:
			return ErrLastKnown
		}
		if err := queries.TeamHandOver(ctx, code, member); err != nil {
			return err
		}
	}
	return queries.AdminRemove(ctx, code, member, screens)
}

package shop

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/pubsub"
	"forecourt/internal/run/throttle"
)

// TeamConfig holds what NewTeam needs.
type TeamConfig struct {
	Pool     *pgxpool.Pool
	Mail     *mail.Queue
	Rule     account.Verification // who may invite
	LimitKey secret.Key           // hashes what limits count by
	Announce func(topic string)   // makes open kitchen screens check that they still have access
}

// Team changes who works for a shop and which kitchen screens it has. Each change locks the shop's row first, so that two at once see
// each other: a shop that has an owner keeps one.
type Team struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	mail     *mail.Queue
	rule     account.Verification
	throttle *throttle.Throttle
	announce func(topic string)
}

// NewTeam returns the teams stored in a database.
func NewTeam(c TeamConfig) *Team {
	queries := db.New(c.Pool)
	return &Team{c.Pool, queries, c.Mail, c.Rule, throttle.New(queries, c.LimitKey), c.Announce}
}

// Members lists the team of a shop, in the order they joined.
func (t *Team) Members(ctx context.Context, code string) ([]Member, error) {
	rows, err := t.queries.TeamList(ctx, code)
	list := make([]Member, len(rows))
	for i, row := range rows {
		list[i] = Member{ID: row.ID, Email: row.Email, Name: row.Name, Role: Role(row.Role), Since: row.JoinedAt}
	}
	return list, err
}

// SetRole gives a member another role. Errors: shop.ErrMissing, shop.ErrRole, shop.ErrNoMember, shop.ErrLastOwner, shop.ErrUnknownOwner.
func (t *Team) SetRole(ctx context.Context, by Person, code string, member uuid.UUID, role Role) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
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
func (t *Team) Remove(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
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
func (t *Team) Transfer(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
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
func (t *Team) DropProof(ctx context.Context, by Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine Role, was db.TeamGetRow) (Change, error) {
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
func (t *Team) about(
	ctx context.Context, by Person, code string, member uuid.UUID, work func(*db.Queries, Role, db.TeamGetRow) (Change, error),
) error {
	return t.change(ctx, by, code, func(tx pgx.Tx, mine Role) (Change, error) {
		queries := db.New(tx)
		was, err := queries.TeamGet(ctx, code, member)
		if errors.Is(err, pgx.ErrNoRows) {
			err = ErrNoMember
		}
		if err != nil {
			return Change{}, err
		}
		return work(queries, mine, was)
	})
}

// change runs work for a person who may hire, one at a time for each shop, and has open kitchen screens check that they still have access.
func (t *Team) change(ctx context.Context, by Person, code string, work func(pgx.Tx, Role) (Change, error)) error {
	err := pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		if _, err := db.New(tx).ShopLock(ctx, code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return ChangeIn(ctx, tx, by, code, Hire, func(mine Role) (Change, error) { return work(tx, mine) })
	})
	if err == nil {
		t.announce(pubsub.Kitchen(code))
	}
	return err
}

// Proof returns what is known about the identity of a member who is to own a shop.
func (t *Team) Proof(ctx context.Context, code string, member uuid.UUID) (Proof, error) {
	return ProofIn(ctx, t.queries, code, member)
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
		if err := queries.TeamPut(ctx, db.TeamPutParams{ClientCode: code, AccountID: admin, Role: string(role)}); err != nil {
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
	err := queries.TeamPut(ctx, db.TeamPutParams{ClientCode: code, AccountID: member, Role: string(role), JoinedAt: &was.JoinedAt})
	if err == nil && role.May(Own) {
		err = queries.MerchantAdminAddOfShop(ctx, member, code)
	}
	return err
}

// leave ends a member's access. Errors: shop.ErrLastOwner if no owner would remain, shop.ErrLastKnown if the member is the only known
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

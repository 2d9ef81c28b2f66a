package shopstore

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/account"
	"forecourt/internal/kitchen"
	"forecourt/internal/mail"
	"forecourt/internal/secret"
	"forecourt/internal/shop"
	"forecourt/internal/throttle"
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
func (t *Team) Members(ctx context.Context, code string) ([]shop.Member, error) {
	rows, err := t.queries.TeamList(ctx, code)
	list := make([]shop.Member, len(rows))
	for i, row := range rows {
		list[i] = shop.Member{ID: row.ID, Email: row.Email, Name: row.Name, Role: shop.Role(row.Role), Since: row.JoinedAt}
	}
	return list, err
}

// SetRole gives a member another role. Errors: shop.ErrMissing, shop.ErrRole, shop.ErrNoMember, shop.ErrLastOwner, shop.ErrUnknownOwner.
func (t *Team) SetRole(ctx context.Context, by shop.Person, code string, member uuid.UUID, role shop.Role) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine shop.Role, was db.TeamGetRow) (shop.Change, error) {
		switch {
		case !mine.MayManage(shop.Role(was.Role)) || !mine.MayManage(role):
			return shop.Change{}, shop.ErrRole
		case was.Role == string(role):
			return shop.Change{}, nil
		}
		return shop.Change{Action: "role changed", Detail: was.Email + ": " + was.Role + " to " + string(role)},
			put(ctx, queries, code, member, was, role)
	})
}

// Remove ends every access that a member has to a shop. Members may remove themselves. Errors are those of SetRole.
func (t *Team) Remove(ctx context.Context, by shop.Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine shop.Role, was db.TeamGetRow) (shop.Change, error) {
		if member != by.ID && !mine.MayManage(shop.Role(was.Role)) {
			return shop.Change{}, shop.ErrRole
		}
		if err := leave(ctx, queries, code, member, was, true); err != nil {
			return shop.Change{}, err
		}
		if err := queries.CompliancePersonWithdraw(ctx, code, member); err != nil {
			return shop.Change{}, err
		}
		return shop.Change{Action: "member removed", Detail: was.Email + ", " + was.Role}, nil
	})
}

// Transfer makes a member an owner in place of the person, who becomes a manager. Errors are those of SetRole.
func (t *Team) Transfer(ctx context.Context, by shop.Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine shop.Role, was db.TeamGetRow) (shop.Change, error) {
		if !mine.May(shop.Own) || member == by.ID {
			return shop.Change{}, shop.ErrRole
		}
		if err := put(ctx, queries, code, member, was, shop.Owner); err != nil {
			return shop.Change{}, err
		}
		own, err := queries.TeamGet(ctx, code, by.ID)
		if err != nil {
			return shop.Change{}, err
		}
		return shop.Change{
			Action: "ownership transferred", Detail: by.Email + " to " + was.Email,
		}, put(ctx, queries, code, by.ID, own, shop.Manager)
	})
}

// DropProof stops, for an owner who may open the record, asking a member to prove who they are: the member is not to own the shop. Errors
// are those of SetRole.
func (t *Team) DropProof(ctx context.Context, by shop.Person, code string, member uuid.UUID) error {
	return t.about(ctx, by, code, member, func(queries *db.Queries, mine shop.Role, was db.TeamGetRow) (shop.Change, error) {
		runs, err := queries.ComplianceRunner(ctx, code, by.ID)
		if err != nil {
			return shop.Change{}, err
		}
		if !mine.May(shop.Own) || !runs {
			return shop.Change{}, shop.ErrRole
		}
		return shop.Change{Action: "transfer given up", Detail: was.Email}, queries.CompliancePersonWithdraw(ctx, code, member)
	})
}

// about is change for a single member.
func (t *Team) about(
	ctx context.Context, by shop.Person, code string, member uuid.UUID, work func(*db.Queries, shop.Role, db.TeamGetRow) (shop.Change, error),
) error {
	return t.change(ctx, by, code, func(tx pgx.Tx, mine shop.Role) (shop.Change, error) {
		queries := db.New(tx)
		was, err := queries.TeamGet(ctx, code, member)
		if errors.Is(err, pgx.ErrNoRows) {
			err = shop.ErrNoMember
		}
		if err != nil {
			return shop.Change{}, err
		}
		return work(queries, mine, was)
	})
}

// change runs work for a person who may hire, one at a time for each shop, and has open kitchen screens check that they still have access.
func (t *Team) change(ctx context.Context, by shop.Person, code string, work func(pgx.Tx, shop.Role) (shop.Change, error)) error {
	err := pgx.BeginFunc(ctx, t.pool, func(tx pgx.Tx) error {
		if _, err := db.New(tx).ShopLock(ctx, code); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return change(ctx, tx, by, code, shop.Hire, func(mine shop.Role) (shop.Change, error) { return work(tx, mine) })
	})
	if err == nil {
		t.announce(kitchen.Topic(code))
	}
	return err
}

// Proof returns what is known about the identity of a member who is to own a shop.
func (t *Team) Proof(ctx context.Context, code string, member uuid.UUID) (shop.Proof, error) {
	return ProofIn(ctx, t.queries, code, member)
}

// ProofIn is Proof within a transaction.
func ProofIn(ctx context.Context, queries *db.Queries, code string, member uuid.UUID) (shop.Proof, error) {
	row, err := queries.ComplianceSuccessor(ctx, member, code)
	if errors.Is(err, pgx.ErrNoRows) {
		return shop.Proof{}, nil
	}
	return shop.Proof{Record: row.ID, Applied: row.Applied, Number: int(row.Number), State: state.Person(row.State)}, err
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
		role := shop.Owner
		if !known.MayOwn() {
			role = shop.Manager
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
func put(ctx context.Context, queries *db.Queries, code string, member uuid.UUID, was db.TeamGetRow, role shop.Role) error {
	if role.May(shop.Own) {
		known, err := ProofIn(ctx, queries, code, member)
		if err != nil {
			return err
		}
		if !known.MayOwn() {
			return shop.ErrUnknownOwner
		}
	}
	if shop.Role(was.Role).Loses(role) {
		if err := leave(ctx, queries, code, member, was, !role.May(shop.Hire)); err != nil {
			return err
		}
	}
	err := queries.TeamPut(ctx, db.TeamPutParams{ClientCode: code, AccountID: member, Role: string(role), JoinedAt: &was.JoinedAt})
	if err == nil && role.May(shop.Own) {
		err = queries.MerchantAdminAddOfShop(ctx, member, code)
	}
	return err
}

// leave ends a member's access. Errors: shop.ErrLastOwner if no owner would remain, shop.ErrLastKnown if the member is the only known
// owner.
func leave(ctx context.Context, queries *db.Queries, code string, member uuid.UUID, was db.TeamGetRow, screens bool) error {
	if shop.Role(was.Role) == shop.Owner {
		owners, err := queries.TeamOwnerCount(ctx, code, member)
		switch {
		case err != nil:
			return err
		case owners.Others == 0:
			return shop.ErrLastOwner
		case owners.Known && owners.KnownOthers == 0:
			return shop.ErrLastKnown
		}
		if err := queries.TeamHandOver(ctx, code, member); err != nil {
			return err
		}
	}
	return queries.AdminRemove(ctx, code, member, screens)
}

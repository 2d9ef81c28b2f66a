package shop_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

// crew is a site with one member of panezski in each role; its demo admin is another owner.
type crew struct {
	app    *apptest.App
	people map[shop.Role]shop.Person
}

func newCrew(t *testing.T) crew {
	t.Helper()
	c := crew{apptest.New(t, apptest.Options{}), map[shop.Role]shop.Person{}}
	for _, role := range []shop.Role{"owner", "manager", "floor", "viewer", "accountant"} {
		c.people[role] = c.join(t, string(role)+"@example.com", role)
	}
	return c
}

// join adds a new account to the team.
func (c crew) join(t *testing.T, email string, role shop.Role) shop.Person {
	t.Helper()
	p := shop.Person{ID: uuid.New(), Email: email, Proof: account.OperatorProof()}
	dbtest.Exec(t, c.app.Pool, "INSERT INTO account (id, email, password_hash, verified_at) VALUES ($1, $2, 'x', now())", p.ID, email)
	dbtest.Exec(t, c.app.Pool, "INSERT INTO shop_member (shop_code, account_id, role) VALUES ('panezski', $1, $2)", p.ID, role)
	return p
}

// role returns the role of an account, or "" for a person who is not on the team.
func (c crew) role(t *testing.T, id uuid.UUID) string {
	t.Helper()
	return dbtest.Value[string](t, c.app.Pool, "SELECT coalesce((SELECT role FROM shop_member WHERE shop_code = 'panezski' AND account_id = $1), '')", id)
}

// TestEveryRoleAndEveryChange has every role try every change on a member of every role.
func TestEveryRoleAndEveryChange(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	ctx, team := t.Context(), c.app.Shops
	has := func(by, target shop.Role) bool {
		return by == "owner" || by == "manager" && (target == "floor" || target == "viewer" || target == "accountant")
	}
	for by, person := range c.people {
		for _, target := range []shop.Role{"owner", "manager", "floor", "viewer", "accountant"} {
			name := string(by) + "-" + string(target)
			one := c.join(t, name+"@example.com", target)
			for what, change := range map[string]func() error{
				"change": func() error { return team.SetRole(ctx, person, "panezski", one.ID, target) },
				"invite": func() error { return team.Invite(ctx, person, "panezski", "new-"+name+"@example.com", target) },
			} {
				if err := change(); errors.Is(err, shop.ErrRole) == has(by, target) || err != nil && !errors.Is(err, shop.ErrRole) {
					t.Errorf("%s: %s a %s: %v", by, what, target, err)
				}
			}
			for _, next := range []shop.Role{"owner", "manager"} {
				if err := team.SetRole(ctx, person, "panezski", one.ID, next); by != "owner" && !errors.Is(err, shop.ErrRole) {
					t.Errorf("%s makes a %s a %s: %v", by, target, next, err)
				}
			}
			dbtest.Exec(t, c.app.Pool, "UPDATE shop_member SET role = $1 WHERE account_id = $2", target, one.ID)
			err := team.Remove(ctx, person, "panezski", one.ID)
			if gone := c.role(t, one.ID) == ""; gone != has(by, target) || gone != (err == nil) {
				t.Errorf("%s removes a %s: %v", by, target, err)
			}
			if by == "owner" {
				continue
			}
			check.ErrorIs(t, team.Transfer(ctx, person, "panezski", c.people["viewer"].ID), shop.ErrRole, "%s transfers the business", by)
			_, err = team.Connect(ctx, person, "panezski", "Grill")
			check.Equal(t, err == nil, by == "manager", "%s connects a screen: %v", by, err)
		}
	}
	check.ErrorIs(t, team.SetRole(ctx, c.people["owner"], "panezski", c.people["floor"].ID, shop.KitchenScreen), shop.ErrRole,
		"a person as a kitchen screen")
	check.ErrorIs(t, team.SetRole(ctx, c.people["owner"], "moollar", c.people["floor"].ID, shop.Viewer), shop.ErrMissing,
		"changing a role on another shop's team")
}

// TestTwoOwnersRemovingEachOtherLeaveOne runs every pair of ways to remove an owner at once.
func TestTwoOwnersRemovingEachOtherLeaveOne(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	team := c.app.Shops
	dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member WHERE shop_code = 'panezski' AND role = 'owner'")
	ways := []func(context.Context, shop.Person, shop.Person) error{
		func(ctx context.Context, by, one shop.Person) error { return team.Remove(ctx, by, "panezski", one.ID) },
		func(ctx context.Context, by, one shop.Person) error {
			return team.SetRole(ctx, by, "panezski", one.ID, shop.Viewer)
		},
		func(ctx context.Context, by, _ shop.Person) error { return team.Remove(ctx, by, "panezski", by.ID) },
		func(ctx context.Context, by, _ shop.Person) error {
			return team.SetRole(ctx, by, "panezski", by.ID, shop.Floor)
		},
	}
	for range 10 {
		for i, first := range ways {
			for j, second := range ways {
				ann, bob := c.join(t, uuid.NewString()+"@example.com", shop.Owner), c.join(t, uuid.NewString()+"@example.com", shop.Owner)
				var errs [2]error
				var both sync.WaitGroup
				both.Go(func() { errs[0] = first(t.Context(), ann, bob) })
				both.Go(func() { errs[1] = second(t.Context(), bob, ann) })
				both.Wait()
				owners := dbtest.Value[int](t, c.app.Pool, "SELECT count(*) FROM shop_member WHERE shop_code = 'panezski' AND role = 'owner'")
				check.MustEqual(t, owners, 1, "ways %d and %d leave … owners: %v", i, j, errs)
				for _, err := range errs {
					if err != nil && !errors.Is(err, shop.ErrLastOwner) && !errors.Is(err, shop.ErrMissing) && !errors.Is(err, shop.ErrRole) && !errors.Is(err, shop.ErrNoMember) {
						t.Errorf("ways %d and %d: %v", i, j, err)
					}
				}
				dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member WHERE shop_code = 'panezski' AND role <> 'manager'")
			}
		}
	}
}

// TestTransferMovesTheRecordAndRevokesInvitations transfers a shop.
func TestTransferMovesTheRecordAndRevokesInvitations(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	ann, bob := c.people["owner"], c.people["floor"]
	dbtest.Exec(t, c.app.Pool, "DELETE FROM shop_member WHERE shop_code = 'panezski' AND role = 'owner' AND account_id <> $1", ann.ID)
	dbtest.Exec(t, c.app.Pool, `INSERT INTO compliance (id, name, shop_code) VALUES ('record', 'Panezski', 'panezski')`)
	dbtest.Exec(t, c.app.Pool, `INSERT INTO compliance_admin (compliance_id, account_id) VALUES ('record', $1)`, ann.ID)
	check.Must(t, c.app.Shops.Invite(t.Context(), ann, "panezski", "next@example.com", shop.Owner))
	check.Must(t, c.app.Shops.Transfer(t.Context(), ann, "panezski", bob.ID))
	var admin uuid.UUID
	var invites int
	err := c.app.Pool.QueryRow(t.Context(), "SELECT account_id, (SELECT count(*) FROM shop_invite) FROM compliance_admin WHERE compliance_id = 'record'").Scan(&admin, &invites)
	if err != nil || admin != bob.ID || invites != 0 {
		t.Errorf("the record belongs to %s, %d invitations by the old owner are left, %v", admin, invites, err)
	}
	check.Equal(t, c.role(t, ann.ID)+" "+c.role(t, bob.ID), "manager owner", "the roles")
	check.ErrorIs(t, c.app.Shops.Remove(t.Context(), bob, "panezski", bob.ID), shop.ErrLastOwner, "removing the last owner")
}

// TestAnInvitationFromBeforeTheApplicationMakesNoOwner opens an owner's invitation that was mailed before staff knew the business.
func TestAnInvitationFromBeforeTheApplicationMakesNoOwner(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	ann := c.people["owner"]
	join := func(email string) string {
		one := shop.Person{ID: uuid.New(), Email: email, Proof: account.OperatorProof()}
		dbtest.Exec(t, c.app.Pool, "INSERT INTO account (id, email, password_hash) VALUES ($1, $2, 'x')", one.ID, email)
		invite := dbtest.Value[uuid.UUID](t, c.app.Pool, "SELECT id FROM shop_invite WHERE email = $1", email)
		signed, err := shop.Sign(t.Context(), db.New(c.app.Pool), invite)
		check.Must(t, err)
		check.Must(t, c.app.Shops.Join(t.Context(), one, signed.Token))
		return c.role(t, one.ID)
	}
	for _, email := range []string{"early@example.com", "late@example.com"} {
		check.Must(t, c.app.Shops.Invite(t.Context(), ann, "panezski", email, shop.Owner))
	}
	check.Equal(t, join("early@example.com"), "owner", "invited before the application")
	dbtest.Exec(t, c.app.Pool, "INSERT INTO compliance (id, name, shop_code, applicant) VALUES ('record', 'Panezski', 'panezski', $1)", ann.ID)
	check.Equal(t, join("late@example.com"), "manager", "invited after the application")
}

// TestAnOperatorCanPromoteAMemberToOwner tests the command forecourt user admin.
func TestAnOperatorCanPromoteAMemberToOwner(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	check.Must(t, c.app.Accounts.SetAdmin(t.Context(), "viewer@example.com", "panezski", true))
	check.Equal(t, c.role(t, c.people["viewer"].ID), "owner", "the viewer's new role")
}

func TestOnePersonInvitesTwentyADay(t *testing.T) {
	t.Parallel()
	c := newCrew(t)
	invite := func() error {
		return c.app.Shops.Invite(t.Context(), c.people["manager"], "panezski", uuid.NewString()+"@example.com", shop.Floor)
	}
	for range account.InvitesPerDay {
		check.Must(t, invite())
	}
	check.Error(t, invite(), "the 21st invitation was sent")
	dbtest.Exec(t, c.app.Pool, "UPDATE throttle SET since = now() - interval '25 hours'")
	for _, bad := range []string{"", "x", "a1<target@x>", "Sam <sam@example.com>"} {
		check.ErrorIs(t, c.app.Shops.Invite(t.Context(), c.people["manager"], "panezski", bad, shop.Floor), shop.ErrEmail, "%q", bad)
	}
	check.ErrorIs(t, c.app.Shops.Invite(t.Context(), c.people["manager"], "panezski", "owner@example.com", shop.Floor), shop.ErrOnTeam,
		"inviting a member of the team")
	check.NoError(t, invite(), "inviting on the next day")
}

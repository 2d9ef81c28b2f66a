package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// These tests try to own a business whose application was accepted, or to run its record, without staff having accepted who they are.

func idOf(t *testing.T, app *apptest.App, email string) uuid.UUID {
	t.Helper()
	return dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM account WHERE email = $1", email)
}

// text returns what a query says in one text; "" for nothing.
func text(t *testing.T, app *apptest.App, query string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT coalesce(("+query+"), '')")
}

func wantTeam(t *testing.T, app *apptest.App, code, want string) {
	t.Helper()
	got := text(t, app, `SELECT string_agg(split_part(a.email, '@', 1) || ' ' || c.role, ', ' ORDER BY a.email)
		FROM shop_member c JOIN account a ON a.id = c.account_id WHERE shop_code = '`+code+`'`)
	check.Equal(t, got, want, "the team of %s", code)
}

// wantRunners checks who can open the record of an applicant.
func wantRunners(t *testing.T, app *apptest.App, applicant, want string) {
	t.Helper()
	got := text(t, app, `SELECT string_agg(split_part(a.email, '@', 1), ', ' ORDER BY a.email) FROM compliance_admin m
		JOIN account a ON a.id = m.account_id JOIN compliance c ON c.id = m.compliance_id JOIN account p ON p.id = c.applicant WHERE p.email = '`+applicant+`'`)
	check.Equal(t, got, want, "the record of %s is run by", applicant)
}

// newMember signs somebody up whose address is verified, and hires them if there are a role and shops.
func newMember(t *testing.T, app *apptest.App, email string, hired ...string) *apptest.App {
	t.Helper()
	one := app.NewPerson(t).SignUp(t, email)
	one.Verify(t, email)
	if len(hired) > 0 {
		hire(t, app, email, hired[0], hired[1:]...)
	}
	return one
}

// hire puts somebody on teams, as an invitation does.
func hire(t *testing.T, app *apptest.App, email, role string, codes ...string) {
	t.Helper()
	for _, code := range codes {
		dbtest.Exec(t, app.Pool,
			"INSERT INTO shop_member (shop_code, account_id, role) SELECT '"+code+"', id, '"+role+"' FROM account WHERE email = '"+email+"'")
	}
}

// newShop makes another merchant with a shop of the same name.
func newShop(t *testing.T, by *apptest.App, code string) {
	t.Helper()
	made := by.PostJSON(t, "/api/create", map[string]any{"name": code, "products": []string{"ecom"}}, "Sec-Fetch-Site", "same-origin")
	openShop(t, by, apptest.JSON[struct{ Merchant struct{ UUID string } }](t, made).Merchant.UUID, code, code)
}

// withShops returns Ann, who has shops and no application, and a member of staff.
func withShops(t *testing.T, codes ...string) (ann, staff *apptest.App) {
	t.Helper()
	ann = apptest.New(t, apptest.Options{Jobs: true})
	staff = ann.NewPerson(t).SignInStaff(t)
	ann.SignUp(t, "ann@example.com")
	ann.Verify(t, "ann@example.com")
	for _, code := range codes {
		newShop(t, ann, code)
	}
	return ann, staff
}

// accepted is like withShops, after staff accepted Ann's application.
func accepted(t *testing.T, codes ...string) (ann, staff *apptest.App) {
	t.Helper()
	ann, staff = withShops(t, codes...)
	apply(t, ann)
	accept(t, staff)
	return ann, staff
}

// accept has staff accept the application that waits.
func accept(t *testing.T, staff *apptest.App) {
	t.Helper()
	reference := text(t, staff, "SELECT reference FROM form WHERE state = 'submitted'")
	staff.Visit(t, "/staff/forms/"+reference).Tick("decision", "approved").Press("Record decision")
}

// do presses a button on the page of a member, and wants a status.
func do(t *testing.T, by *apptest.App, code, email string, fields url.Values, want int) {
	t.Helper()
	check.Equal(t, by.Post(t, "/desk/"+code+"/team/"+idOf(t, by, email).String(), fields).Status, want, "%s for %s at %s", fields, email, code)
}

// identify has an owner ask for a member's identity, and marks everybody asked as accepted.
func identify(t *testing.T, by *apptest.App, code, email string) {
	t.Helper()
	do(t, by, code, email, url.Values{"do": {"prove"}, "name": {"Bob Baker"}}, http.StatusSeeOther)
	dbtest.Exec(t, by.Pool, "UPDATE compliance_person SET state = 'accepted' WHERE account_id IS NOT NULL")
}

// wantNoInvitation wants that nobody can be invited as an owner.
func wantNoInvitation(t *testing.T, by *apptest.App, code string) {
	t.Helper()
	got := by.Post(t, "/desk/"+code+"/team", url.Values{"do": {"invite"}, "email": {"eve@example.com"}, "role": {"owner"}})
	got.Want(t, http.StatusUnprocessableEntity, "an unknown owner of "+code+" is invited", "We verify every owner’s identity")
}

func TestAnAdminWhoJoinsWhileTheShopIsMadeIsNoUnknownOwner(t *testing.T) {
	t.Parallel()
	ann, staff := withShops(t)
	made := ann.PostJSON(t, "/api/create", map[string]any{"name": "Ann's Apples", "products": []string{"ecom"}}, "Sec-Fetch-Site", "same-origin")
	merchant := apptest.JSON[struct{ Merchant struct{ UUID string } }](t, made).Merchant.UUID
	cat := newMember(t, ann, "cat@example.com")
	apply(t, ann)
	accept(t, staff)
	ann.Post(t, "/merchant/admin/"+merchant+"/admins", url.Values{"email": {"cat@example.com"}})
	link := ann.Link(t, ann.Letter(t, "cat@example.com", "/join/"))
	other, err := ann.Pool.Begin(t.Context()) // a slow transaction on the same code makes the shop wait
	check.Must(t, err)
	dbtest.Exec(t, other, "INSERT INTO shop (code, name, accent, pl_name) VALUES ('anns-apples', 'x', '#2347c5', 'x')")
	var both sync.WaitGroup
	both.Go(func() { openShop(t, ann, merchant, "Ann's Apples", "anns-apples") })
	wantWaiting(t, ann, other, 1)
	both.Go(func() { cat.Post(t, link, nil) })
	wantWaiting(t, ann, other, 2)
	check.NoError(t, other.Rollback(t.Context()))
	both.Wait()
	wantTeam(t, ann, "anns-apples", "ann owner")
}

// wantWaiting waits until so many wait for a transaction, or for somebody who does. Others may wait for each other meanwhile.
func wantWaiting(t *testing.T, app *apptest.App, held pgx.Tx, want int) {
	t.Helper()
	pid := dbtest.Value[int](t, held, "SELECT pg_backend_pid()")
	apptest.Eventually(t, fmt.Sprint(want, " wait"), func() bool {
		return dbtest.Value[int](t, app.Pool, `WITH RECURSIVE later AS (
			SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND $1 = ANY (pg_blocking_pids(pid))
			UNION SELECT a.pid FROM pg_stat_activity a JOIN later l ON l.pid = ANY (pg_blocking_pids(a.pid)) WHERE a.backend_type = 'client backend'
		) SELECT count(*) FROM later`, pid) == want
	})
}

// TestAnApplicationCountsForAShopWhoeverOwnsIt has a record that names no shop, because its applicant had several.
func TestAnApplicationCountsForAShopWhoeverOwnsIt(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, ann *apptest.App){
		"after a transfer": func(t *testing.T, ann *apptest.App) {
			t.Helper()
			do(t, ann, "pears", "bob@example.com", url.Values{"do": {"transfer"}}, http.StatusSeeOther)
			wantTeam(t, ann, "pears", "ann manager, bob owner")
		},
		"after the applicant's account was erased": func(t *testing.T, ann *apptest.App) {
			t.Helper()
			do(t, ann, "pears", "bob@example.com", url.Values{"do": {"role"}, "role": {"owner"}}, http.StatusSeeOther)
			check.Must(t, ann.Privacy.EraseAccount(t.Context(), idOf(t, ann, "ann@example.com")))
			wantTeam(t, ann, "pears", "bob owner")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ann, _ := accepted(t, "pears", "plums")
			ann.Visit(t, "/desk/pears/live").Press("Use my application")
			bob := newMember(t, ann, "bob@example.com", "manager", "pears")
			do(t, ann, "pears", "bob@example.com", url.Values{"do": {"transfer"}}, http.StatusConflict)
			identify(t, ann, "pears", "bob@example.com")
			leave(t, ann)
			wantNoInvitation(t, bob, "pears")
		})
	}
}

func TestARecordStaysWithItsApplicant(t *testing.T) {
	t.Parallel()
	ann, _ := accepted(t)
	dan := newMember(t, ann, "dan@example.com")
	newShop(t, dan, "dans-bar")
	hire(t, ann, "ann@example.com", "owner", "dans-bar")
	do(t, dan, "dans-bar", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	wantRunners(t, ann, "ann@example.com", "ann")
	newShop(t, ann, "anns-apples")
	check.Equal(t, text(t, ann, "SELECT shop_code FROM compliance"), "anns-apples", "the record counts for")
}

// TestAnOwnerWhomNobodyKnowsHoldsUpGoingLive has Ann use her application for Dan's business, which the two own.
func TestAnOwnerWhomNobodyKnowsHoldsUpGoingLive(t *testing.T) {
	t.Parallel()
	ann, _ := accepted(t, "pears")
	dan := newMember(t, ann, "dan@example.com")
	newShop(t, dan, "dans-bar")
	dan.Visit(t, "/desk/dans-bar/live").Has("Tell us about the company").HasNot("Use an accepted application")
	hire(t, ann, "ann@example.com", "owner", "dans-bar")
	dan.Visit(t, "/desk/dans-bar/live").Has("We accepted an application of ann@example.com. If the same company").HasNot("Use my application", "an application of yours")
	dan.Post(t, "/desk/dans-bar/live", url.Values{"do": {"use"}})
	dan.Visit(t, "/desk/dans-bar/live").HasNot("We have accepted your application", "Read and sign")
	used := ann.Visit(t, "/desk/dans-bar/live").Has("We accepted an application of yours.").Press("Use my application")
	used.Has("Your application counts for this business now.", "Read and sign", "These still have to be verified: dan@example.com").HasNot("Use an accepted application")
	do(t, dan, "dans-bar", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusConflict)
	do(t, dan, "dans-bar", "ann@example.com", url.Values{"do": {"role"}, "role": {"manager"}}, http.StatusConflict)
	do(t, ann, "dans-bar", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusConflict)
	page := ann.Visit(t, "/desk/dans-bar/team/"+idOf(t, ann, "dan@example.com").String()).Has("Proof of identity", "Or make dan@example.com a manager")
	page.Type("name", "Dan Brewer").Press("Continue").Has("Direct Debit Request Service Agreement") // which comes first
	ann.Visit(t, "/desk/dans-bar/live").HasNot("still have to be verified")
	dbtest.Exec(t, ann.Pool, "UPDATE compliance_person SET state = 'accepted' WHERE account_id IS NOT NULL")
	do(t, dan, "dans-bar", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	wantTeam(t, ann, "dans-bar", "dan owner")
	wantRunners(t, ann, "ann@example.com", "ann, dan")
	wantNoInvitation(t, dan, "dans-bar")
}

func TestAnEarlierOwnerCannotPushTheApplicantOut(t *testing.T) {
	t.Parallel()
	ann, staff := ready(t)
	bob := newMember(t, ann, "bob@example.com", "owner", "anns-apples")
	accept(t, staff)
	do(t, bob, "anns-apples", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusConflict)
	bob.Post(t, bakery+"/live", url.Values{"do": {"ask"}}).Want(t, http.StatusConflict, "an unknown owner asks to go live")
	bob.Visit(t, bakery+"/live").Has("You still have to be verified.")
	wantTeam(t, ann, "anns-apples", "ann owner, bob owner")
}

// TestStaffAcceptOnlyWhomTheyHaveSeen has the owner exchange a person while staff look at them.
func TestStaffAcceptOnlyWhomTheyHaveSeen(t *testing.T) {
	t.Parallel()
	ann, staff := ready(t)
	accept(t, staff)
	for _, email := range []string{"bob@example.com", "eve@example.com"} {
		newMember(t, ann, email, "manager", "anns-apples")
	}
	enter := func(email, name string) {
		t.Helper()
		do(t, ann, "anns-apples", email, url.Values{"do": {"prove"}, "name": {name}}, http.StatusSeeOther)
		dbtest.Exec(t, ann.Pool,
			"UPDATE compliance_person SET state = 'waiting', revision = revision + 1 WHERE account_id IS NOT NULL") // the details are saved
	}
	enter("bob@example.com", "Bob Baker")
	record := text(t, ann, "SELECT id FROM compliance")
	page := staff.Visit(t, "/staff/compliance/"+record+"/3").Has("Bob Baker", "bob@example.com")
	do(t, ann, "anns-apples", "bob@example.com", url.Values{"do": {"unprove"}}, http.StatusSeeOther)
	enter("eve@example.com", "Eve Other")
	page.Tick("decision", "accepted").Press("Record decision")
	check.Equal(t, text(t, ann, "SELECT state FROM compliance_person WHERE account_id IS NOT NULL"), "waiting",
		"Eve is, and staff looked at Bob")
	do(t, ann, "anns-apples", "eve@example.com", url.Values{"do": {"transfer"}}, http.StatusConflict)
}

func TestAnInvitationEndsWithItsSendersAccess(t *testing.T) {
	t.Parallel()
	ann, _ := withShops(t, "pears")
	merchant := text(t, ann, "SELECT uuid::text FROM merchant WHERE shop_code = 'pears'")
	bob := newMember(t, ann, "bob@example.com", "owner", "pears")
	dbtest.Exec(t, ann.Pool, "INSERT INTO merchant_admin SELECT '"+merchant+"', id FROM account WHERE email = 'bob@example.com'")
	invite := func(email string) int {
		return bob.Post(t, "/merchant/admin/"+merchant+"/admins", url.Values{"email": {email}}).Status
	}
	check.MustEqual(t, invite("one@example.com"), http.StatusSeeOther, "an invitation")
	held := hold(t, ann, "SELECT FROM throttle WHERE subject = 'merchant invitations' FOR UPDATE")
	var waits sync.WaitGroup
	waits.Go(func() {
		check.Equal(t, invite("two@example.com"), http.StatusNotFound, "an invitation by somebody who was removed meanwhile")
	})
	wantWaiting(t, ann, held, 1)
	do(t, ann, "pears", "bob@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	check.NoError(t, held.Rollback(t.Context()))
	waits.Wait()
	check.Equal(t, text(t, ann, "SELECT string_agg(email, ', ') FROM merchant_invite"), "", "invitations are left for")
}

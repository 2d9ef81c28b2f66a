package desk_test

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// These tests try to have an accepted application count for a business that it is not for, or for a person who did not send it.

// wantRecord checks whose accepted application counts for a shop.
func wantRecord(t *testing.T, app *apptest.App, code, want string) {
	t.Helper()
	got := text(t, app, `SELECT string_agg(split_part(a.email, '@', 1), ', ') FROM compliance c JOIN account a ON a.id = c.applicant WHERE c.shop_code = '`+code+`'`)
	check.Equal(t, got, want, "the application that %s has", code)
}

func TestARecordIsOfTheApplicantWhomStaffAccepted(t *testing.T) {
	t.Parallel()
	for name, bobFirst := range map[string]bool{"of the owner after another's": true, "of another after the owner's": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ann, staff := withShops(t, "pears")
			bob := newMember(t, ann, "bob@example.com", "owner", "pears")
			first, second := "ann@example.com", "bob@example.com"
			if bobFirst {
				first, second = second, first
			}
			for _, email := range []string{first, second} {
				applyAs(t, ann, email, "Something else")
				accept(t, staff)
			}
			wantRecord(t, ann, "pears", "ann")
			wantRunners(t, ann, "ann@example.com", "ann")
			wantRunners(t, ann, "bob@example.com", "bob")
			do(t, bob, "pears", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusConflict)
			ann.Visit(t, "/desk/pears/live").Has("These still have to be verified: bob@example.com")
			do(t, ann, "pears", "bob@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
		})
	}
}

func TestABusinessThatSomebodyElseMadeDoesNotTakeAnApplication(t *testing.T) {
	t.Parallel()
	ann, staff := withShops(t, "pears")
	eve := newMember(t, ann, "eve@example.com")
	newShop(t, eve, "dine")
	hire(t, ann, "ann@example.com", "owner", "dine")
	dbtest.Exec(t, ann.Pool, "UPDATE shop SET name = 'Ann''s Apples' WHERE code = 'dine'")
	apply(t, ann)
	accept(t, staff)
	wantRecord(t, ann, "pears", "ann")
	wantRecord(t, ann, "dine", "")
	wantRunners(t, ann, "ann@example.com", "ann")
	record := text(t, ann, "SELECT id FROM compliance")
	eve.Get(t, "/compliance/"+record).Want(t, http.StatusNotFound, "Eve opens Ann's record")
}

func TestAnotherApplicationMakesNoOwnerKnown(t *testing.T) {
	t.Parallel()
	ann, staff := withShops(t, "pears")
	bob := newMember(t, ann, "bob@example.com")
	newShop(t, bob, "grapes")
	hire(t, ann, "bob@example.com", "owner", "pears")
	apply(t, ann)
	accept(t, staff)
	applyAs(t, ann, "bob@example.com", "Bob Holdings")
	accept(t, staff)
	wantRecord(t, ann, "pears", "ann")
	wantRecord(t, ann, "grapes", "bob")
	ann.Visit(t, "/desk/pears/live").Has("These still have to be verified: bob@example.com")
}

func TestABusinessThatIsSoldTakesNoOtherRecordAlong(t *testing.T) {
	t.Parallel()
	ann, staff := accepted(t, "pears")
	dbtest.Exec(t, ann.Pool,
		"UPDATE compliance_person SET state = 'accepted', decided_by = 'staff@forecourt.test', decided_at = now() WHERE number = 1")
	newMember(t, ann, "cat@example.com", "manager", "pears")
	do(t, ann, "pears", "cat@example.com", url.Values{"do": {"prove"}, "name": {"Cat Lee"}}, http.StatusSeeOther)

	newShop(t, ann, "plums")
	ann.Visit(t, "/desk/plums").Has("We accepted an application of yours.")
	used := ann.Visit(t, "/desk/plums/live").Press("Use my application")
	used.Has("Your application counts for this business now.").Follow("Read and sign").Has("For Ann's Apples (plums)").
		Type("name", "Ann Lee").Type("bsb", "062-187").Type("number", "40417293").Tick("acknowledged", "yes").Press("Next").
		Follow("Ann Lee Accepted").Has("there is nothing to enter here").HasNot("Save")
	wantRecord(t, ann, "pears", "ann")
	wantRecord(t, ann, "plums", "ann")
	first := text(t, ann, "SELECT id FROM compliance WHERE shop_code = 'pears'")
	people := text(t, ann, "SELECT string_agg(number || ' ' || p.state || ' ' || p.decided_by, ', ' ORDER BY number) FROM compliance_person p JOIN compliance c ON c.id = p.compliance_id WHERE c.shop_code = 'plums'")
	check.Equal(t, people, "1 accepted staff@forecourt.test, 2 open ", "the people of plums")
	second := text(t, ann, "SELECT id FROM compliance WHERE shop_code = 'plums'")
	staff.Visit(t, "/staff/compliance/"+second+"/1").Has("Ann Lee", "Accepted", "In the record "+first)

	dan := newMember(t, ann, "dan@example.com", "manager", "plums")
	hire(t, ann, "cat@example.com", "manager", "plums")
	do(t, ann, "plums", "dan@example.com", url.Values{"do": {"prove"}, "name": {"Dan Brewer"}}, http.StatusSeeOther)
	dbtest.Exec(t, ann.Pool,
		"UPDATE compliance_person p SET state = 'accepted' FROM account a WHERE a.id = p.account_id AND a.email = 'dan@example.com'")
	do(t, ann, "plums", "dan@example.com", url.Values{"do": {"transfer"}}, http.StatusSeeOther)
	do(t, dan, "plums", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	do(t, dan, "plums", "cat@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	for id, want := range map[string]int{first: http.StatusNotFound, second: http.StatusOK} {
		dan.Get(t, "/compliance/"+id).Want(t, want, "Dan opens the record of "+id)
	}
	wantInPears := func(email, want string) {
		t.Helper()
		got := text(t, ann, "SELECT string_agg(p.state, ', ') FROM compliance_person p JOIN compliance c ON c.id = p.compliance_id JOIN account a ON a.id = p.account_id WHERE c.shop_code = 'pears' AND a.email = '"+email+"'")
		check.Equal(t, got, want, "the identity of %s at pears", email)
	}
	wantInPears("cat@example.com", "open")
	wantInPears("dan@example.com", "")
	hire(t, ann, "dan@example.com", "manager", "pears")
	do(t, ann, "pears", "dan@example.com", url.Values{"do": {"transfer"}}, http.StatusConflict)
}

// TestAPartnerIsKnownInTheSecondBusiness has two partners with two businesses.
func TestAPartnerIsKnownInTheSecondBusiness(t *testing.T) {
	t.Parallel()
	ann, _ := accepted(t, "pears")
	newMember(t, ann, "bob@example.com", "owner", "pears")
	identify(t, ann, "pears", "bob@example.com")
	newShop(t, ann, "plums")
	hire(t, ann, "bob@example.com", "owner", "plums")
	ann.Visit(t, "/desk/plums/live").Press("Use my application").HasNot("still have to be verified")
	do(t, ann, "plums", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	wantTeam(t, ann, "plums", "bob owner")
}

func TestARecordForSeveralBusinessesCountsWhereItIsUsed(t *testing.T) {
	t.Parallel()
	ann, _ := accepted(t, "pears", "plums")
	wantRecord(t, ann, "pears", "")
	for range 2 { // two clicks
		ann.Post(t, "/desk/plums/live", url.Values{"do": {"use"}})
	}
	wantRecord(t, ann, "plums", "ann")
	ann.Post(t, "/desk/pears/live", url.Values{"do": {"use"}})
	wantRecord(t, ann, "pears", "ann")
	check.Equal(t, text(t, ann, "SELECT count(*)::text FROM compliance"), "2", "records")
	eve := newMember(t, ann, "eve@example.com")
	newShop(t, eve, "dine")
	hire(t, ann, "ann@example.com", "manager", "dine")
	ann.Post(t, "/desk/dine/live", url.Values{"do": {"use"}}).Want(t, http.StatusForbidden, "a manager uses an application")
	wantRecord(t, ann, "dine", "")
}

func TestAnotherAdminsShopDoesNotTakeTheRecord(t *testing.T) {
	t.Parallel()
	ann, staff := withShops(t)
	eve, dan := newMember(t, ann, "eve@example.com"), newMember(t, ann, "dan@example.com")
	made := eve.PostJSON(t, "/api/create", map[string]any{"name": "dine", "products": []string{"ecom"}}, "Sec-Fetch-Site", "same-origin")
	merchant := apptest.JSON[struct{ Merchant struct{ UUID string } }](t, made).Merchant.UUID
	dbtest.Exec(t, ann.Pool,
		"INSERT INTO merchant_admin SELECT '"+merchant+"', id FROM account WHERE email IN ('ann@example.com', 'dan@example.com')")
	apply(t, ann)
	accept(t, staff)
	check.Must(t, ann.Privacy.EraseAccount(t.Context(), idOf(t, ann, "eve@example.com")))
	openShop(t, dan, merchant, "dine", "dine")
	wantRecord(t, ann, "dine", "")
	newShop(t, ann, "pears")
	wantRecord(t, ann, "pears", "ann")
}

func TestAnApplicationHasOneRecord(t *testing.T) {
	t.Parallel()
	ann, staff := accepted(t, "pears")
	reference := text(t, ann, "SELECT reference FROM form")
	newMember(t, ann, "dan@example.com", "manager", "pears")
	identify(t, ann, "pears", "dan@example.com")
	do(t, ann, "pears", "dan@example.com", url.Values{"do": {"transfer"}}, http.StatusSeeOther)
	newShop(t, ann, "plums")
	staff.Visit(t, "/staff/forms/"+reference).HasNot("Make the compliance record")
	staff.Post(t, "/staff/forms/"+reference, url.Values{"decision": {"record"}})
	check.Equal(t, text(t, ann, "SELECT string_agg(shop_code, ', ') FROM compliance"), "pears", "there are records of")
}

// TestAnApplicantCannotBeRemovedDuringAcceptance has an application accepted while another owner removes the applicant.
func TestAnApplicantCannotBeRemovedDuringAcceptance(t *testing.T) {
	t.Parallel()
	ann, staff := ready(t)
	bob := newMember(t, ann, "bob@example.com", "owner", "anns-apples")
	inTurn(t, ann, "LOCK compliance IN SHARE MODE", func() { accept(t, staff) }, func() {
		do(t, bob, "anns-apples", "ann@example.com", url.Values{"do": {"remove"}}, http.StatusConflict)
	})
	wantTeam(t, ann, "anns-apples", "ann owner, bob owner")
}

// TestRemovingAMemberDropsAProofThatIsBeingAskedFor has a member removed while the owner asks for the member's identity.
func TestRemovingAMemberDropsAProofThatIsBeingAskedFor(t *testing.T) {
	t.Parallel()
	ann, staff := ready(t)
	accept(t, staff)
	newMember(t, ann, "dan@example.com", "manager", "anns-apples")
	inTurn(t, ann, "SELECT FROM compliance FOR UPDATE", func() {
		do(t, ann, "anns-apples", "dan@example.com", url.Values{"do": {"prove"}, "name": {"Dan Brewer"}}, http.StatusSeeOther)
	}, func() {
		do(t, ann, "anns-apples", "dan@example.com", url.Values{"do": {"remove"}}, http.StatusSeeOther)
	})
	check.Equal(t, text(t, ann, "SELECT string_agg(number::text, ', ') FROM compliance_person WHERE account_id IS NOT NULL"), "",
		"person … is left of somebody who was removed")
}

// inTurn has two requests wait for a lock, one after the other, and then lets them go.
func inTurn(t *testing.T, app *apptest.App, lock string, first, second func()) {
	t.Helper()
	held := hold(t, app, lock)
	var both sync.WaitGroup
	for i, request := range []func(){first, second} {
		both.Go(request)
		wantWaiting(t, app, held, i+1)
	}
	check.NoError(t, held.Rollback(t.Context()))
	both.Wait()
}

// hold takes a lock that makes others wait until the transaction ends.
func hold(t *testing.T, app *apptest.App, statement string) pgx.Tx {
	t.Helper()
	tx, err := app.Owner(t).Begin(t.Context())
	check.Must(t, err)
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) }) // of a test that has failed, so that the others end
	dbtest.Exec(t, tx, statement)
	return tx
}

// TestARecordIsNotMovedWhileItIsUsed has an owner use a record that names no shop while the first shop is made that it could be for.
func TestARecordIsNotMovedWhileItIsUsed(t *testing.T) {
	t.Parallel()
	ann, staff := withShops(t)
	eve := newMember(t, ann, "eve@example.com")
	newShop(t, eve, "dine")
	hire(t, ann, "ann@example.com", "owner", "dine")
	apply(t, ann)
	accept(t, staff)
	inTurn(t, ann, "SELECT FROM compliance FOR UPDATE", func() { ann.Post(t, "/desk/dine/live", url.Values{"do": {"use"}}) }, func() { newShop(t, ann, "pears") })
	wantRecord(t, ann, "dine", "ann")
	wantRecord(t, ann, "pears", "")
}

// TestAnOwnerWhoJoinsDuringAcceptanceBecomesAManager has an invited owner join while the application is accepted.
func TestAnOwnerWhoJoinsDuringAcceptanceBecomesAManager(t *testing.T) {
	t.Parallel()
	ann, staff := ready(t)
	bob := newMember(t, ann, "bob@example.com")
	ann.Post(t, bakery+"/team", url.Values{"do": {"invite"}, "email": {"bob@example.com"}, "role": {"owner"}})
	link := ann.Link(t, ann.Letter(t, "bob@example.com", "/join/"))
	inTurn(t, ann, "LOCK compliance IN SHARE MODE", func() { accept(t, staff) }, func() { bob.Post(t, link, nil) })
	wantTeam(t, ann, "anns-apples", "ann owner, bob manager")
}

func TestOnlyWhoMayOpenTheRecordDropsWhatWasEntered(t *testing.T) {
	t.Parallel()
	ann, _ := accepted(t, "pears")
	eve := newMember(t, ann, "eve@example.com")
	newMember(t, ann, "bob@example.com")
	hire(t, ann, "eve@example.com", "owner", "pears")
	hire(t, ann, "bob@example.com", "manager", "pears")
	do(t, ann, "pears", "bob@example.com", url.Values{"do": {"prove"}, "name": {"Bob Baker"}}, http.StatusSeeOther)
	do(t, eve, "pears", "bob@example.com", url.Values{"do": {"unprove"}}, http.StatusForbidden)
	do(t, ann, "pears", "bob@example.com", url.Values{"do": {"unprove"}}, http.StatusSeeOther)
}

package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

const bakery = "/desk/anns-apples"

// ready makes a shop that only needs staff's approval to go live, and signs in its owner. SQL replaces the steps that other tests
// take with a browser: the menu, the signature, the documents.
func ready(t *testing.T) (owner, staff *apptest.App) {
	t.Helper()
	owner = apptest.New(t, apptest.Options{Jobs: true})
	staff = owner.NewPerson(t).SignInStaff(t)
	openShop(t, owner, withMerchant(t, owner, "ann@example.com", "Ann's Apples"), "Ann's Apples", "anns-apples")
	dbtest.Exec(t, owner.Pool, `WITH c AS (INSERT INTO category (shop_code, name, position) VALUES ('anns-apples', 'Fruit', 0) RETURNING id)
		INSERT INTO item (shop_code, category_id, name, price_minor, loc, position) SELECT 'anns-apples', id, 'Apple', 150, 'Kitchen', 0 FROM c`)
	pay(t, owner, order(t, owner)).Must(t, http.StatusOK, "the test order")
	apply(t, owner)
	return owner, staff
}

// openShop makes the shop of a merchant.
func openShop(t *testing.T, by *apptest.App, merchant, name, code string) {
	t.Helper()
	got := by.Post(t, "/desk/new", url.Values{
		"m": {merchant}, "name": {name}, "code": {code}, "accent": {"#2347c5"}, "currency": {"AUD"}, "country": {"AU"},
		"timezone": {"Australia/Sydney"}, "locations": {"Kitchen"},
	})
	got.Must(t, http.StatusSeeOther, "the shop "+code)
}

// apply sends the application of ann@example.com for Ann's Apples.
func apply(t *testing.T, owner *apptest.App) {
	t.Helper()
	applyAs(t, owner, "ann@example.com", "Ann's Apples")
}

// applyAs sends somebody's application for a business.
func applyAs(t *testing.T, owner *apptest.App, email, business string) {
	t.Helper()
	ann := shop.Person{Email: email, Proof: account.OperatorProof()}
	check.Must(t, owner.Pool.QueryRow(t.Context(), "SELECT id FROM account WHERE email = $1", ann.Email).Scan(&ann.ID))
	for i, step := range []form.Step{
		&form.PrimaryContact{Contacts: []form.Contact{{First: "Ann", Last: "Lee", Email: ann.Email}}},
		&form.BusinessInfo{Country: "AU", TradingName: business, EntityType: form.PtyLtd},
		&form.PaymentTypes{PayTypes: []string{"In person payments"}},
		&form.StakeHolders{People: []form.StakeHolder{
			{Name: "Ann Lee", Type: "Individual", RoleFlags: form.RoleFlags{Director: true}},
			{Name: "Lee Holdings", Type: "Company", RoleFlags: form.RoleFlags{Shareholder: true}},
			{Name: "Bo Resident", Type: "Individual", RoleFlags: form.RoleFlags{Shareholder: true}},
		}},
	} {
		if _, err := owner.Forms.Save(t.Context(), ann, form.Application, i, step); err != nil {
			t.Fatal(i, err)
		}
	}
	_, err := owner.Forms.Submit(t.Context(), ann, form.Application, "")
	check.Must(t, err)
}

func order(t *testing.T, app *apptest.App) string {
	t.Helper()
	made := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "anns-apples", "table": "1", "source": "diy-pos", "order": []map[string]any{{"name": "Apple", "qty": 1}}})
	return apptest.JSON[struct{ TrxID string }](t, made).TrxID
}

func pay(t *testing.T, app *apptest.App, trx string) apptest.Answer {
	t.Helper()
	return app.PostJSON(t, "/api/pay", map[string]any{"merchantId": "anns-apples", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123"})
}

// identified identifies the people behind the business by SQL; other tests use the pages.
func identified(t *testing.T, app *apptest.App) {
	t.Helper()
	dbtest.Exec(t, app.Pool, `INSERT INTO compliance_text (hash, version, document) VALUES (decode(repeat('00', 32), 'hex'), '1', '{}')`)
	dbtest.Exec(t, app.Pool, `INSERT INTO shop_account (shop_code, live, paylink_mid, set_by) VALUES ('anns-apples', true, 'MID-1', 'staff')`)
	dbtest.Exec(t, app.Pool, `INSERT INTO payout_account (id, shop_code, sealed, asked_by, passed_at)
		SELECT gen_random_uuid(), 'anns-apples', '', 'ann@example.com', now() WHERE NOT EXISTS (SELECT FROM payout_account)`)
	dbtest.Exec(t, app.Pool,
		`UPDATE compliance_person p SET state = 'accepted' FROM compliance c WHERE c.id = p.compliance_id AND c.shop_code = 'anns-apples'`)
}

func TestOfSeveralBusinessesTheOneInTheApplicationIsUnfolded(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	dbtest.Exec(t, owner.Pool,
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, 'owner' FROM account WHERE email = 'ann@example.com'")
	v := staff.Visit(t, "/staff/forms/"+dbtest.Value[string](t, owner.Pool, "SELECT reference FROM form")).Has("First test order paid $1.50")
	folded := strings.Join(v.Texts("summary"), "\n")
	check.Contains(t, folded, "Panezski", "folded")
	check.Lacks(t, folded, "Ann's Apples", "folded")
}

func TestFromTheApplicationToLivePayments(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	owner.Visit(t, bakery+"/live").Has("What is missing", "Application", "In review", "Agreement", "Proof of identity",
		"Account for your payments").HasNot("Request to go live", "Take real payments", "List your tables")
	owner.Post(t, bakery+"/live", url.Values{"do": {"ask"}}).Want(t, http.StatusConflict, "asking too early", "Something is missing now")
	owner.Post(t, bakery+"/live", url.Values{"do": {"live"}}).Want(t, http.StatusConflict, "switching too early")

	// Accepting the application makes the record and mails what to do next.
	reference := dbtest.Value[string](t, owner.Pool, "SELECT reference FROM form")
	owner.Visit(t, bakery).Has("Steps to go live 3 of 8 done")
	staff.Visit(t, "/staff/forms/"+reference).Has("ABN", "First test order paid $1.50").Tick("decision", "approved").Press("Record decision")
	v := owner.Visit(t, bakery+"/live").Has("What is missing 4 of 8 done").HasNot("Your checklist").HasNot("Tell us about the company").
		Follow("Read and sign").Has("For Ann's Apples", "is your signature", "allows us to debit the account above")
	record := v.Path
	opened := owner.Letter(t, "ann@example.com", "Two things to do for Ann's Apples")
	if owner.Link(t, opened) != record || !strings.Contains(opened.Plain, "each of the 2 people behind the business") || strings.Contains(opened.Plain, "Resident") {
		t.Errorf("the mail: %+v", opened)
	}
	text := v.Value("text")
	owner.Post(t, record, url.Values{"text": {text}, "name": {"Ann"}, "bsb": {"062-000"}, "number": {"12345678"}, "acknowledged": {"yes"}})
	owner.Visit(t, record).Has("Ann Lee", "Bo Resident").HasNot("Lee Holdings")
	owner.Visit(t, bakery+"/live").Has("Say which account your payouts go to.").Follow("Say which account").
		Has("Tell us before you go live", "Your direct debit agreement names Ann, 062-000 •••••678").Press("Pay me into that account").
		Has("not passed on yet", "062-000 •••••678")
	owner.Visit(t, bakery+"/live").Has("We are passing your account on")
	staff.Visit(t, "/staff").Has("Ann's Apples", "Bank accounts")
	staff.Visit(t, dbtest.Value[string](t, owner.Pool, "SELECT '/staff/bank-accounts/' || id FROM payout_account")).
		Has("062000", "12345678").Tick("decision", "passed").Press("Record decision").Has("No account waits")
	owner.Letter(t, "ann@example.com", "Ann's Apples is paid into another account from now on")
	identified(t, owner)

	v = owner.Visit(t, bakery+"/live").Has("Ready to go live").HasNot("What is missing")
	v.Press("Request to go live").Has("We have your request", "TEST MODE").HasNot("Request to go live")
	owner.Visit(t, bakery).Has("We have your request and are reviewing it.")

	// Staff see everything on one page.
	staff.Visit(t, "/staff/live").Has("Ann's Apples", "Test mode", "Waiting 1")
	c := staff.Visit(t, "/staff/live/anns-apples").Has(
		"Application", "Ann Lee", "Signed by ann@example.com", "Bo Resident Accepted", "Merchant id ends in ID-1", "For sale 1 item", "First test order paid $1.50", "Owner ann@example.com", "asked to go live")
	seen := c.Value("seen")
	c.Tick("decision", "returned").Press("Record decision").Has("Say why, in words for the owners")
	c.Tick("decision", "returned").Type("reason", "Which days do you open?").Press("Record decision")
	v = owner.Visit(t, bakery+"/live").Has("We need a little more", "Which days do you open?")
	if m := owner.Letter(t, "ann@example.com", "We need a little more before Ann's Apples goes live"); !strings.Contains(m.Plain,
		"Which days do you open?") || owner.Link(t, m) != bakery+"/live" {
		t.Errorf("the mail: %+v", m)
	}
	v.Type("note", "Tuesday to Sunday").Press("Ask again").Has("We have your request")
	staff.Post(t, "/staff/live/anns-apples", url.Values{"seen": {seen}, "decision": {"approved"}}).Want(t, http.StatusConflict,
		"a decision on the earlier request")
	staff.Visit(t, "/staff/live/anns-apples").Has("The owners say Tuesday to Sunday").Tick("decision", "approved").Press("Record decision").Has("Approved", "Withdraw the approval")
	owner.Letter(t, "ann@example.com", "Ann's Apples may go live")

	// When the owner switches, unpaid orders end.
	unpaid := order(t, owner)
	owner.Visit(t, bakery+"/live").Has("You may go live")
	owner.Post(t, bakery+"/live", url.Values{"do": {"live"}}).Want(t, http.StatusConflict, "with a password of 11 characters", "at least 12 characters")
	owner.Post(t, "/account", url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}).
		Leads(t, "/account?done=password", "a longer one")
	owner.Visit(t, bakery+"/live").Press("Take real payments").Has("You take real payments").HasNot("TEST MODE")
	owner.Letter(t, "ann@example.com", "You can take payments: Ann's Apples is live")
	owner.Visit(t, "/pos/anns-apples/"+unpaid).Has("switched between test and live payments", "Nothing was charged").HasNot("Card Number")
	pay(t, owner, unpaid).Want(t, http.StatusGone, "a test order is paid live", "switched between test and live payments")
	live := order(t, owner)
	pay(t, owner, order(t, owner)).Want(t, http.StatusOK, "a live order")
	owner.Visit(t, "/merchant/admin").HasNot("TEST MODE")

	manager := owner.NewPerson(t).SignUp(t, "bob@example.com")
	dbtest.Exec(t, owner.Pool,
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'anns-apples', id, 'manager' FROM account WHERE email = 'bob@example.com'")
	manager.Visit(t, bakery+"/live").Has("You take real payments", "Only an owner can").HasNot("Go back to test mode")

	// Back to test mode, at once, by the owner and by staff.
	owner.Visit(t, bakery+"/live").Press("Go back to test mode").Has("You may go live", "TEST MODE")
	pay(t, owner, live).Want(t, http.StatusGone, "a live order is paid in test mode")
	owner.Visit(t, bakery+"/live").Press("Take real payments")
	staff.Visit(t, "/staff/live/anns-apples").Tick("decision", "returned").Type("reason", "The bank asks us to stop").Press("Record decision").Has("Test mode", "Asked for more")
	owner.Visit(t, bakery+"/live").Has("TEST MODE", "The bank asks us to stop", "Ask again").HasNot("Take real payments")
	owner.Letter(t, "ann@example.com", "Ann's Apples is back in test mode")

	check.Equal(t, dbtest.Value[string](t, owner.Pool,
		`SELECT string_agg(split_part(actor, '@', 1) || ' ' || action, ', ' ORDER BY id) FROM audit WHERE subject = 'going live anns-apples'`),
		"ann going live requested, staff going live returned, ann going live requested, staff going live approved, ann live payments on, "+
			"ann back to test mode, ann live payments on, staff back to test mode, staff going live returned", "the audit log")
}

// The application belongs to the business: nobody applies again, and every owner is known to the provider.
func TestANewOwnerIsIdentifiedInsteadOfApplyingAgain(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	bob := owner.NewPerson(t).SignUp(t, "bob@example.com")
	dbtest.Exec(t, owner.Pool,
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'anns-apples', id, 'manager' FROM account WHERE email = 'bob@example.com'")
	var reference, id string
	check.Must(t, owner.Pool.QueryRow(t.Context(),
		"SELECT f.reference, a.id FROM form f, account a WHERE a.email = 'bob@example.com'").Scan(&reference, &id))
	member := bakery + "/team/" + id
	owner.Visit(t, member).Has("An application stays with the person who sent it")
	staff.Visit(t, "/staff/forms/"+reference).Tick("decision", "approved").Press("Record decision")
	v := owner.Visit(t, bakery+"/live").Follow("Read and sign")
	record := v.Path
	owner.Post(t, record, url.Values{"text": {v.Value("text")}, "name": {"Ann"}, "bsb": {"062-000"}, "number": {"12345678"}, "acknowledged": {"yes"}})
	identified(t, owner)

	const wait = "What to do first is below"
	for what, form := range map[string]url.Values{"transfer": {"do": {"transfer"}}, "role": {"do": {"role"}, "role": {"owner"}}} {
		owner.Post(t, member, form).Want(t, http.StatusConflict, "making bob owner by "+what, wait)
	}
	got := owner.Post(t, bakery+"/team", url.Values{"do": {"invite"}, "email": {"cat@example.com"}, "role": {"owner"}})
	got.Want(t, http.StatusUnprocessableEntity, "an owner is invited", "as a manager")
	bob.Post(t, member, url.Values{"do": {"prove"}, "name": {"Bob Baker"}}).Want(t, http.StatusForbidden, "a manager makes themselves owner")
	owner.Visit(t, member).Has("show us who bob@example.com is", "Nobody applies again").HasNot("Transfer to").Press("Continue").Has("Enter the full name")
	for range 2 {
		asked := owner.Post(t, member, url.Values{"do": {"prove"}, "name": {"Bob Baker"}})
		check.MustEqual(t, asked.Location, record+"?person=3", "asking leads to %d", asked.Status)
	}
	owner.Visit(t, record+"?person=3").Has("Bob Baker", "Home address")
	owner.Visit(t, member).Press("Cancel the transfer").Has("show us who")
	owner.Visit(t, record).HasNot("Bob Baker")
	owner.Visit(t, member).Type("name", "Bob Baker").Press("Continue").Has("Bob Baker")
	owner.Visit(t, member).Has("Enter the details of bob@example.com").HasNot("Transfer to")
	owner.Visit(t, bakery+"/live").Has("Ready to go live").HasNot("What is missing")
	dbtest.Exec(t, owner.Pool, "UPDATE compliance_person SET state = 'waiting' WHERE account_id IS NOT NULL")
	staff.Visit(t, "/staff/compliance/"+strings.TrimPrefix(record, "/compliance/")+"/4").Has("Will own the business bob@example.com").
		Tick("decision", "accepted").Press("Record decision")
	m := owner.Letter(t, "ann@example.com", "Identity details accepted")
	check.Contains(t, m.Plain, "You can now transfer the business, or make Bob B. an owner beside you.", "the mail")

	owner.Visit(t, owner.Link(t, m)).Has("nobody has to apply again").Press("Transfer to bob@example.com").Has("Ownership was transferred")
	bob.Visit(t, bakery+"/live").Has("Ready to go live").HasNot("What is missing").Press("Request to go live")
	staff.Visit(t, "/staff/live/anns-apples").Has("Application "+reference, "Bob Baker Accepted").Tick("decision", "approved").Press("Record decision")
	dbtest.Exec(t, owner.Pool, "UPDATE account SET short_password = false")
	bob.Visit(t, bakery+"/live").Has("You may go live").Press("Take real payments").Has("You take real payments").
		Press("Go back to test mode").Press("Take real payments").Has("You take real payments")
	for why, change := range map[string]string{
		"the operator approved, with no application before them": "UPDATE go_live SET decided_by = 'operator'; UPDATE form SET state = 'returned', reason = 'Which ABN?'",
		"staff declined the new owner":                           "UPDATE form SET account_id = '" + id + "', state = 'declined', reason = 'A fraud'",
	} {
		dbtest.Exec(t, owner.Pool, "UPDATE shop SET live = false WHERE code = 'anns-apples'; "+change)
		bob.Post(t, bakery+"/live", url.Values{"do": {"live"}}).Want(t, http.StatusConflict, why+", and the new owner switches", "Application")
		dbtest.Exec(t, owner.Pool,
			"UPDATE go_live SET decided_by = 'staff'; UPDATE form SET account_id = (SELECT id FROM account WHERE email = 'ann@example.com'), state = 'approved', reason = ''")
	}
	bob.Post(t, bakery+"/live", url.Values{"do": {"live"}})
	staff.Visit(t, "/staff/live/anns-apples").Tick("decision", "returned").Type("reason", "Who are you?").Press("Record decision")
	bob.Visit(t, bakery+"/live").Has("Who are you?", "Ask again")

	// The person who applied may become owner again.
	ann := dbtest.Value[string](t, owner.Pool, "SELECT id FROM account WHERE email = 'ann@example.com'")
	bob.Visit(t, bakery+"/team/"+ann).Press("Transfer to Ann Lee").Has("Ownership was transferred")
	owner.Visit(t, bakery+"/live").HasNot("What is missing")
}

func TestADashboardInvitationMakesNoUnknownOwner(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	var reference, merchant string
	check.Must(t, owner.Pool.QueryRow(t.Context(),
		"SELECT f.reference, m.uuid::text FROM form f, merchant m WHERE m.shop_code = 'anns-apples'").Scan(&reference, &merchant))
	invite := func(email string) apptest.Answer {
		return owner.Post(t, "/merchant/admin/"+merchant+"/admins", url.Values{"email": {email}})
	}
	invite("cat@example.com").Must(t, http.StatusSeeOther, "before the application is accepted")
	link := owner.Link(t, owner.Mails(t, "cat@example.com", 1)[0])
	staff.Visit(t, "/staff/forms/"+reference).Tick("decision", "approved").Press("Record decision")
	cat := owner.NewPerson(t).SignUp(t, "cat@example.com")
	if got := cat.Post(t, link, nil); got.Status == http.StatusSeeOther {
		t.Errorf("an invitation from before the application was accepted works: %d %s", got.Status, got.Location)
	}
	invite("dan@example.com").Want(t, http.StatusUnprocessableEntity, "an owner whom nobody knows is invited",
		"We verify every owner’s identity")
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM shop_member WHERE shop_code = 'anns-apples'"), 1,
		"people are on the team")
}

func TestAnAdminFromBeforeTheShopIsNoUnknownOwner(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		invited bool // before the application is accepted
		byCat   bool // Cat makes the shop
	}{
		"the application came first":       {false, false},
		"the invitation came first":        {true, false},
		"the invited admin makes the shop": {false, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner := apptest.New(t, apptest.Options{Jobs: true})
			staff, cat := owner.NewPerson(t).SignInStaff(t), owner.NewPerson(t).SignUp(t, "cat@example.com")
			merchant := withMerchant(t, owner, "ann@example.com", "Ann's Apples")
			join := func() {
				t.Helper()
				owner.Post(t, "/merchant/admin/"+merchant+"/admins", url.Values{"email": {"cat@example.com"}})
				cat.Post(t, owner.Link(t, owner.Mails(t, "cat@example.com", 1)[0]), nil).Must(t, http.StatusSeeOther, "cat joins")
			}
			if test.invited {
				join()
			}
			apply(t, owner)
			accept(t, staff)
			if !test.invited {
				join()
			}
			by := owner
			if test.byCat {
				by = cat
			}
			openShop(t, by, merchant, "Ann's Apples", "anns-apples")
			wantTeam(t, owner, "anns-apples", "ann owner, cat manager")
			cat.Post(t, "/merchant/admin/"+merchant+"/admins", url.Values{"email": {"dan@example.com"}}).Want(t, http.StatusNotFound,
				"cat still has the dashboard")
		})
	}
}

// On screen, staff make the compliance record of an application that was approved before an approval made one by itself.
func TestStaffMakeTheRecordOfAnOldApplication(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	dbtest.Exec(t, owner.Pool, "UPDATE form SET state = 'approved', decided_at = now(), decided_by = 'before'")
	reference := dbtest.Value[string](t, owner.Pool, "SELECT reference FROM form")
	owner.Visit(t, bakery).Has("Agreement Opens once")
	page := "/staff/forms/" + reference
	staff.Visit(t, page).Has("Not given: the nature of the business", "Legal entity name The same as the trading name").
		Tick("decision", "record").Press("Record decision").Has("made the compliance record", "Agreement Not signed yet", "Identities 0 of 2 accepted").
		HasNot("Make the compliance record")
	owner.Visit(t, bakery).Has("Agreement Sign the merchant agreement").Follow("Read and sign").Has("For Ann's Apples")
	owner.Letter(t, "ann@example.com", "Two things to do for Ann's Apples")

	// A second person who still sees the button makes no second record.
	check.Must(t, owner.Forms.AcceptAgain(t.Context(), reference, "staff"))
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM compliance WHERE shop_code = 'anns-apples'"), 1, "records")
}

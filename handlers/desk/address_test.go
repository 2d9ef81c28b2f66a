package desk_test

import (
	"net/http"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// ticked is the box for copies of receipts, if it is ticked.
const ticked = `name="copies" value="on" checked`

func TestTheAddressOfANewBusinessIsProposedFromItsWholeName(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for i, tt := range []struct{ name, want string }{
		{"The Fitzroy Cup", "the-fitzroy-cup"}, {"THE Fitzroy Cup!", "the-fitzroy-cup-2"},
		{"Joe’s Café & Bar", "joes-cafe-bar"}, {"Panezski", "panezski-2"},
	} {
		person := app.NewPerson(t)
		withMerchant(t, person, string(rune('a'+i))+"@example.com", tt.name)
		v := person.Visit(t, "/desk/new").Has("It cannot change later")
		check.Equal(t, v.Value("code"), tt.want, "%s", tt.name)
		v.Press("Create business").Has("Get ready to take payments")
		check.Equal(t, person.Get(t, "/desk/"+tt.want+"/shop").Status, http.StatusOK, "%s", tt.name)
	}
}

func TestStreetAndPhoneAreOnReceiptsFromThenOn(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET mail = 'boss@example.com', pl_merchant_email = 'boss@example.com' WHERE code = 'panezski'")
	_, before := app.Receipt(t, "ann@example.com")
	owner := app.NewPerson(t).SignInAs(t, "demo@forecourt.test")
	form := owner.Visit(t, "/desk/panezski/shop")
	check.Contains(t, owner.Get(t, "/desk/panezski/shop").Body, ticked, "a business from before is mailed copies")
	form.Type("street", "12 Smith Street, Fitzroy VIC 3065").Type("phone", "call me").Press("Save").
		Has("Enter a phone number like 03 5550 0100").Type("phone", "(03) 5550 0100").Press("Save").Has("Saved.")
	_, after := app.Receipt(t, "ann@example.com")
	v := app.Visit(t, after).Has("12 Smith Street, Fitzroy VIC 3065", "(03) 5550 0100")
	v.Shows("a", "href=tel:0355500100")
	app.Visit(t, before).HasNot("Smith Street", "5550 0100")
	mails := app.Mails(t, "ann@example.com", 2)
	check.Contains(t, mails[1].Plain+mails[0].Plain, "12 Smith Street, Fitzroy VIC 3065\n(03) 5550 0100\n", "the mail")
}

func TestABusinessTurnsTheCopiesOfReceiptsOff(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET mail = 'demo@forecourt.test', pl_merchant_email = 'demo@forecourt.test' WHERE code = 'panezski'")
	owner := app.NewPerson(t).SignInAs(t, "demo@forecourt.test")
	app.Receipt(t, "ann@example.com")
	copied := app.Mails(t, "demo@forecourt.test", 1)
	check.Contains(t, copied[0].Plain, "You need no such copies? Untick them at "+app.URL+"/desk/panezski/shop", "the copy")
	owner.Post(t, "/desk/panezski/shop", details("mail", "demo@forecourt.test")).Want(t, http.StatusSeeOther, "without copies")
	// The business pays itself: it is a payer then, who gets a receipt.
	_, path := app.Receipt(t, "demo@forecourt.test")
	app.Receipt(t, "ann@example.com")
	app.Mails(t, "ann@example.com", 2)
	mails := app.Mails(t, "demo@forecourt.test", 2)
	check.Contains(t, mails[0].Plain+mails[1].Plain, path, "the receipt of the payer")
	withMerchant(t, app, "new@example.com", "New Cup")
	check.Lacks(t, app.Get(t, "/desk/new").Body, ticked, "a new business is mailed a copy of each receipt unasked")
}

func TestAnOwnerAnswersWhatStaffAskOnTheChecklist(t *testing.T) {
	t.Parallel()
	owner := apptest.New(t, apptest.Options{Jobs: true})
	staff := owner.NewPerson(t).SignInStaff(t)
	openShop(t, owner, withMerchant(t, owner, "ann@example.com", "Ann's Apples"), "Ann's Apples", "anns-apples")
	apply(t, owner)
	page := "/staff/forms/" + dbtest.Value[string](t, owner.Pool, "SELECT reference FROM form")
	staff.Visit(t, page).Tick("decision", "returned").Type("reason", "What do you turn over in a month?").Press("Record decision")
	owner.Visit(t, bakery).Has("We read your application and have a question.").Follow("Answer it").
		Has("What do you turn over in a month?", "Asked ")

	// Another owner and a manager see no field for an answer that is not theirs.
	other := owner.NewPerson(t).SignUp(t, "bo@example.com")
	dbtest.Exec(t, owner.Pool, `INSERT INTO shop_member (shop_code, account_id, role)
		SELECT 'anns-apples', id, 'owner' FROM account WHERE email = 'bo@example.com'`)
	other.Visit(t, bakery+"/live").Has("Only ann@example.com can answer").HasNot("What do you turn over in a month?", "Send the answer")
	dbtest.Exec(t, owner.Pool, `UPDATE shop_member SET role = 'manager'
		WHERE account_id = (SELECT id FROM account WHERE email = 'bo@example.com')`)
	other.Visit(t, bakery+"/live").HasNot("What do you turn over in a month?")

	owner.Post(t, bakery+"/live", url.Values{"do": {"answer"}, "note": {" "}}).
		Want(t, http.StatusUnprocessableEntity, "no answer", "Write your answer.")
	card := owner.Post(t, bakery+"/live", url.Values{"do": {"answer"}, "note": {"4111 1111 1111 1111"}})
	card.Want(t, http.StatusUnprocessableEntity, "a card number", "This looks like a card number")
	owner.Visit(t, bakery+"/live").Type("note", "About 40,000 dollars").Press("Send the answer").Has("Your answer is with us.", "In review").
		HasNot("What do you turn over in a month?")
	staff.Visit(t, "/staff/forms").Has("Merchant application, answered")
	staff.Visit(t, page).Has("Answer to what we asked About 40,000 dollars", "Record decision")
	owner.Post(t, bakery+"/live", url.Values{"do": {"answer"}, "note": {"Once more"}})
	staff.Visit(t, page).HasNot("Once more")
}

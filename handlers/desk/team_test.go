package desk_test

import (
	"net/http"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// joined invites an address to panezski in a role, and returns the browser of the person who joined with a new account.
func joined(t *testing.T, app *apptest.App, email, role string) (person *apptest.App, link string) {
	t.Helper()
	app.Post(t, "/desk/panezski/team", url.Values{"do": {"invite"}, "email": {email}, "role": {role}}).Must(t, http.StatusSeeOther, "invite")
	link = app.Link(t, app.Mails(t, email, 1)[0])
	person = app.NewPerson(t)
	made := person.Post(t, link, url.Values{"name": {"Sam"}, "password": {demo.Password}, "confirm": {demo.Password}})
	made.Leads(t, "/desk/panezski", "join")
	return person, link
}

func TestTheTeamPageNamesOnlyPlainAddresses(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	team := "/desk/panezski/team?done=invited&email="
	app.Visit(t, team+"pat@example.com").Has("The invitation is on its way to pat@example.com.")
	for _, email := range []string{"", "nobody. Call 0400 000 000", "Pat <pat@example.com>"} {
		app.Visit(t, team+url.QueryEscape(email)).Has("The invitation is on its way to them.").HasNot("0400", "pat@example.com")
	}
}

func TestAnInvitedPersonJoinsTheTeam(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	sam, link := joined(t, app, "sam@example.com", "floor")
	sam.Get(t, "/pos/panezski/kitchen").Want(t, http.StatusOK, "the kitchen")
	app.Visit(t, "/desk/panezski/team").Has("Sam", "sam@example.com", "Floor staff")
	verified := dbtest.Value[bool](t, app.Pool, "SELECT verified_at IS NOT NULL FROM account WHERE email = 'sam@example.com'")
	if !verified {
		t.Errorf("the link verified the address: %t", verified)
	}
	for name, who := range map[string]*apptest.App{"the same person": sam, "nobody": app.NewPerson(t)} {
		got := who.Get(t, link)
		got.Want(t, http.StatusGone, "the used link, opened by "+name, "This invitation was used")
		check.Lacks(t, got.Body, "no longer works", "the used link, opened by %s", name)
	}
	app.NewPerson(t).Post(t, link, url.Values{"password": {demo.Password}, "confirm": {demo.Password}}).Want(t, http.StatusGone,
		"joining again")
	check.Equal(t, dbtest.Value[string](t, app.Pool,
		`SELECT string_agg(actor || ': ' || action || ' ' || reason, ', ' ORDER BY id) FROM audit WHERE subject = 'shop panezski'`),
		"demo@forecourt.test: member invited sam@example.com, floor, sam@example.com: team joined floor", "the audit log")
}

func TestAnInvitationIsForOneAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	known, other := app.NewPerson(t).SignUp(t, "known@example.com"), app.NewPerson(t).SignUp(t, "other@example.com")
	app.Post(t, "/desk/panezski/team", url.Values{"do": {"invite"}, "email": {"Known@Example.com "}, "role": {"manager"}})
	link := app.Link(t, app.Mails(t, "known@example.com", 1)[0])

	other.Post(t, link, nil).Want(t, http.StatusUnprocessableEntity, "somebody else", "This invitation is for known@example.com")
	stranger := app.NewPerson(t)
	if got := stranger.Post(t, link, url.Values{"password": {"Other-pass-1"}, "confirm": {"Other-pass-1"}}); got.Status != http.StatusUnprocessableEntity || got.Location != "" {
		t.Errorf("a new password for an existing account: %d", got.Status)
	}
	stranger.Visit(t, link).Follow("Sign in to join").Type("email", "known@example.com").Type("password", demo.Password).Press("Sign in").Press("Join").Has("Manager", "Your checklist")
	known.Get(t, "/desk/panezski/tables").Want(t, http.StatusOK, "the manager")
	for _, path := range []string{"/desk/panezski/team"} {
		check.Equal(t, known.Post(t, path, url.Values{"do": {"invite"}, "email": {"boss@example.com"}, "role": {"owner"}}).Status, http.StatusForbidden,
			"a manager invites an owner")
	}
}

func TestARemovedMemberHasNoWayIn(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	sam, _ := joined(t, app, "sam@example.com", "manager")
	sam.Post(t, "/desk/panezski/team", url.Values{"do": {"invite"}, "email": {"friend@example.com"}, "role": {"floor"}})
	link := app.Link(t, app.Mails(t, "friend@example.com", 1)[0])
	screen := connect(t, sam, "Sam's phone")
	feed := open(t, sam, "/pos/panezski/kitchen/events")
	screen.Get(t, "/pos/panezski/kitchen").Must(t, http.StatusOK, "the screen before")

	app.Visit(t, "/desk/panezski/team").Follow("Change Sam").Press("Remove Sam").Has("have no access")
	for _, path := range []string{"/desk/panezski", "/desk/panezski/team", "/pos/panezski/kitchen"} {
		sam.Get(t, path).Want(t, http.StatusNotFound, path+" of the removed")
	}
	feed.ends(t)
	app.NewPerson(t).Get(t, link).Want(t, http.StatusGone, "the invitation that they had sent")
	screen.Get(t, "/pos/panezski/kitchen").Want(t, http.StatusForbidden, "the screen that they had connected")
}

func TestAnAccountantBeginsWithTheExportsAndSeesNothingElse(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE shop_member SET role = 'accountant' WHERE shop_code = 'panezski'")
	app.Get(t, "/desk/panezski").Leads(t, "/desk/panezski/exports", "the first page")
	page := app.Get(t, "/desk/panezski/exports").Body
	for _, may := range []string{"payments", "payouts", "disputes", "closings", "exports", "notices"} {
		check.Contains(t, page, `href="/desk/panezski/`+may+`"`, "navigation")
	}
	for _, not := range []string{"links", "menu", "tables", "screens", "shop", "surcharges", "team", "live"} {
		check.Lacks(t, page, `href="/desk/panezski/`+not+`"`, "navigation")
	}
	check.Lacks(t, page, "/kitchen", "navigation")
	app.Visit(t, "/desk/panezski/closings").HasNot("Close the day")
	for _, page := range []string{"today", "live", "links", "menu", "team", "shop", "tables", "screens"} {
		app.Get(t, "/desk/panezski/"+page).Want(t, http.StatusForbidden, page)
	}
	app.Get(t, "/pos/panezski/kitchen").Want(t, http.StatusForbidden, "the kitchen")
}

func TestFloorStaffSeeNoTakingsThatAnOwnerHides(t *testing.T) {
	t.Parallel()
	owner := apptest.SignedIn(t)
	id := sale(t, owner, "4111111111111111", "")
	floor := owner.NewPerson(t)
	floor.SignUp(t, "floor@example.com")
	dbtest.Exec(t, owner.Pool, `INSERT INTO shop_member (shop_code, account_id, role)
		SELECT 'panezski', id, 'floor' FROM account WHERE email = 'floor@example.com'`)
	pages := []string{"payouts", "payouts/owed", "closings"}
	floor.Visit(t, "/desk/panezski").Has("Taken", "$11.00", "Payouts", "End of day")
	floor.Visit(t, "/desk/panezski/payments").Has("1 paid · $11.00")
	owner.Visit(t, "/desk/panezski/payments/limits").Tick("takings", "hidden").Press("Save").Has("Saved.")
	check.Equal(t, dbtest.Value[string](t, owner.Pool, "SELECT reason FROM audit WHERE action = 'refund limit changed'"),
		"floor staff see takings: no", "the log")
	for _, page := range pages {
		floor.Get(t, "/desk/panezski/"+page).Want(t, http.StatusForbidden, page)
		owner.Get(t, "/desk/panezski/"+page).Want(t, http.StatusOK, "an owner's "+page)
	}
	for _, page := range []string{"", "/today", "/payments", "/payments?show=paid", "/payments?name=pat", "/payments?from=2020-01-01"} {
		floor.Visit(t, "/desk/panezski"+page).HasNot("11.00", "Payouts", "End of day")
	}
	for _, query := range []string{"find=1111", "find=11.00", "reference=" + id} {
		floor.Visit(t, "/desk/panezski/payments?"+query).Has("$11.00").HasNot("1 paid")
	}
	floor.Visit(t, "/desk/panezski/payments/"+id).Has("$11.00", "Make a refund")
	floor.Visit(t, "/desk/panezski/notices").Has("A dispute begins or ends").HasNot("Summary of the day", "A payout")
	owner.Visit(t, "/desk/panezski").Has("Taken", "$11.00")
}

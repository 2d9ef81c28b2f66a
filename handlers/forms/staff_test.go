package forms_test

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/upkeep/demo"
)

func isSelected(a nethtml.Attribute) bool { return a.Key == "selected" }

func TestTheQueueIsForStaff(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	reference := handIn(t, app)
	for _, path := range []string{"/staff/forms", "/staff/forms/" + reference} {
		app.Get(t, path).Want(t, http.StatusNotFound, path+" for an applicant")
		app.NewPerson(t).Visit(t, path).Has("Sign in").HasNot(reference)
	}
	check.Equal(t, app.Post(t, "/staff/forms/"+reference, url.Values{"decision": {"approved"}, "seen": {"1"}}).Status, http.StatusNotFound,
		"an applicant decides")
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	staff.Visit(t, "/staff/forms").Has(reference, "Corner Café", "Merchant application", "ann@example.com", "Waiting 1")
	staff.Visit(t, "/staff/forms?form=wptest").HasNot(reference).Has("Nothing is waiting for you")
	staff.Visit(t, "/staff/forms?state=approved&page=-3").HasNot(reference).Has("No forms here")
	staff.Visit(t, "/staff/forms?state=all&page=99999999999").HasNot(reference)
	staff.Visit(t, "/staff/forms/"+strings.ToLower(reference)).Has("Ann Merchant", "Director", "sent the form")
	staff.Get(t, "/staff/forms/A-2222-22").Want(t, http.StatusNotFound, "an unknown reference")
}

func TestAskingForMoreAndApproving(t *testing.T) {
	t.Parallel()
	app := signedUp(t, apptest.Options{Jobs: true})
	reference := handIn(t, app)
	page := "/staff/forms/" + reference
	staff, other := app.NewPerson(t), app.NewPerson(t)
	staff.SignInStaff(t)
	other.SignInStaff(t)
	stale := other.Visit(t, page)

	staff.Visit(t, page).Press("Record decision").Has("Choose a decision")
	staff.Visit(t, page).Tick("decision", "returned").Press("Record decision").Has("Say why")
	staff.Visit(t, page).Tick("decision", "returned").Type("reason", "Who is the other director?").Press("Record decision").
		Has("Asked for more", "Who is the other director?").HasNot("Record decision")
	stale.Tick("decision", "approved").Press("Record decision").Has("Your decision was not recorded. This is its state now.")
	check.Equal(t, stale.Status, http.StatusConflict, "a decision on an old submission")

	mails := app.Mails(t, "ann@example.com", 2)
	asked := slices.IndexFunc(mails, func(m apptest.Mail) bool {
		return strings.Contains(html.UnescapeString(m.Plain), "Who is the other director?")
	})
	if asked < 0 || app.Link(t, mails[asked]) != application {
		t.Errorf("the mails are %+v", mails)
	}
	app.Visit(t, application+"/check").Has("Who is the other director?", "Send again").Press("Send again").Has(reference, "Waiting for review")
	other.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"1"}}).Want(t, http.StatusConflict, "a decision on earlier answers")
	for range 2 { // a double click
		got := staff.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"2"}, "reason": {"All in order"}})
		got.Want(t, http.StatusSeeOther, "approving")
	}
	app.Visit(t, application).Has("You are approved", "All in order", reference)
	staff.Visit(t, page).Has("Approved", demo.StaffEmail+" approved it")
	mails = app.Mails(t, "ann@example.com", 5) // the last two: the approval, and what to do next
	approved := slices.IndexFunc(mails, func(m apptest.Mail) bool { return strings.Contains(m.Subject, "approved") })
	if len(mails) != 5 || approved < 0 {
		t.Errorf("%d mails, none reports the approval: %t", len(mails), approved < 0)
	}
}

func TestTheLengthOfAReason(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	reference := handIn(t, app)
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	for reason, want := range map[string]int{strings.Repeat("x", 2001): 422, strings.Repeat("x", 70<<10): 413, "\x00": 422} {
		got := staff.Post(t, "/staff/forms/"+reference, url.Values{"decision": {"declined"}, "seen": {"1"}, "reason": {reason}})
		check.Equal(t, got.Status, want, "%d letters", len(reason))
	}
}

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
	"forecourt/internal/demo"
)

func isSelected(a nethtml.Attribute) bool { return a.Key == "selected" }

func TestTheQueueIsForStaff(t *testing.T) {
	t.Parallel()
	app := continuing(t)
	reference := handIn(t, app)
	for _, path := range []string{"/staff/forms", "/staff/forms/" + reference} {
		if got := app.Get(t, path).Status; got != http.StatusNotFound {
			t.Errorf("%s for an applicant: %d", path, got)
		}
		app.NewPerson(t).Visit(t, path).Has("Sign in").HasNot(reference)
	}
	if got := app.Post(t, "/staff/forms/"+reference, url.Values{"decision": {"approved"}, "seen": {"1"}}).Status; got != http.StatusNotFound {
		t.Errorf("an applicant decides: %d", got)
	}
	staff := app.NewPerson(t)
	staff.SignInStaff(t)
	staff.Visit(t, "/staff/forms").Has(reference, "Corner Café", "Merchant application", "ann@example.com", "Waiting 1")
	staff.Visit(t, "/staff/forms?form=wptest").HasNot(reference).Has("Nothing is waiting for you")
	staff.Visit(t, "/staff/forms?state=approved&page=-3").HasNot(reference).Has("No forms here")
	staff.Visit(t, "/staff/forms?state=all&page=99999999999").HasNot(reference)
	staff.Visit(t, "/staff/forms/"+strings.ToLower(reference)).Has("Ann Merchant", "Director", "sent the form")
	if got := staff.Get(t, "/staff/forms/A-2222-22").Status; got != http.StatusNotFound {
		t.Errorf("an unknown reference: %d", got)
	}
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
	if stale.Status != http.StatusConflict {
		t.Errorf("a decision on an old submission: %d", stale.Status)
	}

	mails := app.Mails(t, "ann@example.com", 2)
	asked := slices.IndexFunc(mails, func(m apptest.Mail) bool {
		return strings.Contains(html.UnescapeString(m.Plain), "Who is the other director?")
	})
	if asked < 0 || app.Link(t, mails[asked]) != application {
		t.Errorf("the mails are %+v", mails)
	}
	app.Visit(t, application+"/check").Has("Who is the other director?", "Send again").Press("Send again").Has(reference, "Waiting for review")
	if got := other.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"1"}}).Status; got != http.StatusConflict {
		t.Errorf("a decision on earlier answers: %d", got)
	}
	for range 2 { // a double click
		got := staff.Post(t, page, url.Values{"decision": {"approved"}, "seen": {"2"}, "reason": {"All in order"}})
		if got.Status != http.StatusSeeOther {
			t.Errorf("approving: %d", got.Status)
		}
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
		if got.Status != want {
			t.Errorf("%d letters: %d, want %d", len(reason), got.Status, want)
		}
	}
}

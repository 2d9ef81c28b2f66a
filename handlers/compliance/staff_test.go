package compliance_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

const review = "/staff/compliance/acme/1"

// handedIn returns an admin's and a staff member's browser on a site where the record's first person waits for review.
func handedIn(t *testing.T) (admin, staff *apptest.App) {
	t.Helper()
	admin = record(t, apptest.Options{Jobs: true})
	sign(t, admin)
	send(t, admin, page, alex(), map[string][]byte{"dlfront": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	staff = admin.NewPerson(t)
	staff.SignInStaff(t)
	return admin, staff
}

func TestStaffDecide(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	staff.Visit(t, "/staff/compliance").Has("Alex Citizen", "Acme Pty Ltd", "Waiting 1").HasNot("Bo Resident")
	v := staff.Visit(t, review).Has("7 Canary Lane", "NSW", "CNRY7731", "3 February 1981", "Still to add: a photo of the back of the licence.")
	picture := staff.Get(t, review+"/front")
	if picture.Status != http.StatusOK || picture.Header.Get("Cache-Control") != "no-store" || picture.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the picture: %d %v", picture.Status, picture.Header)
	}
	check.Equal(t, strings.Count(staff.Visit(t, review).Has("looked at the details and the front of the licence").Body, "looked at"), 1,
		"looks in a row are listed … times")
	for name, tt := range map[string]struct {
		form    url.Values
		problem string
	}{
		"no decision":           {url.Values{"reason": {"because"}}, "Choose a decision"},
		"an unknown decision":   {url.Values{"decision": {"open"}}, "Choose a decision"},
		"more without a reason": {url.Values{"decision": {"returned"}, "reason": {" "}}, "Say what is missing"},
		"a very long reason":    {url.Values{"decision": {"returned"}, "reason": {strings.Repeat("é", 2001)}}, "at most 2,000 characters"},
	} {
		tt.form.Set("seen", v.Value("seen"))
		staff.Post(t, review, tt.form).Want(t, http.StatusUnprocessableEntity, name, tt.problem)
	}
	v.Tick("decision", "returned").Type("reason", "Please send the back, too").Press("Record decision").Has("Nobody is waiting for you")
	admin.Visit(t, page).Has("We need a little more", "Please send the back, too", "Alex Citizen We need more", "Your answer").HasNot("That is all we need")
	mails := admin.Mails(t, demo.Email, 2)
	if mails[1].FileName != "" { // either of the two may be written first
		mails[0], mails[1] = mails[1], mails[0]
	}
	if !strings.Contains(mails[1].Plain, "Please send the back, too") || !strings.Contains(mails[1].Plain, "the identity details of Alex C. and") || strings.Contains(mails[1].Plain, "Citizen") || admin.Link(t, mails[1]) != page+"?person=1" {
		t.Errorf("the mail: %+v", mails[1])
	}
	answered := alex()
	answered.Set("answer", "The back was\nin the other drawer")
	answered.Set("suburb", "")
	if got := send(t, admin, page, answered, nil); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "in the other drawer</textarea>") {
		t.Errorf("the form lost the answer because of a mistake in another field: %d", got.Status)
	}
	answered.Set("suburb", "Newtown")
	send(t, admin, page, answered, map[string][]byte{"dlback": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	staff.Visit(t, review).Has("Answer to our question", "in the other drawer")
	got := staff.Post(t, review, url.Values{"seen": {"1"}, "decision": {"accepted"}})
	got.Want(t, http.StatusConflict, "a decision on details that have changed since", "Your decision was not recorded")
	staff.Visit(t, review).Has("asked for more").Tick("decision", "accepted").Press("Record decision")
	admin.Visit(t, page+"?person=1").Has("These details are accepted", "Alex Citizen Accepted").HasNot("Choose a file", "That is all we need", "We need a little more")
	send(t, admin, page, alex(), nil).Want(t, http.StatusConflict, "changing accepted details")
	audit := map[string]int{"identity viewed": 1, "licence front viewed": 1, "identity returned": 1, "identity accepted": 1}
	for action, least := range audit {
		n := dbtest.Value[int](t, admin.Pool, fmt.Sprintf("SELECT count(*) FROM audit WHERE action = '%s' AND actor = '%s' AND subject = 'compliance acme/1'", action, demo.StaffEmail))
		if n < least {
			t.Errorf("%d audit lines %q", n, action)
		}
	}
}

func TestOnlyStaffReview(t *testing.T) {
	t.Parallel()
	admin, _ := handedIn(t)
	for _, path := range []string{"/staff/compliance", review, review + "/front"} {
		if got := admin.Get(t, path); got.Status != http.StatusNotFound || strings.Contains(got.Body, "Canary") {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	admin.Post(t, review, url.Values{"seen": {"1"}, "decision": {"accepted"}}).Want(t, http.StatusNotFound, "deciding as the applicant")
	check.Equal(t, dbtest.Value[int](t, admin.Pool, "SELECT count(*) FROM audit WHERE action LIKE '%viewed'"), 0, "looks are in the audit log")
}

// No table holds personal details in the clear: raw, in hexadecimal (as a dump writes bytes), or in base64.
func TestNothingIsStoredInTheClear(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	shown := admin.Get(t, page+"/1/front").Body
	v := staff.Visit(t, review)
	v.Tick("decision", "accepted").Press("Record decision")
	admin.Mails(t, demo.Email, 2)
	dbtest.Exec(t, admin.Owner(t), "CREATE TABLE planted AS SELECT 'Planted Avenue'::bytea AS b")
	dump := dumpOf(t, admin)
	if !holds(dump, "Planted Avenue") {
		t.Fatal("the search does not find a planted text")
	}
	for _, told := range []string{
		"Canary Lane", "Newtown", "CNRY7731", "CNRY 7731", "1981-02-03", "2044-12-31", "Alex Citizen", "40417293", "062187", "062-187",
		"Acme Trading", "other drawer", shown[len(shown)/2 : len(shown)/2+16], "\xff\xd8\xff\xdb",
	} {
		if holds(dump, told) {
			t.Errorf("%q is in the database", told)
		}
	}
}

// dumpOf returns every row of every table as text.
func dumpOf(t *testing.T, app *apptest.App) []byte {
	t.Helper()
	pool := app.Owner(t)
	rows, err := pool.Query(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	must.NoError(t, err)
	var tables []string
	for rows.Next() {
		var name string
		must.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	var dump bytes.Buffer
	for _, table := range tables {
		rows, err := pool.Query(t.Context(), fmt.Sprintf("SELECT t::text FROM %q t", table))
		must.NoError(t, err)
		for rows.Next() {
			var line string
			must.NoError(t, rows.Scan(&line))
			dump.WriteString(line + "\n")
		}
	}
	return dump.Bytes()
}

func holds(dump []byte, text string) bool {
	return bytes.Contains(dump, []byte(text)) || bytes.Contains(dump, fmt.Appendf(nil, "%x", text))
}

// TestOnePersonThatCannotBeOpenedDoesNotHideTheOthers has a row whose secret was lost, or that was changed.
func TestOnePersonThatCannotBeOpenedDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	admin, staff := handedIn(t)
	send(t, admin, page, url.Values{"person": {"2"}, "dob": {"2/1/1990"}}, nil).Must(t, http.StatusSeeOther, "saving the step")
	dbtest.Exec(t, admin.Pool, `UPDATE compliance_person SET sealed = '\x00' WHERE compliance_id = 'acme' AND number = 2`)
	staff.Visit(t, "/staff/compliance").Has("Alex Citizen", "Details that cannot be opened", "Waiting 2")
	staff.Get(t, "/staff/compliance/acme/2").Want(t, http.StatusServiceUnavailable, "the person")
}

func TestACopySaysWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	admin, _ := handedIn(t)
	send(t, admin, page, alex(), map[string][]byte{"dlback": photo(t, 80, 50)}).Must(t, http.StatusSeeOther, "saving the step")
	id, err := admin.Privacy.AccountID(t.Context(), demo.Email)
	must.NoError(t, err)
	for _, step := range []struct{ lose, has, file string }{
		{"UPDATE compliance_image SET sealed = '\\x00' WHERE side = 'back'", "CNRY7731", "identity/acme-1-front.jpg"},
		{"UPDATE compliance_person SET sealed = '\\x00' WHERE number = 2", "", "account.json"},
	} {
		dbtest.Exec(t, admin.Pool, step.lose)
		var content bytes.Buffer
		must.NoError(t, admin.Privacy.Export(t.Context(), id, &content))
		zipped, err := zip.NewReader(bytes.NewReader(content.Bytes()), int64(content.Len()))
		must.NoError(t, err)
		facts, err := fs.ReadFile(zipped, "identity/acme.json")
		if err != nil || !strings.Contains(string(facts), `"cannot_be_opened": true`) || !strings.Contains(string(facts), step.has) {
			t.Errorf("after %s: %s, %v", step.lose, facts, err)
		}
		_, err = fs.Stat(zipped, step.file)
		check.NoError(t, err, "%s", step.lose)
	}
}

package account_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

var (
	passkeyOptions = regexp.MustCompile(`(?s)<script id="passkey-options"[^>]*>(.*?)</script>`)
	passkeyID      = regexp.MustCompile(`name="id" value="([0-9a-f-]{36})"`)
)

// wanted returns the options that the site gives a browser that adds a passkey.
func wanted(t *testing.T, app *apptest.App) string {
	t.Helper()
	got := app.Post(t, "/account/passkeys", url.Values{"do": {"start"}})
	found := passkeyOptions.FindStringSubmatch(got.Body)
	if got.Status != http.StatusOK || found == nil {
		t.Fatalf("start: %d\n%s", got.Status, got.Body)
	}
	return found[1]
}

func addWith(t *testing.T, app *apptest.App, answer string) apptest.Answer {
	t.Helper()
	return app.Post(t, "/account/passkeys", url.Values{"do": {"add"}, "name": {"My phone"}, "passkey": {answer}})
}

// addPasskey adds a passkey to the signed-in account.
func addPasskey(t *testing.T, app *apptest.App) *passkey {
	t.Helper()
	device := newPasskey(t, app)
	addWith(t, app, device.Make(t, wanted(t, app))).Leads(t, "/account/passkeys?done=added", "add")
	return device
}

// asked returns the options that the site gives a browser that signs in by a passkey.
func asked(t *testing.T, browser *apptest.App) string {
	t.Helper()
	got := browser.Post(t, "/signin/passkey/ask", nil)
	got.Must(t, http.StatusOK, "ask")
	return got.Body
}

func enter(t *testing.T, browser *apptest.App, answer string) apptest.Answer {
	t.Helper()
	return browser.Post(t, "/signin/passkey", url.Values{"passkey": {answer}, "to": {"/account"}})
}

// keptStart asks to add a passkey when the last proof is too old, and returns the id of the kept form.
func keptStart(t *testing.T, app *apptest.App) string {
	t.Helper()
	grow(t, app, "11 minutes")
	got := app.Post(t, "/account/passkeys", url.Values{"do": {"start"}})
	id, found := strings.CutPrefix(got.Location, "/kept/")
	if got.Status != http.StatusSeeOther || !found {
		t.Fatalf("a passkey after 11 minutes: %d %q", got.Status, got.Location)
	}
	return id
}

func factors(t *testing.T, app *apptest.App, factor string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM session WHERE factor = '"+factor+"'")
}

func TestAPasskeySignsInWithoutAPassword(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	device := addPasskey(t, app)
	if mail := app.Mails(t, ann, 1)[0]; mail.Subject != "A passkey was added" || !strings.Contains(mail.Plain, "“My phone”") {
		t.Errorf("mail: %q\n%s", mail.Subject, mail.Plain)
	}
	other := app.NewPerson(t)
	enter(t, other, device.Sign(t, asked(t, other))).Leads(t, "/account", "sign-in")
	check.Equal(t, signedIn(t, other), true, "the list of sessions does not say that a passkey opened this one: signed in")
	check.Contains(t, other.Get(t, "/account").Body, ", with a passkey", "the list of sessions does not say that a passkey opened this one")
	log := other.Get(t, "/account/security").Body
	for _, line := range []string{"Signed in with a passkey", "Passkey added"} {
		check.Contains(t, log, line, "the log lacks")
	}
	// The password alone still signs in to an account that needs no second step.
	third := app.NewPerson(t).SignInAs(t, ann)
	if !signedIn(t, third) {
		t.Error("the password does not sign in")
	}
}

func TestAPasskeyIsBothFactors(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	device := addPasskey(t, s.App)
	browser := s.half(t)
	if page := browser.Get(t, "/signin/code").Body; !strings.Contains(page, "Use a passkey") || !strings.Contains(page, `name="code"`) {
		t.Error("the second step does not offer both a passkey and a code")
	}
	enter(t, browser, device.Sign(t, asked(t, browser))).Want(t, http.StatusSeeOther, "sign-in")
	check.Equal(t, signedIn(t, browser), true, "sign-in: signed in")
}

func TestWrongPasskeyAnswersAreRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	device := addPasskey(t, app)
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	bobs := addPasskey(t, bob)
	bobID := dbtest.Value[[]byte](t, app.Pool, "SELECT uuid_send(id) FROM account WHERE email = 'bob@example.com'")
	elsewhere := app.NewPerson(t)
	late := "That took longer than five minutes. Please try again."
	signed := func(key *passkey, lie func(*passkey)) func(*apptest.App) string {
		return func(browser *apptest.App) string {
			liar := *key
			lie(&liar)
			return liar.Sign(t, asked(t, browser))
		}
	}
	for _, tt := range []struct {
		name   string
		answer func(browser *apptest.App) string
		says   string
	}{
		{"of another page", signed(device, func(p *passkey) { p.Origin = "https://evil.example" }), accounts.ErrPasskey.Error()},
		{"for another site", signed(device, func(p *passkey) { p.Site = "evil.example" }), accounts.ErrPasskey.Error()},
		{"without verifying the person", signed(device, func(p *passkey) { p.Unasked = true }), accounts.ErrPasskey.Error()},
		{"in another's name", signed(device, func(p *passkey) { p.Owner = bobID }), accounts.ErrPasskey.Error()},
		{"by another's key", signed(bobs, func(p *passkey) { p.ID = device.ID }), accounts.ErrPasskey.Error()},
		{"by an unknown key", signed(newPasskey(t, app), func(p *passkey) { p.Owner = bobID }), accounts.ErrPasskey.Error()},
		{"to another browser's challenge", func(browser *apptest.App) string {
			asked(t, browser)
			return device.Sign(t, asked(t, elsewhere))
		}, late},
		{"to nothing", func(*apptest.App) string {
			return device.Sign(t, `{"publicKey":{"challenge":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}`)
		}, late},
		{"in no form at all", func(*apptest.App) string { return `{"id":1}` }, accounts.ErrPasskey.Error()},
	} {
		browser := app.NewPerson(t)
		enter(t, browser, tt.answer(browser)).Want(t, http.StatusUnprocessableEntity, tt.name, tt.says)
		check.Equal(t, signedIn(t, browser), false, "%s: signed in", tt.name)
	}
	if factors(t, app, "passkey") != 2 { // ann's and bob's
		t.Error("an answer opened a session")
	}
}

func TestAChallengeIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	device := addPasskey(t, app)
	browser := app.NewPerson(t)
	answer := device.Sign(t, asked(t, browser))
	var group sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		group.Go(func() { statuses[i] = enter(t, browser, answer).Status })
	}
	group.Wait()
	entered := 0
	for _, status := range statuses {
		if status == http.StatusSeeOther {
			entered++
		}
	}
	check.Equal(t, entered, 1, "one answer signed in … times: %v", statuses)
	enter(t, browser, answer).Want(t, http.StatusUnprocessableEntity, "again", "That took longer than five minutes. Please try again.")
	// A challenge for a proof, or for adding a passkey, does not sign in.
	proof := app.Post(t, "/account/passkeys/ask", nil).Body
	enter(t, app, device.Sign(t, proof)).Want(t, http.StatusUnprocessableEntity, "a proof signs in")
}

func TestACopiedPasskeyIsRefusedAndNoted(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	device := addPasskey(t, app)
	browser := app.NewPerson(t)
	device.Count = 40
	enter(t, browser, device.Sign(t, asked(t, browser))).Must(t, http.StatusSeeOther, "sign-in")
	for _, back := range []uint32{40, 7, 0} {
		copied := *device
		copied.Count = back
		thief := app.NewPerson(t)
		enter(t, thief, copied.Sign(t, asked(t, thief))).Want(t, http.StatusUnprocessableEntity, fmt.Sprint("with the counter at ", back),
			accounts.ErrCopied.Error())
		check.Equal(t, signedIn(t, thief), false, "with the counter at %d: signed in", back)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM account_event WHERE kind = 'passkey refused'"), 3, "noted … times")
}

func TestAddingAPasskeyNeedsAProof(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	first := newPasskey(t, app)
	options := wanted(t, app)
	answer := first.Make(t, options)
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	addWith(t, bob, answer).Want(t, http.StatusUnprocessableEntity, "another session answers",
		"That took longer than five minutes. Please try again.")
	grow(t, app, "11 minutes")
	addWith(t, app, answer).Leads(t, "/kept/…", "without a proof")
	check.MustEqual(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey"), 0, "passkeys")
	grow(t, app, "0 minutes")
	for _, liar := range []func(*passkey){
		func(p *passkey) { p.Origin = "https://evil.example" }, func(p *passkey) { p.Site = "evil.example" },
		func(p *passkey) { p.Unasked = true }, func(p *passkey) { p.ID = p.ID[:8] },
	} {
		device := newPasskey(t, app)
		liar(device)
		addWith(t, app, device.Make(t, wanted(t, app))).Want(t, http.StatusUnprocessableEntity, "a wrong one")
	}
	addWith(t, app, answer).Leads(t, "/account/passkeys?done=added", "with a proof")
	addWith(t, app, answer).Want(t, http.StatusUnprocessableEntity, "the same answer again")
	addWith(t, bob, first.Make(t, wanted(t, bob))).Want(t, http.StatusUnprocessableEntity, "the same passkey for a second account",
		accounts.ErrPasskeyTaken.Error())
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey"), 1, "passkeys")
}

func TestAPasskeyBelongsToItsOwnerAlone(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	addPasskey(t, app)
	id := passkeyID.FindStringSubmatch(app.Get(t, "/account/passkeys").Body)[1]
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	for _, do := range []string{"rename", "remove"} {
		bob.Post(t, "/account/passkeys", url.Values{"do": {do}, "id": {id}, "name": {"Mine"}}).Want(t, http.StatusNotFound, "bob may "+do+" it")
	}
	for _, name := range []string{"", strings.Repeat("x", 61), "4111 1111 1111 1111"} {
		check.Equal(t, app.Post(t, "/account/passkeys", url.Values{"do": {"rename"}, "id": {id}, "name": {name}}).Status, http.StatusUnprocessableEntity,
			"the name %q", name)
	}
	app.Post(t, "/account/passkeys", url.Values{"do": {"rename"}, "id": {id}, "name": {" Ann’s key "}})
	check.Contains(t, app.Get(t, "/account/passkeys").Body, "<bdi>Ann’s key</bdi>", "the passkey was not renamed")
	grow(t, app, "11 minutes")
	got := app.Post(t, "/account/passkeys", url.Values{"do": {"remove"}, "id": {id}})
	got.Leads(t, "/kept/…", "removed without a proof")
	got = proveBy(t, app, "/account/passkeys", strings.TrimPrefix(got.Location, "/kept/"), url.Values{"password": {demo.Password}})
	check.Equal(t, got.Location, "/account/passkeys?done=removed", "removed")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey"), 0, "removed")
	if mails := app.Mails(t, ann, 2); !slices.ContainsFunc(mails, func(m apptest.Mail) bool { // letters may overtake each other
		return m.Subject == "A passkey was removed" && strings.Contains(m.Plain, "“Ann’s key”")
	}) {
		t.Errorf("no mail reports the removal: %q, %q", mails[0].Subject, mails[1].Subject)
	}
}

func TestAPasskeyIsAProof(t *testing.T) {
	t.Parallel()
	s := newSecured(t, apptest.Options{})
	device := addPasskey(t, s.App)
	bob := s.NewPerson(t).SignUp(t, "bob@example.com")
	bobs := addPasskey(t, bob)
	id := keptStart(t, s.App)
	prove := func(answer string) apptest.Answer {
		return proveBy(t, s.App, "/account/passkeys", id, url.Values{"passkey": {answer}})
	}
	for name, answer := range map[string]string{
		"bob's": bobs.Sign(t, s.Post(t, "/account/passkeys/ask", nil).Body), "for bob's session": device.Sign(t, bob.Post(t, "/account/passkeys/ask", nil).Body),
		"of a sign-in": device.Sign(t, asked(t, s.App)), "no": "{}",
	} {
		prove(answer).Want(t, http.StatusUnprocessableEntity, name+" passkey counts as a proof")
	}
	before := cookie(t, s.App)
	if got := prove(device.Sign(t, s.Post(t, "/account/passkeys/ask", nil).Body)); got.Status == http.StatusUnprocessableEntity {
		t.Errorf("the account's own passkey is not a proof: %d", got.Status)
	}
	if cookie(t, s.App) == before {
		t.Error("the session keeps its id after the proof")
	}
}

func TestAPasskeyIsASecondStepWhereOneIsNeeded(t *testing.T) {
	t.Parallel()
	app := hired(t)
	device := addPasskey(t, app)
	phone := app.NewPerson(t).SignInAs(t, ann)
	opens(t, phone, "/account")
	beStaff(t, app, true)
	opens(t, app, "/staff/forms") // the passkey was made in this session
	if signedIn(t, phone) {
		t.Error("a session opened with the password alone is still open")
	}
	half := app.NewPerson(t)
	got := half.Post(t, "/signin", url.Values{"email": {ann}, "password": {demo.Password}})
	page := half.Get(t, got.Location).Body
	if !strings.HasPrefix(got.Location, "/signin/code") || strings.Contains(page, `name="code"`) || !strings.Contains(page, "Use a passkey") {
		t.Errorf("the second step: %q\n%s", got.Location, page)
	}
	enter(t, half, device.Sign(t, asked(t, half))).Want(t, http.StatusSeeOther, "sign-in")
	opens(t, half, "/staff/forms")
	// The password alone is not a proof either.
	id := keptStart(t, half)
	got = proveBy(t, half, "/account/passkeys", id, url.Values{"password": {demo.Password}})
	got.Want(t, http.StatusUnprocessableEntity, "the password alone is a proof")
	half.PostJSON(t, "/signin", map[string]string{"email": ann, "password": demo.Password}).Want(t, http.StatusForbidden, "the call signs in")
}

func TestTwoRequestsCannotRemoveTheLastFactor(t *testing.T) {
	t.Parallel()
	app := hired(t)
	s := setUp(t, app)
	addPasskey(t, app)
	addPasskey(t, app)
	beStaff(t, app, true)
	me := accounts.Holder{Email: ann}
	check.Must(t, app.Pool.QueryRow(t.Context(),
		"SELECT a.id, s.handle FROM account a JOIN session s ON s.account_id = a.id WHERE a.email = $1", ann).Scan(&me.ID, &me.Session))
	keys, err := app.Accounts.Passkeys(t.Context(), me.ID)
	if err != nil || len(keys) != 2 {
		t.Fatalf("%d passkeys, %v", len(keys), err)
	}
	removals := []func() error{
		func() error { return app.Accounts.RemovePasskey(t.Context(), me, keys[0].ID) },
		func() error { return app.Accounts.RemovePasskey(t.Context(), me, keys[1].ID) },
		func() error {
			by := accounts.Credentials{Email: ann, Password: secret.New(demo.Password)}
			return app.Accounts.RemoveTwoStep(t.Context(), me, by, secret.New(s.recovery[0]))
		},
	}
	errs := make([]error, len(removals))
	var group sync.WaitGroup
	for i, remove := range removals {
		group.Go(func() { errs[i] = remove() })
	}
	group.Wait()
	kept := 0
	for _, err := range errs {
		switch {
		case errors.Is(err, accounts.ErrNeeded):
			kept++
		case err != nil:
			t.Error(err)
		}
	}
	left := dbtest.Value[int](t, app.Pool, "SELECT (SELECT count(*) FROM passkey) + (SELECT count(*) FROM totp)")
	if kept != 1 || left != 1 {
		t.Errorf("%d refused, %d factors left: %v", kept, left, errs)
	}
	app.Get(t, "/account/passkeys").Want(t, http.StatusOK, "the page")
}

func TestTheOperatorsResetRemovesPasskeysToo(t *testing.T) {
	t.Parallel()
	app := hired(t)
	device := addPasskey(t, app)
	beStaff(t, app, true)
	check.Must(t, app.Accounts.DropTwoStep(t.Context(), ann, "operator"))
	browser := app.NewPerson(t)
	enter(t, browser, device.Sign(t, asked(t, browser))).Want(t, http.StatusUnprocessableEntity, "it signs in")
	check.Equal(t, signedIn(t, app), false, "it signs in: signed in")
	check.ErrorIs(t, app.Accounts.DropTwoStep(t.Context(), ann, "operator"), accounts.ErrNoStep, "again")
}

// Nobody can guess a signature, so refusing answers would only keep the others behind an address from their passkeys.
func TestWrongPasskeyAnswersHoldUpNobody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	device := addPasskey(t, app)
	stranger := *newPasskey(t, app)
	stranger.Owner = make([]byte, 16)
	for i := range 25 {
		browser := app.NewPerson(t)
		check.MustEqual(t, enter(t, browser, stranger.Sign(t, asked(t, browser))).Status, http.StatusUnprocessableEntity, "signed by another, %d", i)
		check.MustEqual(t, enter(t, browser, `{"id":"x"}`).Status, http.StatusUnprocessableEntity, "unparsable, %d", i)
	}
	for i := range 601 {
		check.MustEqual(t, app.NewPerson(t).Post(t, "/signin/passkey/ask", nil).Status, http.StatusOK, "question %d", i)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey_challenge"), 1, "rows, one of the passkey that was added")
	browser := app.NewPerson(t)
	enter(t, browser, device.Sign(t, asked(t, browser))).Want(t, http.StatusSeeOther, "the owner's sign-in")
	grow(t, app, "11 minutes")
	got := app.Post(t, "/account/passkeys/ask", nil)
	got.Want(t, http.StatusOK, "the question of a proof")
}

func TestDemoAccountsTakeNoPasskeys(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	addWith(t, app, newPasskey(t, app).Make(t, wanted(t, app))).Want(t, http.StatusUnprocessableEntity, "addWith",
		accounts.ErrPasskeyTaken.Error())
}

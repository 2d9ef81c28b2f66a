package account_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	accounts "forecourt/internal/people/account"
	"forecourt/internal/upkeep/demo"
)

func ask(t *testing.T, app *apptest.App, email string) {
	t.Helper()
	app.Post(t, "/reset", url.Values{"email": {email}}).Leads(t, "/reset?sent", "asking for "+email)
}

// unshared makes the demo's account one of a person, who may change its password.
func unshared(t *testing.T, app *apptest.App) {
	t.Helper()
	dbtest.Exec(t, app.Pool, "UPDATE account SET demo_open = NULL WHERE email = $1", demo.Email)
}

func TestAPasswordIsResetByMailOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	unshared(t, app)
	visitor := app.NewPerson(t)
	ask(t, visitor, "nobody@example.com")
	ask(t, visitor, " "+strings.ToUpper(demo.Email))
	first := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	ask(t, visitor, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 2)[1])
	visitor.Get(t, first).Want(t, http.StatusGone, "an older link")

	page := visitor.Get(t, link)
	if page.Status != http.StatusOK || page.Header.Get("Referrer-Policy") != "strict-origin" || page.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("the link: %d %v", page.Status, page.Header)
	}
	token := link[strings.LastIndexByte(link, '/')+1:]
	check.Lacks(t, page.Body, token, "the page repeats the token")
	got := visitor.Post(t, link, url.Values{"password": {"weak"}, "confirm": {"weak"}})
	got.Want(t, http.StatusUnprocessableEntity, "a weak password", "Password requires at least")
	fresh := url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}
	visitor.Post(t, link, fresh).Leads(t, "/signin?reset", "the new password")
	check.Contains(t, app.Get(t, "/account").Body, "Forgot your password?", "a session outlives the reset")
	check.Contains(t, visitor.Get(t, "/account").Body, "Forgot your password?", "the link signed its visitor in")
	for _, again := range []apptest.Answer{visitor.Get(t, link), visitor.Post(t, link, fresh), visitor.Get(t, "/reset/never-made"), visitor.Post(t, "/reset/%00%ff", fresh)} {
		again.Want(t, http.StatusGone, "a used link", "Get a new link")
	}
	signIn := func(password string) int {
		return visitor.Post(t, "/signin", url.Values{"email": {demo.Email}, "password": {password}}).Status
	}
	if old, now := signIn(demo.Password), signIn("An0ther-pass"); old != http.StatusUnprocessableEntity || now != http.StatusSeeOther {
		t.Errorf("the old password: %d, the new one: %d", old, now)
	}
	check.Equal(t, app.Mails(t, demo.Email, 3)[2].Subject, "Your password was changed", "the last mail says")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE recipient = 'nobody@example.com'"), 0,
		"mails to somebody without an account")
}

func TestAResetLinkWorksForHalfAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	ask(t, app, demo.Email)
	link := app.Link(t, app.Mails(t, demo.Email, 1)[0])
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '29 minutes'")
	app.Get(t, link).Want(t, http.StatusOK, "after 29 minutes")
	dbtest.Exec(t, app.Pool, "UPDATE password_reset SET expires_at = expires_at - interval '2 minutes'")
	app.Get(t, link).Want(t, http.StatusGone, "after 31 minutes")
	app.Post(t, link, url.Values{"password": {"An0ther-pass"}, "confirm": {"An0ther-pass"}}).Want(t, http.StatusGone, "used after 31 minutes")
}

func TestResetRequestsAreLimitedAlikeForEverybody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, email := range []string{demo.Email, "nobody@example.com"} {
		for range 5 {
			ask(t, app, email)
		}
		app.Post(t, "/reset", url.Values{"email": {email}}).Want(t, http.StatusTooManyRequests, "the sixth time for "+email)
	}
	app.Post(t, "/reset", url.Values{"email": {"no address"}}).Want(t, http.StatusUnprocessableEntity, "no address")
}

func TestAResetQueuesTheSameWorkForAnUnknownAddress(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	queued := func(email string) (jobs int) {
		t.Helper()
		count := func() int {
			return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job")
		}
		before := count()
		ask(t, app.NewPerson(t), email)
		return count() - before
	}
	if known, unknown := queued(demo.Email), queued("nobody@example.com"); known != 1 || unknown != known {
		t.Errorf("a known address queues %d jobs, an unknown one %d", known, unknown)
	}
}

func TestTheNewPasswordMustDifferFromTheOldOne(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	same := url.Values{"do": {"password"}, "old-password": {demo.Password}, "password": {demo.Password}, "confirm": {demo.Password}}
	app.Post(t, "/account", same).Want(t, http.StatusUnprocessableEntity, "a change", "That is your current password. Choose another one.")
	visitor := app.NewPerson(t)
	ask(t, visitor, ann)
	link := app.Link(t, app.Mails(t, ann, 1)[0])
	again := url.Values{"password": {demo.Password}, "confirm": {demo.Password}}
	for i := range 5 {
		visitor.Post(t, link, again).Must(t, http.StatusUnprocessableEntity, fmt.Sprint("try ", i), "That is your current password.")
	}
	if got := visitor.Post(t, link, again); got.Status != http.StatusTooManyRequests { // so that nobody finds the password by trying
		t.Errorf("the sixth try: %d", got.Status)
	}
	check.Equal(t, signedIn(t, app), true, "the password was changed: signed in")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE kind = 'password changed'"), 0, "the password was changed")
}

// Somebody may have signed up with an address before its owner did, and left back doors.
func TestASquatterIsLockedOutOnceTheOwnerResetsThePassword(t *testing.T) {
	t.Parallel()
	squatter := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	device := addPasskey(t, squatter)
	dbtest.Exec(t, squatter.Pool, `WITH r AS (INSERT INTO push_registration (key, endpoint, auth, p256dh) VALUES (repeat('0', 64), 'https://push.example/1', 'a', 'p') RETURNING key)
		INSERT INTO notice_browser (push_key, account_id) SELECT r.key, a.id FROM r, account a WHERE a.email = 'ann@example.com'`)
	connect := func() {
		dbtest.Exec(t, squatter.Pool, `INSERT INTO kitchen_device (id, shop_code, name, cookie_hash, link_until, opened_at, made_by)
			SELECT gen_random_uuid(), 'panezski', 'Grill', sha256('cookie'), now(), now(), id FROM account WHERE email = 'ann@example.com'`)
	}
	const screens = "SELECT count(*) FROM kitchen_device WHERE name = 'Grill' AND ended_at IS NULL"
	connect()

	owner := squatter.NewPerson(t)
	reset := func(password string) {
		t.Helper()
		ask(t, owner, ann)
		var link string
		apptest.Eventually(t, "the link", func() bool {
			link = owner.Link(t, owner.Letter(t, ann, "/reset/"))
			return owner.Get(t, link).Status == http.StatusOK // a second letter may not be there yet
		})
		owner.Post(t, link, url.Values{"password": {password}, "confirm": {password}}).Must(t, http.StatusSeeOther, "a new password")
	}
	reset("An0ther-pass")
	thief := squatter.NewPerson(t)
	if got := enter(t, thief, device.Sign(t, asked(t, thief))); got.Status == http.StatusSeeOther {
		t.Errorf("the squatter's passkey signs in, to %q", got.Location)
	}
	for _, table := range []string{"passkey", "notice_browser"} {
		check.Equal(t, dbtest.Value[int](t, owner.Pool,
			"SELECT count(*) FROM "+table+" x JOIN account a ON a.id = x.account_id WHERE a.email = 'ann@example.com'"), 0,
			"rows of %s are left", table)
	}
	check.Equal(t, dbtest.Value[int](t, owner.Pool, screens), 0, "kitchen screens of the squatter see the orders")
	if got := owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {"An0ther-pass"}}); got.Status != http.StatusSeeOther ||
		strings.HasPrefix(got.Location, "/signin") {
		t.Fatalf("the owner signs in: %d %q", got.Status, got.Location)
	}

	// The owner's own factors survive the next reset of the password.
	addPasskey(t, owner)
	dbtest.Exec(t, owner.Pool, "DELETE FROM kitchen_device")
	connect()
	reset("Third-pass-1")
	check.Equal(t, dbtest.Value[int](t, owner.Pool, screens), 1, "kitchen screens left of the owner")
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM passkey"), 1, "passkeys left of the owner")
}

// A request that began before a new password ended its session must not leave a passkey behind.
func TestAPasskeyIsNotAddedByASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignUp(t, ann)
	h := accounts.Holder{Email: ann}
	check.Must(t, app.Pool.QueryRow(t.Context(), "SELECT account_id, handle FROM session").Scan(&h.ID, &h.Session))
	asked, err := app.Accounts.StartPasskey(t.Context(), h)
	check.Must(t, err)
	dbtest.Exec(t, app.Pool, "DELETE FROM session")
	err = app.Accounts.AddPasskey(t.Context(), h, "My phone", []byte(newPasskey(t, app).Make(t, string(asked))))
	if !errors.Is(err, accounts.ErrChallenge) || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey") != 0 {
		t.Errorf("%v, %d passkeys", err, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey"))
	}
}

func TestDownloadingAndErasingDataNeedAProof(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignUp(t, ann)
	proved := func(path string, form url.Values) apptest.Answer {
		t.Helper()
		grow(t, app, "11 minutes")
		got := app.Post(t, path, form)
		id, found := strings.CutPrefix(got.Location, "/kept/")
		if !found {
			t.Fatalf("%s %v without a proof: %d", path, form, got.Status)
		}
		proveBy(t, app, path, id, url.Values{"password": {"Wrong-pass-1"}}).Must(t, http.StatusUnprocessableEntity, path+" with a wrong password")
		return proveBy(t, app, path, id, right)
	}
	sent := proved("/account/data/copy", nil)
	attached := strings.Contains(sent.Header.Get("Content-Disposition"), "attachment")
	if sent.Status != http.StatusOK || !strings.HasPrefix(sent.Body, "PK") || sent.Header.Get("Cache-Control") != "no-store" || !attached {
		t.Errorf("the download: %d %v", sent.Status, sent.Header)
	}
	if mail := app.Mails(t, ann, 1)[0]; mail.Subject != "A copy of your data was downloaded" || !strings.Contains(mail.Plain, "/reset") {
		t.Errorf("the letter: %+v", mail)
	}
	app.Visit(t, "/account/security").Has("Copy of your data downloaded")
	for range 2 {
		app.Post(t, "/account/data/copy", nil)
	}
	app.Post(t, "/account/data/copy", nil).Want(t, http.StatusTooManyRequests, "a fourth copy in a day", "three copies in a day")

	got := proved("/account/data", url.Values{"do": {"erase"}, "typed": {ann}})
	check.MustEqual(t, got.Location, "/account/data", "an erasure: %d %s", got.Status, got.Body)
	app.Visit(t, "/account/data").Has("This account will be erased on").HasNot("to be sure").Press("Keep the account").Has("Your account stays.", "to be sure")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM erasure_ask"), 0, "erasures ordered")
}

func TestThePageSaysWhatBlocksAnErasure(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Visit(t, "/account").Follow("Your data: take a copy, or erase the account").Has("cannot be erased yet",
		"Everybody who tries the demo uses this account.").HasNot("to be sure")
	app.Post(t, "/account/data", url.Values{"do": {"erase"}, "typed": {demo.Email}}).Want(t, http.StatusConflict, "erasing it")
}

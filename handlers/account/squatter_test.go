package account_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	accounts "forecourt/internal/people/account"
)

// Somebody may have signed up with an address before its owner did, and left back doors.
func TestASquatterIsLockedOutOnceTheOwnerResetsThePassword(t *testing.T) {
	t.Parallel()
	squatter := apptest.New(t, apptest.Options{Jobs: true})
	squatter.SignUp(t, ann)
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
			var plain string
			_ = owner.Pool.QueryRow(t.Context(), "SELECT plain FROM mail WHERE recipient = $1 AND kind = 'password reset' ORDER BY created_at DESC LIMIT 1", ann).Scan(&plain)
			_, rest, found := strings.Cut(plain, owner.URL)
			if found {
				link = strings.Fields(rest)[0]
			}
			return found && owner.Get(t, link).Status == http.StatusOK
		})
		owner.Post(t, link, url.Values{"password": {password}, "confirm": {password}}).Must(t, http.StatusSeeOther, "a new password")
	}
	reset("An0ther-pass")
	thief := squatter.NewPerson(t)
	if got := enter(t, thief, device.Sign(t, asked(t, thief))); got.Status == http.StatusSeeOther {
		t.Errorf("the squatter's passkey signs in, to %q", got.Location)
	}
	for _, table := range []string{"passkey", "notice_browser"} {
		check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM "+table+" x JOIN account a ON a.id = x.account_id WHERE a.email = 'ann@example.com'"), 0,
			"rows of %s are left", table)
	}
	check.Equal(t, dbtest.Value[int](t, owner.Pool, screens), 0, "kitchen screens of the squatter see the orders")
	if got := owner.Post(t, "/signin", url.Values{"email": {ann}, "password": {"An0ther-pass"}}); got.Status != http.StatusSeeOther || strings.HasPrefix(got.Location, "/signin") {
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
	app := apptest.New(t, apptest.Options{})
	app.SignUp(t, ann)
	h := accounts.Holder{Email: ann}
	must.NoError(t, app.Pool.QueryRow(t.Context(), "SELECT account_id, handle FROM session").Scan(&h.ID, &h.Session))
	asked, err := app.Accounts.StartPasskey(t.Context(), h)
	must.NoError(t, err)
	dbtest.Exec(t, app.Pool, "DELETE FROM session")
	err = app.Accounts.AddPasskey(t.Context(), h, "My phone", []byte(app.NewPasskey(t).Make(t, string(asked))))
	if !errors.Is(err, accounts.ErrChallenge) || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey") != 0 {
		t.Errorf("%v, %d passkeys", err, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM passkey"))
	}
}

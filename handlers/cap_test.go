package handlers_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/upkeep/demo"
)

// What internal/upkeep/privacy/tables.go says about how many rows a person can make has to hold over HTTP.
func TestNobodyPilesUpRows(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, behindProxy())
	id := accountOf(t, app, demo.Email)
	count := func(t *testing.T, table string, want int) {
		t.Helper()
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM "+table), want, "rows of %s", table)
	}
	t.Run("forms of a session that timed out", func(t *testing.T) {
		for range 7 {
			person := app.NewPerson(t).SignIn(t)
			dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '31 minutes' WHERE account_id = $1", id)
			for n := range 3 { // the first one ends the session
				status := person.Post(t, fmt.Sprintf("/desk/y%d/menu/group/1", n), url.Values{"a": {strings.Repeat("A", 60_000)}}).Status
				check.Equal(t, status, http.StatusUnauthorized, "form %d", n)
			}
		}
		count(t, "kept", 5)
	})
	t.Run("a session that timed out long ago keeps nothing", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, "DELETE FROM kept")
		person := app.NewPerson(t).SignIn(t)
		dbtest.Exec(t, app.Pool, "UPDATE session SET seen_at = now() - interval '91 minutes' WHERE account_id = $1", id)
		person.Post(t, "/account", url.Values{"do": {"name"}, "name": {"Planted Name"}}).Want(t, http.StatusUnauthorized, "a form")
		count(t, "kept", 0)
	})
	t.Run("sessions", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, "DELETE FROM session")
		dbtest.Exec(t, app.Pool, `INSERT INTO session (id_hash, handle, account_id, address, agent)
			SELECT sha256(n::text::bytea), gen_random_uuid(), $1, '', '' FROM generate_series(1, 100) n`, id)
		dbtest.Exec(t, app.Pool, "INSERT INTO account_event (account_id, kind) SELECT $1, 'signed in' FROM generate_series(1, 10000)", id)
		app.NewPerson(t).SignIn(t)
		count(t, "session", 100)
		count(t, "account_event WHERE account_id = '"+id.String()+"'", 10_000)
	})
	t.Run("tries that a limit refuses", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, "DELETE FROM throttle")
		reset := func(n int) int {
			return newcomer(t, app, strangers).post(t, "/reset", url.Values{"email": {fmt.Sprintf("invented%d@example.com", n)}}).Status
		}
		for n := range 20 {
			check.Equal(t, reset(n), http.StatusSeeOther, "link %d", n)
		}
		count(t, "throttle", 41) // the network, and of each address one and one of the network
		for n := range 5 {
			check.Equal(t, reset(100+n), held, "link %d beyond the limit", n)
		}
		for range 5 {
			newcomer(t, app, home).signIn(t, demo.Email, wrong).Want(t, refused, "a wrong password")
		}
		for range 2 {
			newcomer(t, app, home).signIn(t, demo.Email, wrong).Want(t, held, "one beyond the limit")
		}
		newcomer(t, app, elsewhere).signIn(t, demo.Email, demo.Password).Want(t, in, "the right one")
		count(t, "throttle", 41+3)
	})
	t.Run("orders at a business that does not exist", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, "DELETE FROM throttle")
		for n := range 3 {
			body := fmt.Sprintf(`{"merchantId":"invented%d","order":[{"id":1,"qty":1}],"name":"Ann"}`, n)
			app.Do(t, http.MethodPost, "/api/pos", strings.NewReader(body), http.Header{
				"Content-Type": {"application/json"}, "X-Forwarded-For": {strangers},
			}).Want(t, http.StatusNotFound, "an order", "merchantId is not the code of a business.")
		}
		count(t, "throttle", 0)
	})
	t.Run("changes of a person", func(t *testing.T) {
		person := app.NewPerson(t).SignIn(t)
		notices := func() int {
			return person.Post(t, "/desk/panezski/notices", url.Values{"do": {"save"}}).Status
		}
		check.Equal(t, notices(), http.StatusSeeOther, "the first change")
		dbtest.Exec(t, app.Pool, "UPDATE throttle SET count = 4999 WHERE subject = 'changes in a session'")
		check.Equal(t, notices(), http.StatusSeeOther, "the 5,000th of the day")
		check.Equal(t, notices(), http.StatusTooManyRequests, "one more")
		taps := url.Values{"require": {"off"}}
		person.Post(t, "/pos/panezski/kitchen", taps).Want(t, http.StatusSeeOther, "the kitchen, whoever used up the session's changes")
		thief := person
		person = app.NewPerson(t).SignIn(t)
		check.Equal(t, notices(), http.StatusSeeOther, "another session")
		thief.Post(t, "/account", url.Values{"do": {"everywhere"}}).Want(t, http.StatusSeeOther, "signing out everywhere")
		person = app.NewPerson(t).SignIn(t)
		dbtest.Exec(t, app.Pool, "UPDATE throttle SET count = 20000 WHERE subject = 'changes'")
		check.Equal(t, notices(), http.StatusTooManyRequests, "the 20,001st of the person")
		dbtest.Exec(t, app.Pool, "UPDATE throttle SET since = since - interval '25 hours'")
		check.Equal(t, notices(), http.StatusSeeOther, "the next day")
	})
	t.Run("pay links in test mode", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, "UPDATE shop SET live = false WHERE code = 'panezski'")
		owner := app.NewPerson(t).SignIn(t)
		many := func(n int) int {
			return owner.PostFile(t, "/desk/panezski/links/many", url.Values{"key": {fmt.Sprintf("%026d", n)}}, "file",
				[]byte("amount\n"+strings.Repeat("5.00\n", n))).Status
		}
		made := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE shop_code = 'panezski' AND kind = 'link' AND test_mode")
		check.Equal(t, many(1000-made), http.StatusSeeOther, "up to a thousand links")
		check.Equal(t, many(1), http.StatusTooManyRequests, "one more")
		token := app.Bearer(t, "panezski")
		batch := map[string]any{"transactions": []map[string]any{{"amount": "5.00"}}}
		got := app.PostJSON(t, "/api/batch", batch, "Authorization", "Bearer "+token)
		got.Want(t, http.StatusTooManyRequests, "one more by the API", "1,000 pay links a day")
		dbtest.Exec(t, app.Owner(t), "UPDATE transaction SET created_at = created_at - interval '25 hours' WHERE kind = 'link'")
		check.Equal(t, many(1), http.StatusSeeOther, "the next day")
	})
	t.Run("versions of a menu", func(t *testing.T) {
		owner := app.NewPerson(t).SignIn(t)
		dbtest.Exec(t, app.Pool, `INSERT INTO menu_version (shop_code, no, body, made_by, origin, published_at)
			SELECT v.shop_code, v.no + n, v.body, '', '', v.published_at + n * interval '1 second'
			FROM menu_version v, generate_series(1, 120) n WHERE v.shop_code = 'panezski' AND v.no = (SELECT max(no) FROM menu_version WHERE shop_code = 'panezski')`)
		move := regexp.MustCompile(`Move [^<"]+ down`).FindString(owner.Get(t, "/desk/panezski/menu?reorder=on").Body)
		owner.Visit(t, "/desk/panezski/menu?reorder=on").Press(html.UnescapeString(move)).Follow("Publish").Press("Publish").Has("Published.")
		count(t, "menu_version WHERE shop_code = 'panezski'", 100)
	})
	t.Run("kitchen screens that ended", func(t *testing.T) {
		dbtest.Exec(t, app.Pool, `INSERT INTO kitchen_device (id, shop_code, name, link_until, ended_at)
			SELECT gen_random_uuid(), 'panezski', 'old', now(), now() - n * interval '1 day' FROM generate_series(1, 120) n`)
		owner := app.NewPerson(t).SignIn(t)
		owner.Post(t, "/desk/panezski/screens", url.Values{"do": {"connect"}, "name": {"Grill"}}).Must(t, http.StatusOK, "one more screen")
		count(t, "kitchen_device WHERE shop_code = 'panezski' AND ended_at IS NOT NULL", 100)
	})
}

package handlers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/handlers"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
)

// team lists the roles that may use the routes of a shop.
var team = map[handlers.Who]string{
	handlers.Team: "owner manager floor viewer", handlers.Kitchen: "owner manager floor", handlers.Editor: "owner manager", handlers.Hirer: "owner manager", handlers.Refunder: "owner manager floor", handlers.Bookkeeper: "owner manager", handlers.Owner: "owner",
}

// TestWhatEachRoleMayDo requests every route of a shop in every role. A role without the right has to be refused, and nothing may change.
func TestWhatEachRoleMayDo(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	app, member := c.app, c.app.NewPerson(t)
	member.SignUp(t, "member@example.com")
	state := func() (rows string) {
		t.Helper()
		err := app.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM audit) || ' ' || (SELECT string_agg(c::text, ',' ORDER BY c.code) FROM shop c) ||
			(SELECT string_agg(m::text, ',' ORDER BY m.account_id, m.shop_code) FROM shop_member m) || (SELECT coalesce(sum(1), 0) FROM shop_table) || (SELECT count(*) FROM refund) || (SELECT count(*) FROM refund_limit) || (SELECT count(*) FROM closing) || (SELECT count(*) FROM export) || (SELECT string_agg(p::text, ',' ORDER BY p.transaction_id) FROM paylink p)`).Scan(&rows)
		must.NoError(t, err)
		return rows
	}
	t.Run("each role may do what the route says, and nothing else (SEC-12)", func(t *testing.T) {
		for _, role := range []string{"owner", "manager", "floor", "viewer"} {
			asked := 0
			for _, name := range slices.Sorted(maps.Keys(policies())) {
				p := policies()[name]
				may := strings.Fields(team[p.who])
				if len(may) == 0 {
					continue
				}
				asked++
				// The role is set before each request, because an allowed request may change it.
				dbtest.Exec(t, app.Pool, `INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, $1 FROM account
					WHERE email = 'member@example.com' ON CONFLICT (shop_code, account_id) DO UPDATE SET role = excluded.role`, role)
				before := state()
				got := c.ask(t, member, name, p, false, "")
				refused := got.Status == http.StatusForbidden
				if refused == slices.Contains(may, role) {
					t.Errorf("%s answers %d to %s", name, got.Status, role)
				}
				if refused && state() != before {
					t.Errorf("%s changed something for %s", name, role)
				}
			}
			if asked < 4 {
				t.Errorf("only %d routes of a shop", asked)
			}
		}
	})
}

package handlers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/handlers"
	"forecourt/internal/kit/dbtest"
)

// team lists the roles that may use the routes of a shop.
var team = map[handlers.Who]string{
	handlers.Team:       "owner manager floor viewer accountant",
	handlers.Takings:    "owner manager floor viewer accountant",
	handlers.Crew:       "owner manager floor viewer",
	handlers.Closer:     "owner manager",
	handlers.Kitchen:    "owner manager floor",
	handlers.Editor:     "owner manager",
	handlers.Hirer:      "owner manager",
	handlers.Refunder:   "owner manager floor",
	handlers.Bookkeeper: "owner manager accountant",
	handlers.Owner:      "owner",
}

// TestWhatEachRoleMayDo requests every route of a shop in every role. A role without the right has to be refused, and nothing may change.
func TestWhatEachRoleMayDo(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	app, member := c.app, c.app.NewPerson(t)
	member.SignUp(t, "member@example.com")
	t.Run("each role may do what the route says, and nothing else (SEC-12)", func(t *testing.T) {
		for _, role := range []string{"owner", "manager", "floor", "viewer", "accountant"} {
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
				before := c.state(t)
				got := c.ask(t, member, name, p, false, "")
				refused := got.Status == http.StatusForbidden
				if refused == slices.Contains(may, role) {
					t.Errorf("%s answers %d to %s", name, got.Status, role)
				}
				if refused && c.state(t) != before {
					t.Errorf("%s changed something for %s", name, role)
				}
			}
			if asked < 4 {
				t.Errorf("only %d routes of a shop", asked)
			}
		}
	})
}

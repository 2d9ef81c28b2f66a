package handlers_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kept lists the pages of a desk that staff cannot see: pay links, which anybody who knows their address can open, files, the form for a
// refund, the page that changes a member, and a sheet that cannot show that staff are looking.
var kept = []string{
	"GET /desk/{client}/closings/{no}/closing.json", "GET /desk/{client}/closings/{no}/closing.pdf", "GET /desk/{client}/exports",
	"GET /desk/{client}/exports/{id}", "GET /desk/{client}/exports/{id}/file", "GET /desk/{client}/links", "GET /desk/{client}/links/many", "GET /desk/{client}/links/many/{batch}/links.csv", "GET /desk/{client}/links/new",
	"GET /desk/{client}/links/{id}", "GET /desk/{client}/links/{id}/code.svg", "GET /desk/{client}/menu/export/menu.csv",
	"GET /desk/{client}/menu/preview", "GET /desk/{client}/notices", "GET /desk/{client}/payments/{id}/payer", "GET /desk/{client}/payments/{id}/refund", "GET /desk/{client}/tables/print", "GET /desk/{client}/team/{account}",
}

// TestStaffLookAtEachDeskAndChangeNothing requests every route of a shop as staff.
func TestStaffLookAtEachDeskAndChangeNothing(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	rows := func(what string) (text string) {
		t.Helper()
		if err := c.app.Pool.QueryRow(t.Context(), "SELECT "+what).Scan(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	state := func() string {
		return rows(`(SELECT string_agg(c::text, ',' ORDER BY c.code) FROM client c) || (SELECT string_agg(m::text, ',' ORDER BY m.account_id, m.client_code) FROM client_admin m) ||
			(SELECT count(*) FROM shop_table) || ' ' || (SELECT count(*) FROM refund) || ' ' || (SELECT count(*) FROM refund_limit) || ' ' || (SELECT count(*) FROM shop_invite) || ' ' ||
			(SELECT count(*) FROM kitchen_device) || ' ' || (SELECT count(*) FROM audit WHERE subject NOT LIKE 'desk %') ||
			(SELECT string_agg(p::text, ',' ORDER BY p.transaction_id) FROM paylink p) || (SELECT string_agg(i::text, ',' ORDER BY i.id) FROM item i)`)
	}
	looks := func() string { return rows("count(*)::text FROM audit WHERE subject = 'desk panezski'") }
	var refused []string
	secrets := []string{c.ids["LINK"], c.ids["RECEIPT"], "/kitchen/", "join/"}
	t.Run("staff look at each desk and change nothing (SEC-12)", func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(policies())) {
			p := policies()[name]
			if team[p.who] == "" {
				continue
			}
			before, seen := state(), looks()
			got := c.ask(t, c.staff, name, p, false, "")
			switch {
			case !strings.Contains(name, " /desk/"):
				if got.Status != http.StatusNotFound {
					t.Errorf("%s answers %d to staff", name, got.Status)
				}
			case got.Status == http.StatusForbidden && strings.HasPrefix(name, "GET "):
				refused = append(refused, name)
			case strings.HasPrefix(name, "GET "):
				if got.Status != p.want {
					t.Errorf("%s answers %d to staff, want %d", name, got.Status, p.want)
				}
				if looks() == seen {
					t.Errorf("%s: the look is not in the audit log", name)
				}
				if strings.Contains(got.Header.Get("Content-Type"), "html") && !strings.Contains(got.Body, "You are looking at this desk as") {
					t.Errorf("%s does not say that the visitor looks as staff", name)
				}
				for _, secret := range secrets {
					if strings.Contains(got.Body, secret) {
						t.Errorf("%s shows %s to staff", name, secret)
					}
				}
			case got.Status != http.StatusForbidden:
				t.Errorf("%s answers %d to staff, want 403", name, got.Status)
			}
			if state() != before {
				t.Errorf("%s changed something for staff", name)
			}
			if got.Status == http.StatusForbidden && looks() != seen {
				t.Errorf("%s was refused, but is in the audit log as a look", name)
			}
		}
	})
	if !slices.Equal(refused, kept) {
		t.Errorf("staff do not see %q, want %q", refused, kept)
	}
}

func TestABusinessSeesWhenStaffLooked(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	c.app.Visit(t, "/desk/panezski/team").Follow("See when they did").Has("Nobody has looked")
	for range 3 {
		c.staff.Visit(t, "/staff/accounts/panezski").Follow("Look at its desk").Follow("Payouts").Has("You are looking at this desk as Forecourt staff.", "cannot change anything here")
	}
	v := c.app.Visit(t, "/desk/panezski/access")
	v.Has("Home", "Payouts")
	if n := strings.Count(c.app.Get(t, "/desk/panezski/access").Body, "<time"); n != 2 {
		t.Errorf("%d looks, want one for each page", n)
	}
	for name := range policies() {
		if page, is := strings.CutPrefix(name, "GET /desk/{client}/"); is && !strings.Contains(page, "/") {
			c.staff.Get(t, "/desk/panezski/"+page)
		}
	}
	if got := regexp.MustCompile(`/desk/panezski/[a-z]+">[a-z][^<]*<`).FindString(c.app.Get(t, "/desk/panezski/access").Body); got != "" {
		t.Errorf("a page that is listed by its address alone: %s", got)
	}
	if got := c.stranger.Get(t, "/desk/panezski/access").Status; got != http.StatusNotFound {
		t.Errorf("the admin of another business: %d", got)
	}
	if got := c.staff.Get(t, "/desk/panezski/links"); got.Status != http.StatusForbidden || !strings.Contains(got.Body, "You may not do this") {
		t.Errorf("staff at the pay links: %d", got.Status)
	}
	if got := c.staff.Get(t, "/desk/nothing").Status; got != http.StatusNotFound {
		t.Errorf("staff at a desk that is missing: %d", got)
	}
	if got := c.stranger.Get(t, "/desk/moollar").Body; strings.Contains(got, "You are looking at this desk") {
		t.Error("the page says that the owner looks as staff")
	}
}

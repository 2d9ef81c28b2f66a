package handlers_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
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
	looks := func() int {
		return dbtest.Value[int](t, c.app.Pool, "SELECT count(*) FROM audit WHERE subject = 'desk panezski'")
	}
	var refused []string
	secrets := []string{c.ids["LINK"], c.ids["RECEIPT"], "/kitchen/", "join/"}
	t.Run("staff look at each desk and change nothing (SEC-12)", func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(policies())) {
			p := policies()[name]
			if team[p.who] == "" {
				continue
			}
			before, seen := c.state(t), looks()
			got := c.ask(t, c.staff, name, p, false, "")
			switch {
			case !strings.Contains(name, " /desk/"):
				got.Want(t, http.StatusNotFound, name+" answers … to staff")
			case got.Status == http.StatusForbidden && strings.HasPrefix(name, "GET "):
				refused = append(refused, name)
			case strings.HasPrefix(name, "GET "):
				got.Want(t, p.want, name+" answers … to staff")
				if looks() == seen {
					t.Errorf("%s: the look is not in the audit log", name)
				}
				if strings.Contains(got.Header.Get("Content-Type"), "html") && !strings.Contains(got.Body, "You are looking at this business as") {
					t.Errorf("%s does not say that the visitor looks as staff", name)
				}
				for _, secret := range secrets {
					check.Lacks(t, got.Body, secret, "%s shows … to staff", name)
				}
			case got.Status != http.StatusForbidden:
				t.Errorf("%s answers %d to staff, want 403", name, got.Status)
			}
			check.Equal(t, c.state(t), before, "%s changed something for staff", name)
			if got.Status == http.StatusForbidden && looks() != seen {
				t.Errorf("%s was refused, but is in the audit log as a look", name)
			}
		}
	})
	check.List(t, refused, kept, "staff do not see")
}

func TestABusinessSeesWhenStaffLooked(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	c.app.Visit(t, "/desk/panezski/team").Follow("See when they did").Has("Nobody has looked")
	for range 3 {
		c.staff.Visit(t, "/staff/accounts/panezski").Follow("Look at its pages").Follow("Payouts").
			Has("You are looking at this business as Forecourt staff.", "cannot change anything here")
	}
	v := c.app.Visit(t, "/desk/panezski/team/access").Has("Home", "Payouts")
	check.Lacks(t, v.Body, `href="/desk/panezski/"`, "the list of looks")
	v.Shows("a", "aria-current=true", "href=/desk/panezski/team")
	v.Hides("a", "aria-current=true", "href=/desk/panezski")
	check.Equal(t, strings.Count(c.app.Get(t, "/desk/panezski/team/access").Body, "<time"), 2, "looks")
	for name := range policies() {
		if page, is := strings.CutPrefix(name, "GET /desk/{client}/"); is && !strings.Contains(page, "/") {
			c.staff.Get(t, "/desk/panezski/"+page)
		}
	}
	check.Equal(t, regexp.MustCompile(`/desk/panezski/[a-z]+">(<bdi>)?[a-z][^<]*<`).FindString(c.app.Get(t,
		"/desk/panezski/team/access").Body), "",
		"a page that is listed by its address alone")
	c.stranger.Get(t, "/desk/panezski/team/access").Want(t, http.StatusNotFound, "the admin of another business")
	c.staff.Get(t, "/desk/panezski/links").Want(t, http.StatusForbidden, "staff at the pay links", "You may not do this")
	c.staff.Get(t, "/desk/nothing").Want(t, http.StatusNotFound, "staff at a desk that is missing")
	check.Lacks(t, c.stranger.Get(t, "/desk/moollar").Body, "You are looking at this business", "the page says that the owner looks as staff")
}

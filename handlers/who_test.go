package handlers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/handlers"
	"forecourt/internal/apptest"
)

// TestWhoGetsWhatFromEachRoute asks every route as nobody, as a person who runs no business, and as staff.
func TestWhoGetsWhatFromEachRoute(t *testing.T) {
	t.Parallel()
	app, live := apptest.New(t, apptest.Options{}), apptest.New(t, apptest.Options{Live: true})
	person, staff := app.NewPerson(t), app.NewPerson(t)
	person.SignUp(t, "somebody@forecourt.test")
	staff.SignInStaff(t)
	order := app.Order(t)
	rows := routesOf(app)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		row := rows[name]
		method, path, _ := strings.Cut(name, " ")
		path = strings.NewReplacer("/form/{id}", "/form/application", "/docs/{page}", "/docs/api", "/pos/{client}/{id}", "/pos/panezski/"+order,
			"{client}", "panezski", "{docId}", "demo-invite", "{code}", "demo", "{number}", "1", "{side}", "front", "{step}", "1").Replace(path)
		path = parameter.ReplaceAllLiteralString(path, "x")
		if name == "GET /pos/{client}/{id}/events" || name == "POST /signout" { // a stream goes on; the person is needed below
			continue
		}
		header := http.Header{"Sec-Fetch-Site": {"same-origin"}, "Content-Type": {"application/x-www-form-urlencoded"}}
		nobody, somebody := app.Do(t, method, path, nil, header), person.Do(t, method, path, nil, header)
		// The sign-in screen stands in place of a page; a write is refused with it.
		asked := func(a apptest.Answer) bool {
			gate := strings.Contains(a.Body, `action="/signin"`)
			return gate && (a.Status == http.StatusOK && method == http.MethodGet || a.Status == http.StatusUnauthorized)
		}
		switch row.Who {
		case handlers.Guest, handlers.Own, handlers.Record, handlers.Team, handlers.Kitchen, handlers.Editor, handlers.Owner, handlers.Staff:
			if !asked(nobody) || asked(somebody) {
				t.Errorf("SEC-12 %s is for %s: %d for nobody, %d for somebody", name, row.Who, nobody.Status, somebody.Status)
			}
		case handlers.Asked:
			if !asked(nobody) && nobody.Status != http.StatusForbidden || asked(somebody) || somebody.Status == http.StatusForbidden {
				t.Errorf("SEC-12 %s is for %s: %d for nobody, %d for somebody", name, row.Who, nobody.Status, somebody.Status)
			}
		case handlers.Holder:
			if nobody.Status != http.StatusUnauthorized && nobody.Status != http.StatusNotFound {
				t.Errorf("SEC-12 %s is for %s: %d for nobody", name, row.Who, nobody.Status)
			}
		case handlers.Nobody:
			if nobody.Status != http.StatusNotFound || somebody.Status != http.StatusNotFound {
				t.Errorf("SEC-12 %s is for %s: %d", name, row.Who, nobody.Status)
			}
		case handlers.Anyone, handlers.Link, handlers.InDemo:
			own := path == "/" || path == "/x" || path == "/signin" || path == "/signup" // they hold the form itself
			if nobody.Status != somebody.Status && !own || asked(nobody) && !own {
				t.Errorf("SEC-12 %s is for %s: %d for nobody, %d for somebody", name, row.Who, nobody.Status, somebody.Status)
			}
		default:
			t.Errorf("SEC-12 %s is for %q", name, row.Who)
		}
		switch row.Who {
		case handlers.Guest, handlers.Record, handlers.Team, handlers.Kitchen, handlers.Editor, handlers.Owner, handlers.Staff:
			if somebody.Status != http.StatusNotFound && somebody.Status != http.StatusGone {
				t.Errorf("SEC-12 %s is for %s: %d for somebody else", name, row.Who, somebody.Status)
			}
		}
		if row.Who == handlers.Staff && !parameter.MatchString(row.Path) {
			if got := staff.Do(t, method, path, nil, header); got.Status != http.StatusOK {
				t.Errorf("SEC-12 %s: %d for staff", name, got.Status)
			}
		}
		if row.Who == handlers.InDemo {
			if got := live.Do(t, method, path, nil, header); got.Status != http.StatusNotFound {
				t.Errorf("SEC-12 %s outside demo mode: %d", name, got.Status)
			}
		}
	}
}

package staff_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
)

func TestStaffEditTheNavigation(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignInStaff(t)
	v := app.Visit(t, "/staff").Follow("Navigation and slides").Has("Product", "Guides", "Hidden, as it has no address")
	v.Follow("Add an entry").Type("name", "Our blog").Type("url", "javascript:alert(1)").Press("Save").Has("Enter a page of this site, such as /docs")
	t.Run("an entry takes no address that is a script (NAV-09)", func(t *testing.T) {
		if v.Status != http.StatusUnprocessableEntity || v.Value("name") != "Our blog" || v.Find("a", "href=javascript:alert(1)") != nil {
			t.Errorf("an invalid address: %d", v.Status)
		}
	})
	v.Type("url", "https://blog.example").Press("Preview")
	if v.Has("New entry").Find("a", "href=https://blog.example") == nil || strings.Contains(order(t, app, "name", "site_nav"), "Our blog") {
		t.Error("the preview lacks the entry, or has saved it")
	}
	v.Press("Save").Has("Saved.", "https://blog.example").Press("Move Our blog up").Press("Move Our blog up").Has("Moved.")
	check.Equal(t, order(t, app, "name", "site_nav"), "Product, Guides, Our blog, News, Contact", "the order")
	apptest.Eventually(t, "visitors see it", func() bool {
		return strings.Contains(app.Get(t, "/docs").Body, "https://blog.example")
	})
	v.Follow("Change Our blog").Type("url", "").Press("Save").Follow("Change Our blog").Press("Remove").Has("Removed.")
	v.Hides("a", "aria-label=Change Our blog")
	actions := dbtest.Value[string](t, app.Pool, "SELECT string_agg(DISTINCT actor || ': ' || action, ', ') FROM audit WHERE subject = 'site'")
	check.Equal(t, actions,
		"staff@forecourt.test: navigation entry added, staff@forecourt.test: navigation entry changed, staff@forecourt.test: navigation entry moved, staff@forecourt.test: navigation entry removed",
		"the audit log holds")
}

func TestTwoEditorsLoseNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignInStaff(t)
	first, second := app.Visit(t, "/staff/site").Follow("Change Guides"), app.Visit(t, "/staff/site").Follow("Change Guides")
	first.Type("name", "Handbook").Press("Save").Has("Saved.")
	second.Type("name", "Manuals").Press("Save").Has("Somebody else changed this", "What it says now", "Handbook")
	if second.Status != http.StatusConflict || second.Value("name") != "Manuals" || order(t, app, "name", "site_nav") != "Product, Handbook, News, Contact" {
		t.Errorf("the second editor: %d, typed %q, stored %s", second.Status, second.Value("name"), order(t, app, "name", "site_nav"))
	}
	third := app.Visit(t, "/staff/site").Follow("Change Handbook")
	second.Press("Save").Has("Saved.", "Manuals")
	third.Press("Remove").Has("Somebody else changed this", "Manuals").Press("Remove").Has("Removed.")

	slide := app.Visit(t, "/staff/site").Follow("Change Try all of it today").Type("title", "Mine")
	app.Visit(t, "/staff/site").Follow("Change Try all of it today").Press("Remove")
	slide.Press("Save").Has("Somebody else removed this")
	check.Equal(t, slide.Value("title"), "Mine", "the form lost what was typed")
	slide.Press("Save").Has("Saved.", "Mine")
	if got := order(t, app, "title", "site_slide"); !strings.HasSuffix(got, ", Mine") {
		t.Errorf("the slides are %s", got)
	}
}

func TestStaffEditTheSlides(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignInStaff(t)
	v := app.Visit(t, "/staff/site").Follow("Add a slide").Type("title", strings.Repeat("x", 81)).Press("Save").Has("Use at most 80 characters for the title.")
	v.Type("title", "Fresh bread <daily>").Type("sub", "At six").Press("Preview").Has("Fresh bread <daily>", "At six")
	v.Type("picture", "img/favicon.svg").Press("Save").Has("Choose a picture of the list.").Type("picture", "").Press("Save").Has("Saved.")
	for range 4 {
		v.Press("Move Fresh bread <daily> up")
		if strings.HasPrefix(order(t, app, "title", "site_slide"), "Fresh bread") {
			break
		}
	}
	if got := order(t, app, "title", "site_slide"); !strings.HasPrefix(got, "Fresh bread <daily>, Guests order") {
		t.Errorf("LAND-02 the slides are %s", got)
	}
	apptest.Eventually(t, "visitors see it", func() bool {
		return strings.Contains(app.Get(t, "/").Body, "<h3>Fresh bread &lt;daily&gt;</h3><p>At six</p>")
	})
	for n := 5; n < 12; n++ {
		check.MustEqual(t, app.Post(t, "/staff/site/slides/new", url.Values{"do": {"save"}, "title": {"Slide " + strconv.Itoa(n)}}).Status,
			http.StatusSeeOther,
			"slide %d", n)
	}
	app.Post(t, "/staff/site/slides/new", url.Values{"do": {"save"}, "title": {"One more"}}).Want(t, http.StatusConflict,
		"the thirteenth slide")
	for _, path := range []string{"/staff/site/slides/0", "/staff/site/slides/99999", "/staff/site/slides/x", "/staff/site/nav/nothing"} {
		app.Get(t, path).Want(t, http.StatusNotFound, path)
	}
}

func order(t *testing.T, app *apptest.App, column, table string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT string_agg("+column+", ', ' ORDER BY position) FROM "+table)
}

func TestASlideTakesAPictureFromAFile(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{}).SignInStaff(t)
	send := func(title string, file []byte) apptest.Answer {
		return app.PostFile(t, "/staff/site/slides/new", url.Values{"do": {"save"}, "title": {title}, "picture": {""}}, "picture-file", file)
	}
	refused := send("Our garden", []byte("GIF89a, or so"))
	if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Body, "This file is not a JPEG, PNG or WebP picture.") || !strings.Contains(refused.Body, `value="Our garden"`) {
		t.Errorf("a file that is not a picture: %d", refused.Status)
	}
	send("Our garden", fake.Flat(900, 600)).Must(t, http.StatusSeeOther, "LAND-02 a picture")
	address, audit, _ := strings.Cut(dbtest.Value[string](t, app.Pool,
		"SELECT picture || '; ' || (SELECT string_agg(actor || ' ' || action, ', ') FROM audit WHERE action LIKE 'slide picture%') FROM site_slide WHERE title = 'Our garden'"), "; ")
	check.MustEqual(t, audit, "staff@forecourt.test slide picture added", "the audit log, for the picture at %s", address)
	for _, path := range []string{address, address + "/large"} {
		if got := app.NewPerson(t).Get(t, path); got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/jpeg" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", path, got.Status, got.Header)
		}
	}
	apptest.Eventually(t, "visitors see it", func() bool { return strings.Contains(app.NewPerson(t).Get(t, "/").Body, `src="`+address+`"`) })
	app.Visit(t, "/staff/site").Follow("Change Our garden").Has("Your upload").Press("Save").Has("Saved.")
	check.Equal(t, app.Post(t, "/staff/site/slides/new", url.Values{"do": {"save"}, "title": {"Another"}, "picture": {"/picture/" + strings.Repeat("a", 32)}}).Status, http.StatusUnprocessableEntity,
		"a picture that nobody uploaded")
}

package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/site/legal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestTheStartPage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, `
		DELETE FROM site_nav; DELETE FROM site_slide;
		INSERT INTO site_nav (id, name, old_site, position) VALUES ('old', 'Old pages', 'https://old.example/', 1), ('new', 'News', '', 2);
		INSERT INTO site_slide (title, sub_title, position) VALUES ('One', 'Small', 1), ('Two', 'Large', 2);`)
	for path, status := range map[string]int{"/": 200, "/anything": 200, "/a/b/c": 404} {
		v := app.Visit(t, path)
		v.Has("Welcome to Forecourt.", "One", "Small", "Two", "Large", "Not Logged In", "Login")
		check.Equal(t, v.Status, status, "ROUTE-01 ROUTE-02 ROUTE-24 %s", path)
		t.Run("the main bar of "+path+" lists exactly the entry that has an address (DOC-01 NAV-09)", func(t *testing.T) {
			v.Shows("a", "href=https://old.example/")
			check.Equal(t, v.Texts("nav")[0], "Old pages", "%s: the main bar", path)
		})
		v.Follow("Login")
		if form := v.Find("form", "action=/signin"); form == nil {
			t.Errorf("LAND-05 %s leads to no sign-in", path)
		}
	}
}

func TestLoginLeadsBack(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	t.Run("Login leads back to this page, and to no other site (NAV-08)", func(t *testing.T) {
		for path, want := range map[string]string{
			"/": "", "/privacy": "/privacy", "/a/b?x=1&y=/": "/a/b?x=1&y=/", "/x/%5Cevil.example": "", "/" + strings.Repeat("x", 1100): "",
		} {
			login := "/signin"
			if want != "" {
				login += "?to=" + url.QueryEscape(want)
			}
			if app.Visit(t, path).Find("a", "href="+login) == nil {
				t.Errorf("on %.60s Login does not link to %s", path, login)
			}
		}
		check.Lacks(t, app.Do(t, http.MethodGet, app.URL+"//evil.example/x", nil, nil).Body, "to=%2F%2Fevil", "Login links to another site")
	})
}

func TestTheTopBarNamesWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	named := func(t *testing.T, name, button string) {
		t.Helper()
		for _, path := range []string{"/", "/privacy", "/docs"} {
			if bar := app.Visit(t, path).Texts("header")[0]; !strings.Contains(bar, name) || !strings.HasSuffix(bar, button) {
				t.Errorf("the top bar of %s lacks %q and %q: %s", path, name, button, bar)
			}
		}
	}
	t.Run("who is signed out sees so (NAV-03)", func(t *testing.T) { named(t, "Not Logged In", "Login") })
	app.SignUp(t, "zoe@example.com")
	t.Run("who has no name sees the email (NAV-02)", func(t *testing.T) { named(t, "Z zoe@example.com", "Logout") })
	dbtest.Exec(t, app.Pool, "UPDATE account SET name = 'Zoë Two'")
	t.Run("who has a name sees it (NAV-02)", func(t *testing.T) { named(t, "ZT Zoë Two", "Logout") })
	t.Run("Logout is a form that posts (NAV-08)", func(t *testing.T) {
		if app.Visit(t, "/").Find("form", "action=/signout", "method=post") == nil {
			t.Error("Logout is not a form post")
		}
	})
}

func TestPublicPagesAskNobodyToSignIn(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	code, err := app.Links.Create(t.Context(), "sec14", app.URL+"/privacy", time.Now().Add(time.Hour))
	check.Must(t, err)
	t.Run("public pages ask nobody to sign in (SEC-14)", func(t *testing.T) {
		for path, want := range map[string]struct {
			status int
			shows  string
		}{
			"/":                                   {http.StatusOK, "Welcome to Forecourt."},
			"/search?phoneNumber=1&displayName=A": {http.StatusOK, "Phone number: 1"},
			"/crm/ws":                             {http.StatusOK, "wss://localhost:3017/"},
			"/s/" + code:                          {http.StatusFound, ""},
			"/merchant/admin":                     {http.StatusOK, "Create one here"},
			"/privacy":                            {http.StatusOK, "Privacy policy"},
			"/terms":                              {http.StatusOK, "Terms and conditions"},
			"/guide.pdf":                          {http.StatusOK, "%PDF"},
		} {
			got := app.Get(t, path)
			if got.Status != want.status || !strings.Contains(got.Body, want.shows) || strings.HasPrefix(got.Location, "/signin") {
				t.Errorf("%s: %d to %q", path, got.Status, got.Location)
			}
		}
	})
}

func TestTheProvidersDocuments(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path, title := range map[string]string{"/privacy": "Privacy policy", "/terms": "Terms and conditions"} {
		v := app.Visit(t, path).Has("Forecourt", "support@forecourt.test")
		check.Equal(t, v.Texts("h1")[0], title, "CHROME-04 CHROME-05 %s is headed", path)
		for _, link := range []string{"#complain", "#changes"} {
			if v.Find("a", "href="+link) != nil && v.Find("h2", "id="+link[1:]) == nil {
				t.Errorf("CHROME-04 CHROME-05 %s: the contents link to a missing section", path)
			}
		}
	}
	guide := app.Get(t, "/guide.pdf")
	if guide.Status != http.StatusOK || guide.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(guide.Body, "%PDF-") {
		t.Errorf("CHROME-06 the guide: %d %v", guide.Status, guide.Header)
	}
	tag := guide.Header.Get("ETag")
	if again := app.Do(t, http.MethodGet, "/guide.pdf", nil, http.Header{"If-None-Match": {tag}}); tag == "" || again.Status != http.StatusNotModified {
		t.Errorf("CHROME-06 the same guide is sent again: %d, ETag %q", again.Status, tag)
	}
}

func TestAnotherProvider(t *testing.T) {
	t.Parallel()
	p := legal.DefaultProvider()
	p.Name, p.Licence, p.Year, p.TermsURL = "Südpay", "424242", "2025", "https://suedpay.example/terms"
	app := apptest.New(t, apptest.Options{Provider: p})
	for _, path := range []string{"/", "/privacy", "/pos/nosuch", "/pos/panezski/demo", "/pos/panezski/demo/x"} {
		got := app.Get(t, path)
		if !strings.Contains(got.Body, "Südpay") || strings.Contains(got.Body, "Forecourt") {
			t.Errorf("LAND-01 CHROME-09 %s names another provider", path)
		}
	}
	app.Visit(t, "/").Has("Welcome to Südpay.", "© 2025 Südpay", "Australian Financial Services Licence No. 424242")
	app.Visit(t, "/pos/panezski").Has("Powered by Südpay")
	if got := app.Get(t, "/terms"); got.Status != http.StatusFound || got.Location != p.TermsURL {
		t.Errorf("CHROME-05 terms at another address: %d %s", got.Status, got.Location)
	}
}

func TestPagesWithoutAMainBarDoNotReadTheNavigation(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Owner(t), "DROP TABLE site_nav, site_slide")
	least := int64(100) // a new connection also queries
	for _, shop := range []string{"panezski", "moollar", "sabona", "tahbella"} {
		before := app.Queries.Load()
		app.Visit(t, "/pos/"+shop)
		least = min(least, app.Queries.Load()-before)
	}
	if least > 1 {
		t.Errorf("a menu takes %d queries", least)
	}
	check.Equal(t, app.Visit(t, "/privacy").Texts("nav")[0], "Home", "without the tables the main bar (NAV-10)")
}

func TestTheStartPageLeadsSignedInPeopleOn(t *testing.T) {
	t.Parallel()
	const own, staff = `href="/form/application"`, `href="/staff"`
	for name, tt := range map[string]struct {
		signIn func(*apptest.App, testing.TB) *apptest.App
		want   bool
	}{
		"nobody":     {func(a *apptest.App, _ testing.TB) *apptest.App { return a }, false},
		"a merchant": {(*apptest.App).SignIn, false},
		"staff":      {(*apptest.App).SignInStaff, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := tt.signIn(apptest.New(t, apptest.Options{}), t)
			page := app.Visit(t, "/").Body
			check.Equal(t, strings.Contains(page, staff), tt.want, "links to the staff pages")
			check.Contains(t, page, own, "links to the staff pages")
		})
	}
}

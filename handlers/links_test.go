package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// TestNoLinkOfALiveSiteLeadsToDemoData follows, signed in, every link of the pages that can lead to demos, with and without demo mode.
func TestNoLinkOfALiveSiteLeadsToDemoData(t *testing.T) {
	t.Parallel()
	pages := []string{
		"/", "/demo", "/demo/keygen", "/demo/bridge", "/merchant/admin", "/docs", "/docs/quick-start", "/docs/cards", "/docs/hosted-page", "/docs/notify",
		"/docs/terminal", "/docs/qr-ordering", "/docs/batch", "/docs/test-cards", "/docs/errors", "/docs/api",
	}
	for _, live := range []bool{false, true} {
		app := apptest.New(t, apptest.Options{Live: live})
		if live { // like a start without demo mode, which hides the demo's businesses; but its people may sign in here
			dbtest.Exec(t, app.Owner(t), `UPDATE shop SET demo_open = false; UPDATE shortlink SET demo_open = false; DELETE FROM invite;
				UPDATE account SET demo_open = NULL; UPDATE merchant SET demo_open = NULL`)
		}
		app.SignIn(t)
		demos := 0
		led := map[string]bool{}
		for _, page := range pages {
			v := app.Visit(t, page)
			check.Equal(t, v.Status, http.StatusOK, "live %t, %s", live, page)
			for _, link := range linksOf(v.Find("body")) {
				if strings.HasPrefix(link, "/pos/panezski") || strings.HasPrefix(link, "/onboarding/") {
					demos++
				}
				path, _, _ := strings.Cut(link, "#")
				if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/static/") || led[path] {
					continue
				}
				led[path] = true
				if got := app.Get(t, path); got.Status == http.StatusNotFound {
					t.Errorf("live %t, %s links to %s, which does not exist", live, page, link)
				}
			}
		}
		if len(led) < 20 || live && demos > 0 || !live && demos < 10 {
			t.Errorf("live %t: %d addresses, %d links to demo data", live, len(led), demos)
		}
		check.Equal(t, led["/demo/hps"] && led["/demo/qr"], true, "live %t: links to the demos", live)
	}
}

// linksOf lists where the links below a node lead.
func linksOf(node *html.Node) []string {
	var links []string
	for child := range node.Descendants() {
		if child.Data != "a" {
			continue
		}
		if i := slices.IndexFunc(child.Attr, func(a html.Attribute) bool { return a.Key == "href" }); i >= 0 {
			links = append(links, child.Attr[i].Val)
		}
	}
	return links
}

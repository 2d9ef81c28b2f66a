package site_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/site/shortlink"
)

func TestFollowingAShortLink(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	if _, err := app.Links.Create(t.Context(), "out", "https://shop.example/a?b=c&d", time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	t.Run("a code leads to its target (ROUTE-17 SHORT-01)", func(t *testing.T) {
		for path, want := range map[string]string{"/s/demo": "/pos/panezski", "/s/out": "https://shop.example/a?b=c&d"} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := app.Do(t, method, path, nil, nil)
				if got.Status != http.StatusFound || got.Location != want || got.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s %s: %d to %q", method, path, got.Status, got.Location)
				}
			}
		}
	})
	for _, path := range []string{"/s/DEMO", "/s/Demo", "/s/demo/", "/s/demo?fbclid=x&utm_source=y"} {
		check.Equal(t, app.Get(t, path).Location, "/pos/panezski", "%s, as people pass it on", path)
		dbtest.Exec(t, app.Pool, "UPDATE shortlink SET hits = hits - 1 WHERE code = 'demo'")
	}
	if _, err := app.Links.Create(t.Context(), "OUT", "https://shop.example/", time.Time{}); !errors.Is(err, shortlink.ErrTaken) {
		t.Errorf("a code that differs in capitals alone: %v", err)
	}
	rows, err := app.Links.List(t.Context())
	if err != nil || len(rows) != 2 || rows[0].Hits != 2 || rows[1].Hits != 2 {
		t.Errorf("the hits are not counted: %+v, %v", rows, err)
	}
}

func TestShortLinksThatLeadNowhere(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	check.Must(t, app.Links.Expire(t.Context(), "demo"))
	t.Run("a code that does not exist leads nowhere (SHORT-05)", func(t *testing.T) {
		for _, code := range []string{
			"nosuch", "a/b", "a%2Fb", "%00", "%ff", "%c3%a9", "..%2f..%2fetc", "%0d%0aX-Evil:1", "demo%20x", "-", "'%20OR%201=1",
			strings.Repeat("a", 5000), "%3Cscript%3Ealert(1)%3C/script%3Ex",
		} {
			v := app.Visit(t, "/s/"+code)
			if v.Status != http.StatusNotFound || v.Location != "" || strings.Contains(v.Body, "<script>alert") {
				t.Errorf("/s/%.40s: %d to %q", code, v.Status, v.Location)
			}
			v.Has("This link does not exist", "Go to the start page")
			check.Equal(t, app.Get(t, "/api/shortcode/"+code).Status, http.StatusNotFound, "/api/shortcode/%.40s", code)
		}
	})
	v := app.Visit(t, "/s/demo").Has("This link has expired")
	v.Want(t, http.StatusGone, "a code that has expired leads nowhere (SHORT-05)")
	check.Equal(t, v.Location, "", "a code that has expired leads nowhere (SHORT-05)")
	app.Get(t, "/api/shortcode/demo").Want(t, http.StatusNotFound, "an expired code has no target in JSON (SHORT-04)", "expired")
	app.Post(t, "/s/demo", nil).Want(t, http.StatusMethodNotAllowed, "POST")
}

func TestTheTargetAsJSON(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	got := app.Get(t, "/api/shortcode/demo")
	got.Want(t, http.StatusOK, "the target is told in JSON (SHORT-04)")
	check.Equal(t, strings.TrimSpace(got.Body), `{"url":"/pos/panezski"}`, "the target is told in JSON (SHORT-04)")
}

package desk_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

var screenLink = regexp.MustCompile(`id="screen-link">([^<]+)<`)

// linkOf connects a screen and returns its link.
func linkOf(t *testing.T, by *apptest.App, name string) string {
	t.Helper()
	shown := by.Post(t, "/desk/panezski/screens", url.Values{"do": {"connect"}, "name": {name}})
	link := screenLink.FindStringSubmatch(shown.Body)
	if shown.Status != http.StatusOK || link == nil {
		t.Fatalf("connect: %d %s", shown.Status, shown.Body)
	}
	return strings.TrimPrefix(link[1], by.URL)
}

// connect connects a screen and returns its browser.
func connect(t *testing.T, by *apptest.App, name string) *apptest.App {
	t.Helper()
	screen, link := by.NewPerson(t), linkOf(t, by, name)
	opened := screen.Post(t, link, nil)
	opened.Leads(t, "/pos/panezski/kitchen", "open")
	return screen
}

// stream is an open stream of events.
type stream struct{ ended chan struct{} }

func open(t *testing.T, by *apptest.App, path string) stream {
	t.Helper()
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, by.URL+path, nil)
	check.Must(t, err)
	res, err := by.Client.Do(req)
	check.Must(t, err, "the stream")
	check.MustEqual(t, res.StatusCode, http.StatusOK, "the stream")
	s := stream{make(chan struct{})}
	go func() {
		defer close(s.ended)
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}()
	return s
}

// ends fails the test unless the stream ends long before its next regular look.
func (s stream) ends(t *testing.T) {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		t.Error("the stream is still open")
	}
}

func TestAKitchenScreenNeedsNoAccount(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	link := linkOf(t, app, "Grill")
	check.Lacks(t, app.Get(t, "/desk/panezski/screens").Body, link, "the link is shown again")
	screen := app.NewPerson(t)
	for range 2 { // opening the link, as mail programs do, does not use it up
		screen.Get(t, link).Want(t, http.StatusOK, "the link", "“<bdi>Grill</bdi>” of <bdi>Panezski</bdi>")
	}
	opened := screen.Post(t, link, nil)
	check.MustEqual(t, opened.Location, "/pos/panezski/kitchen", "opened: %d", opened.Status)
	app.NewPerson(t).Post(t, link, nil).Want(t, http.StatusGone, "opened again")
	for path, want := range map[string]int{
		"/pos/panezski/kitchen": http.StatusOK, "/pos/moollar/kitchen": 0, "/desk/panezski": 0, "/desk/panezski/tables": 0, "/desk/panezski/screens": 0, "/account": 0,
	} {
		got := screen.Get(t, path)
		asked := strings.Contains(got.Body, `action="/signin"`)
		if want == http.StatusOK && (got.Status != want || asked) || want == 0 && !asked {
			t.Errorf("%s: %d, asked to sign in: %t", path, got.Status, asked)
		}
	}
	screen.Post(t, "/pos/panezski/kitchen", url.Values{"require": {"on"}}).Want(t, http.StatusSeeOther, "a tap")
	screen.Post(t, "/pos/moollar/kitchen", url.Values{"require": {"on"}}).Want(t, http.StatusUnauthorized, "a tap in another kitchen")
	bare := screen.Do(t, http.MethodPost, "/pos/panezski/kitchen", strings.NewReader("require=off"), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
	bare.Want(t, http.StatusForbidden, "a write without an origin")
	app.Visit(t, "/desk/panezski/screens").Has("Grill", "Last seen")

	token := strings.TrimPrefix(link, "/kitchen/")
	site, _ := url.Parse(app.URL)
	cookie := screen.Client.Jar.Cookies(site)[0].Value
	kept := dbtest.Value[string](t, app.Pool, "SELECT kitchen_device::text FROM kitchen_device")
	check.Lacks(t, kept, token, "the row")
	check.Lacks(t, kept, cookie, "the row")
}

func TestAScreenThatWasEndedSaysSo(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	screen := connect(t, app, "Grill")
	feed := open(t, screen, "/pos/panezski/kitchen/events")
	app.Visit(t, "/desk/panezski/screens").Press("Disconnect Grill").Has("The screen is disconnected.", "Disconnected")
	feed.ends(t)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		got := screen.Do(t, method, "/pos/panezski/kitchen", nil, http.Header{"Sec-Fetch-Site": {"same-origin"}})
		if got.Status != http.StatusForbidden || method != http.MethodHead && !strings.Contains(got.Body, "This screen is disconnected") {
			t.Errorf("%s: %d", method, got.Status)
		}
	}
	screen.Do(t, http.MethodHead, "/pos/panezski/kitchen/events", nil, nil).Want(t, http.StatusForbidden,
		"the events, which tell an open page to load again")

	other := connect(t, app, "Bar")
	again := app.Visit(t, "/desk/panezski/screens").Press("New link for Bar")
	if link := screenLink.FindStringSubmatch(again.Body); link == nil || !strings.Contains(other.Get(t, "/pos/panezski/kitchen").Body, `action="/signin"`) {
		t.Error("after a new link the old cookie still works, or there is no new link")
	}
	dbtest.Exec(t, app.Pool, "UPDATE kitchen_device SET link_until = now()")
	app.NewPerson(t).Post(t, strings.TrimPrefix(screenLink.FindStringSubmatch(again.Body)[1], app.URL), nil).Want(t, http.StatusGone,
		"an expired link")
}

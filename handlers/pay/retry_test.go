package pay_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// ends fails the test unless the payment page shows a view and the gateway charged the given number of times.
func ends(t *testing.T, app *apptest.App, path, view string, charges int) {
	t.Helper()
	var shown string
	// The view of a new payment turns into the order's status after a while; both mean that it is paid.
	apptest.Eventually(t, "the page shows "+view, func() bool {
		shown = state(app.Visit(t, path))
		return shown == view || view == "success" && shown == "status"
	})
	check.Equal(t, len(app.Captures(t, path[strings.LastIndexByte(path, '/')+1:])), charges, "the page shows %s, charged … times", shown)
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE state = 'approved'"), charges, "attempts are approved")
}

// posted posts a form and fails the test unless it leads back to its page.
func posted(t *testing.T, app *apptest.App, path string, form url.Values) {
	t.Helper()
	app.Post(t, path, form).Leads(t, strings.TrimSuffix(path, "/retry"), "the form")
}

// processing waits until the gateway has a transaction.
func processing(t *testing.T, app *apptest.App, path string) {
	t.Helper()
	apptest.Eventually(t, "the payment is under way", func() bool { return state(app.Visit(t, path)) == "waiting" })
}

const (
	declining = "4000 0000 0000 0002"
	silent    = "4000 0000 0000 0259" // charges, but never answers
	asking    = "4000 0000 0000 3220" // 3-D Secure
)

func TestCustomersWhoTryAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		do      func(t *testing.T, app *apptest.App, path string)
		view    string
		charges int
	}{
		{"reload the page, then the answer to the form", func(t *testing.T, app *apptest.App, path string) {
			form := card("key", "one")
			for range 3 {
				posted(t, app, path, form)
				ends(t, app, path, "success", 1)
			}
		}, "success", 1},
		{"go back and pay with the old form", func(t *testing.T, app *apptest.App, path string) {
			v := app.Visit(t, path)
			key := v.Value("key")
			v.Press("Pay $11.00")
			posted(t, app, path, card("key", key))
			posted(t, app, path, card("key", key, "card", "5555 5555 5555 4444"))
			posted(t, app, path, card("key", key, "card", declining))
		}, "success", 1},
		{"go back and send the old form with a mistake", func(t *testing.T, app *apptest.App, path string) {
			posted(t, app, path, card("key", "one"))
			if got := refused(t, app, path, card("key", "one", "cvc", "")); strings.Contains(got.Body, `name="card"`) || !strings.Contains(got.Body, `data-state="success"`) {
				t.Errorf("%d: the page of a paid transaction asks for a card", got.Status)
			}
		}, "success", 1},
		{"press the button twice at once", func(t *testing.T, app *apptest.App, path string) {
			together(t, 6, func(int) { posted(t, app, path, card("key", "one")) })
		}, "success", 1},
		{"pay in two tabs with two cards at once", func(t *testing.T, app *apptest.App, path string) {
			together(t, 6, func(i int) {
				tab := i % 2
				posted(t, app, path, card("key", []string{"one", "two"}[tab], "card", []string{"4111 1111 1111 1111", "5555 5555 5555 4444"}[tab]))
			})
		}, "success", 1},
		{"pay in two tabs with a good card and a declined one at once", func(t *testing.T, app *apptest.App, path string) {
			together(t, 2, func(i int) {
				posted(t, app, path, card("key", []string{"one", "two"}[i], "card", []string{"4111 1111 1111 1111", declining}[i]))
			})
			if v := app.Visit(t, path); state(v) == "failure" { // the declined card came first
				v.Press("Try Again?")
				posted(t, app, path, card("key", "three"))
			}
		}, "success", 1},
		{"a declined card in one tab, then a tab that was opened earlier", func(t *testing.T, app *apptest.App, path string) {
			posted(t, app, path, card("key", "one", "card", declining))
			posted(t, app, path, card("key", "two"))
		}, "failure", 0},
		{"Try Again, then the declined form once more", func(t *testing.T, app *apptest.App, path string) {
			v := app.Visit(t, path)
			key := v.Value("key")
			v.Type("card", declining).Press("Pay $11.00").Press("Try Again?")
			got := refused(t, app, path, card("key", key))
			if !strings.Contains(got.Body, "used before") || !strings.Contains(got.Body, "Nothing was charged") {
				t.Errorf("%d: the page does not say that the form was already used", got.Status)
			}
			check.Contains(t, got.Body, `name="card"`, "the page has no new form")
			check.Lacks(t, got.Body, `value="`+key+`"`, "the page has no new form")
		}, "form", 0},
		{"Try Again, the declined form once more, and then the new one", func(t *testing.T, app *apptest.App, path string) {
			posted(t, app, path, card("key", "one", "card", declining))
			v := app.Visit(t, path).Press("Try Again?")
			app.Post(t, path, card("key", "one"))
			v.Press("Pay $11.00")
		}, "success", 1},
		{"Try Again twice", func(t *testing.T, app *apptest.App, path string) {
			posted(t, app, path, card("key", "one", "card", declining))
			posted(t, app, path+"/retry", nil)
			posted(t, app, path+"/retry", nil)
		}, "form", 0},
		{"Try Again of an old page, after paying in another one", func(t *testing.T, app *apptest.App, path string) {
			posted(t, app, path, card("key", "one", "card", declining))
			old := app.Visit(t, path)
			app.Visit(t, path).Press("Try Again?").Press("Pay $11.00")
			old.Press("Try Again?")
		}, "success", 1},
		{"a second phone while the first one's payment is under way", func(t *testing.T, app *apptest.App, path string) {
			together(t, 2, func(i int) {
				if i == 0 {
					posted(t, app, path, card("key", "one", "card", silent))
					return
				}
				processing(t, app, path)
				app.Visit(t, path).Has("Please do not pay again").HasNot("Pay $11.00")
				posted(t, app, path, card("key", "two"))
				posted(t, app, path+"/retry", nil)
				app.Visit(t, path).HasNot("Pay $11.00")
			})
		}, "success", 1},
		{"lose the network in the middle of paying, and look again", func(t *testing.T, app *apptest.App, path string) {
			ctx, lose := context.WithCancel(t.Context())
			defer lose()
			together(t, 2, func(i int) {
				if i == 1 {
					processing(t, app, path)
					lose()
					posted(t, app, path, card("key", "two"))
					return
				}
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, app.URL+path, strings.NewReader(card("key", "one", "card", silent).Encode()))
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				req.Header.Set("Sec-Fetch-Site", "same-origin")
				if res, err := app.Client.Do(req); err == nil {
					_ = res.Body.Close()
					t.Error("the answer arrived")
				}
			})
		}, "success", 1},
		{"leave the bank's page, and pay with another card when that has expired", func(t *testing.T, app *apptest.App, path string) {
			bank := app.Post(t, path, card("key", "one", "card", asking)).Location
			posted(t, app, path, card("key", "two")) // refused while the bank may still approve
			check.Equal(t, state(app.Visit(t, path)), "waiting", "before the bank's page expires the page shows")
			dbtest.Exec(t, app.Pool, "UPDATE attempt SET created_at = now() - interval '11 minutes', lease_until = now()")
			ends(t, app, path, "failure", 0)
			app.Visit(t, path).Press("Try Again?").Press("Pay $11.00")
			app.Post(t, strings.TrimPrefix(bank, app.URL), url.Values{"decision": {"approve"}})
		}, "success", 1},
		{"cancel at the bank, then go back there with the back button", func(t *testing.T, app *apptest.App, path string) {
			bank := app.Post(t, path, card("key", "one", "card", asking)).Location
			app.Visit(t, path).Press("Cancel and pay another way")
			app.Post(t, strings.TrimPrefix(bank, app.URL), url.Values{"decision": {"approve"}})
			app.Post(t, path, card("key", "one", "card", asking))
		}, "form", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Timeout: 5 * time.Second})
			path := "/pos/panezski/" + app.Order(t)
			tt.do(t, app, path)
			ends(t, app, path, tt.view, tt.charges)
			ends(t, app, path, tt.view, tt.charges)
		})
	}
}

// together runs do n times at once.
func together(t *testing.T, n int, do func(i int)) {
	t.Helper()
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { do(i) })
	}
	wait.Wait()
}

package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
)

func TestPayLinksMailedToStrangersAreLimitedPerDay(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shop       string
		most, used int
	}{
		"by one person for a business that is not live": {shop: "panezski", most: 20},
		"by a live business":                            {shop: "tahbella", most: 100, used: 97},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			app.SignIn(t)
			limits := throttle.New(db.New(app.Pool), secret.Derive("a secret for tests only", "limits"))
			for range tt.used {
				must.NoError(t, limits.Take(t.Context(), throttle.Limit{Subject: "pay link letters", Most: 100, Window: 24 * time.Hour}, tt.shop))
			}
			mail := func(n int) apptest.Answer {
				return app.Post(t, "/desk/"+tt.shop+"/links/new", url.Values{"amount": {"5"}, "to": {fmt.Sprintf("stranger%d@example.com", n)}})
			}
			for n := range tt.most - tt.used {
				if got := mail(n); strings.Contains(got.Location, "limit") || got.Status != http.StatusSeeOther {
					t.Fatalf("letter %d: %d %s", n+1, got.Status, got.Location)
				}
			}
			over := mail(tt.most)
			v := app.Visit(t, over.Location).Has("The pay link is ready. You have reached the limit of emails for today. Share the link another way. You can email it again in 24 hours.")
			v.HasNot("stranger")
			check.Equal(t, v.Type("to", "other@example.com").Press("Send").Status, http.StatusTooManyRequests,
				"from the link's own page: %d", v.Status)
			v.Has("You have reached the limit of emails for today. Share the link another way. You can email it again in 24 hours.")
			var links, mailed int
			err := app.Pool.QueryRow(t.Context(), "SELECT count(*) FILTER (WHERE action = 'pay link made'), count(*) FILTER (WHERE action IN ('pay link mailed', 'pay link letter held')) FROM audit").Scan(&links, &mailed)
			if err != nil || mailed != tt.most-tt.used || links != mailed+1 {
				t.Errorf("%d links made, %d mailed, %v", links, mailed, err)
			}
		})
	}
}

func TestAFormSentTwiceMailsOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	form := url.Values{"key": {strings.Repeat("A", 26)}, "amount": {"5"}, "to": {"pat@example.com"}}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			app.Post(t, "/desk/panezski/links/new", form).Want(t, http.StatusSeeOther, "/desk/panezski/links/new")
		})
	}
	all.Wait()
	var links, ordered, mailed int
	err := app.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM paylink), (SELECT count(*) FROM river_job WHERE args->>'letter' = 'pay link'),
		(SELECT count(*) FROM audit WHERE action = 'pay link letter held')`).Scan(&links, &ordered, &mailed)
	if err != nil || links != 1 || ordered != 1 || mailed != 1 {
		t.Errorf("%d links, %d letters ordered, %d in the audit log, %v", links, ordered, mailed, err)
	}
}

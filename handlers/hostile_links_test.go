package handlers_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

// TestAPayLinkInTestModeIsMailedToTheTeamAlone mails a stranger the pay link of an unapproved business, with a lure as its description. The
// same link of a live business reaches its payer, with the business's own words.
func TestAPayLinkInTestModeIsMailedToTheTeamAlone(t *testing.T) {
	t.Parallel()
	app, box := withMail(t)
	app.SignIn(t)
	const victim = "victim@stranger.example"
	for _, shop := range []string{"panezski", "tahbella"} {
		for _, to := range []string{victim, demo.Email} {
			made := app.Post(t, "/desk/"+shop+"/links/new", url.Values{"amount": {"5"}, "description": {lure}, "reference": {"www.evil.example"}, "to": {to}})
			made.Must(t, http.StatusSeeOther, shop)
		}
	}
	apptest.Eventually(t, "every letter is sent or held", func() bool {
		var all, open int
		must.NoError(t, app.Pool.QueryRow(t.Context(), "SELECT count(*), count(*) FILTER (WHERE sent_at IS NULL AND NOT held) FROM mail").Scan(&all, &open))
		return all == 4 && open == 0
	})
	check.Equal(t, len(box.to(demo.Email)), 2, "letters reached the team")
	got := box.to(victim)
	if len(got) != 1 || !strings.Contains(got[0], "Tah Bella") && !strings.Contains(got[0], "Tahbella") || !strings.Contains(got[0], "http://evil.example/login") || strings.Contains(got[0], "TEST MODE") {
		t.Errorf("%d letters reached the stranger, want only the live business's: %.1500s", len(got), got)
	}
}

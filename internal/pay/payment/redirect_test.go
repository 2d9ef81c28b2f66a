package payment_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// challenged pays with the card that requires 3-D Secure and returns the transaction and the address of the bank's page.
func challenged(t *testing.T, app *apptest.App) (id, bank string) {
	t.Helper()
	id = app.Order(t)
	attempt, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4000000000003220"))
	if err != nil || attempt.State != "redirected" {
		t.Fatalf("attempt %q, %v", attempt.State, err)
	}
	return id, attempt.RedirectUrl
}

func TestThreeDSecure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, decision string
		status         state.Transaction
		captures       int
	}{
		{"approved at the bank (PAY-43)", "approve", "success", 1},
		{"refused at the bank", "refuse", "error", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id, bank := challenged(t, app)
			page := app.Do(t, http.MethodGet, bank, nil, nil)
			if page.Status != http.StatusOK || !strings.Contains(strings.ToLower(page.Body), tt.decision) {
				t.Fatalf("the bank's page: %d %s", page.Status, page.Body)
			}
			path := strings.TrimPrefix(bank, app.URL)
			back := app.Post(t, path, url.Values{"decision": {tt.decision}})
			if back.Status != http.StatusSeeOther || !strings.HasPrefix(back.Location, app.URL+"/pos/panezski/"+id) {
				t.Fatalf("the bank's page answered %d and redirects to %q", back.Status, back.Location)
			}
			app.Get(t, "/pos/panezski/"+id+"?anything=the-bank-says")
			check.Equal(t, settled(t, app, id).Status, tt.status, "the status")
			check.Equal(t, len(app.Captures(t, id)), tt.captures, "charged … times")
		})
	}
}

func TestACancelledChallengeIsClosedAtTheGateway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, bank := challenged(t, app)
	app.Post(t, "/pos/panezski/"+id+"/retry", nil).Must(t, http.StatusSeeOther, "cancel")
	check.MustEqual(t, stored(t, app, id).Transaction.Status, "new", "the status")
	app.Post(t, strings.TrimPrefix(bank, app.URL), url.Values{"decision": {"approve"}})
	check.MustEqual(t, len(app.Captures(t, id)), 0, "the bank's page charged a cancelled payment")
	_, err := app.Payments.PayCard(t.Context(), "panezski", id, "other", typed(t, "4111111111111111"))
	check.Must(t, err)
	check.Equal(t, settled(t, app, id).Status, "success", "the status")
}

func TestAnAbandonedChallengeExpires(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id, _ := challenged(t, app)
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET created_at = now() - interval '11 minutes', lease_until = now()")
	check.Equal(t, settled(t, app, id).Status, "error", "the status")
	check.Equal(t, stored(t, app, id).AttemptState, "not_charged", "attempt")
}

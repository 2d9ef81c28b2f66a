package handlers_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"forecourt/handlers"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// askAgain lists the routes that need a proof of identity from the last ten minutes. They are about keys and secrets, copies and erasures
// of data, teams, refund limits of roles, gateway accounts and going live.
var askAgain = []string{
	"POST /account/data", "POST /account/data/copy",
	"POST /account/passkeys", "POST /desk/{client}/live", "POST /desk/{client}/payments/limits", "POST /desk/{client}/payments/{id}/payer", "POST /desk/{client}/team", "POST /desk/{client}/team/{account}",
	"POST /merchant/admin/{uuid}/admins", "POST /merchant/admin/{uuid}/rotate", "POST /merchant/admin/{uuid}/secret",
	"POST /staff/accounts/{client}", "POST /staff/live/{client}",
}

// TestWhichRoutesAskAgain requests every route for signed-in people eleven minutes after the sign-in.
func TestWhichRoutesAskAgain(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	var asked []string
	for _, name := range slices.Sorted(maps.Keys(policies())) {
		p, by := policies()[name], c.app
		switch p.who {
		case handlers.Anyone, handlers.Link, handlers.InDemo, handlers.Nobody, handlers.Holder:
			continue
		case handlers.Guest:
			by = c.guest
		case handlers.Staff:
			by = c.staff
		}
		dbtest.Exec(t, c.app.Pool, "UPDATE session SET created_at = now() - interval '11 minutes', proved_at = NULL")
		before := c.state(t)
		got := c.ask(t, by, name, p, false, "")
		if got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), "/kept/") {
			continue
		}
		asked = append(asked, name)
		check.Equal(t, c.state(t), before, "%s changed something before the proof", name)
	}
	check.List(t, asked, askAgain, "… ask for a proof")
}

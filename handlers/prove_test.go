package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/handlers"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// askAgain lists the routes that need a proof of identity from the last ten minutes. They are about keys and secrets, copies and erasures
// of data, teams, refund limits of roles, gateway accounts and going live.
var askAgain = []string{
	"POST /account/data", "POST /account/data/copy",
	"POST /account/passkeys", "POST /desk/{client}/live", "POST /desk/{client}/payments/limits", "POST /desk/{client}/payments/{id}/payer",
	"POST /desk/{client}/payouts/account", "POST /desk/{client}/screens", "POST /desk/{client}/team", "POST /desk/{client}/team/{account}",
	"POST /merchant/admin/{uuid}/admins", "POST /merchant/admin/{uuid}/rotate", "POST /merchant/admin/{uuid}/secret",
	"POST /staff/accounts/{client}", "POST /staff/bank-accounts/{id}", "POST /staff/fees", "POST /staff/fees/{client}", "POST /staff/holidays",
	"POST /staff/live/{client}", "POST /staff/payouts/{id}",
	"POST /staff/unmatched/{id}",
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

// Repeating a call that made a merchant must not be a way around the proof that its secret needs.
func TestTheSecretOfAMerchantNeedsAProofWhateverTheWay(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	create := func() apptest.Answer {
		return app.PostJSON(t, "/api/create", map[string]any{"name": "Corner Shop", "products": []string{"api"}}, "Sec-Fetch-Site", "same-origin")
	}
	type answer struct{ Merchant struct{ UUID, Key string } }
	made := create()
	made.Must(t, http.StatusCreated, "a new merchant")
	first := apptest.JSON[answer](t, made).Merchant
	check.Equal(t, len(first.Key) > 10, true, "the answer has the secret of a new merchant")
	check.Equal(t, apptest.JSON[answer](t, create()).Merchant.Key, first.Key, "the secret after a proof")
	dbtest.Exec(t, app.Pool, "UPDATE session SET created_at = now() - interval '11 minutes', proved_at = NULL")
	again := create()
	again.Must(t, http.StatusOK, "the same merchant, eleven minutes later")
	check.Equal(t, apptest.JSON[answer](t, again).Merchant.UUID, first.UUID, "the merchant")
	check.Lacks(t, again.Body, first.Key, "the answer without a proof")
}

// A form without a field for a role must not lift the role's limit.
func TestAMissingRefundLimitIsRefused(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	const path = "/desk/panezski/payments/limits"
	app.Post(t, path, url.Values{"owner": {""}, "manager": {"10.00"}}).Want(t, http.StatusBadRequest, "without the field of floor")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM refund_limit WHERE shop_code = 'panezski'"), 0, "limits set")
	app.Post(t, path, url.Values{"owner": {""}, "manager": {"10.00"}, "floor": {"0.00"}}).Want(t, http.StatusSeeOther, "with all fields")
}

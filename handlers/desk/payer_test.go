package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/upkeep/demo"
)

func TestAPayersDetailsAreRemovedOnTheDesk(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	app.SignIn(t)
	id, other := sale(t, app, "4111111111111111", "pat@example.com"), sale(t, app, "4111111111111111", "kim@example.com")
	page := "/desk/panezski/payments/" + id
	exec := func(statement string) {
		t.Helper()
		dbtest.Exec(t, app.Pool, statement, id)
	}
	ordered := func() (lines int) {
		t.Helper()
		err := app.Pool.QueryRow(t.Context(), "SELECT count(*) FROM audit WHERE action = 'payer erasure ordered' AND actor = $1 AND subject = 'shop panezski' AND reason = $2", demo.Email, id).Scan(&lines)
		must.NoError(t, err)
		return lines
	}
	exec("UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1") // the erasure waits for the kitchen
	v := app.Visit(t, page).Follow("Remove the payer’s details").Has("last four digits stay", "It cannot be undone")
	exec(`INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until)
		SELECT gen_random_uuid(), id, shop_code, 100, currency, test_mode, 'x', now() + interval '1 hour' FROM transaction WHERE id = $1`)
	if v.Press("Remove the details").Has("the payer has to be told the outcome"); v.Status != http.StatusConflict || ordered() != 0 {
		t.Errorf("removal during a refund: %d", v.Status)
	}
	exec("DELETE FROM refund WHERE transaction_id = $1")
	if got := app.Post(t, "/desk/moollar/payments/"+id+"/payer", url.Values{"x": {"y"}}); got.Status != http.StatusNotFound || ordered() != 0 {
		t.Errorf("removal on another business's desk: %d", got.Status)
	}
	if v.Press("Remove the details"); v.Status != http.StatusOK || ordered() != 1 {
		t.Errorf("status %d, %d lines in the audit log", v.Status, ordered())
	}
	app.Post(t, page+"/payer", url.Values{"x": {"y"}})
	apptest.Eventually(t, "the payer is erased", func() bool {
		return strings.Contains(app.Get(t, page+"/payer").Body, "The payer’s details were removed")
	})
	app.Visit(t, page).Has("The payer’s details were removed", "Visa ending in 1111").HasNot("Pat Lee", "Remove the payer’s details")
	app.Visit(t, "/desk/panezski/payments/"+other).Has("Remove the payer’s details")
	check.Equal(t, ordered(), 1, "lines in the audit log after a second click")
	for holds, query := range map[string]string{
		"names the payer":         "SELECT count(*) FROM attempt WHERE transaction_id = $1 AND (payer_name <> '' OR payer_email <> '')",
		"is not listed as erased": "SELECT 1 - count(*) FROM erasure WHERE subject = 'payer ' || $1",
	} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, query, id), 0, "%s", holds)
	}
}

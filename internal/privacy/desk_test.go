package privacy_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
)

// What a business does for a payer is logged under the business, where erasing the payer does not look.
func TestTheLogOfABusinessDoesNotNamePayers(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	app.SignIn(t)
	id, _ := paid(t, app)
	give := url.Values{"do": {"refund"}, "key": {uuid.NewString()}, "seen": {"0"}, "minor": {"100"}, "how": {"amount"}, "reason": {"Quentin Marlow had no cake"}}
	if got := app.Post(t, "/desk/panezski/payments/"+id+"/refund", give); got.Status != http.StatusSeeOther {
		t.Fatalf("the refund answered %d", got.Status)
	}
	made := app.Post(t, "/desk/panezski/links/new", url.Values{"key": {"KEYKEYKEYKEYKEYKEYKEY"}, "amount": {"12.00"}, "description": {"Cake"}})
	link := strings.TrimPrefix(strings.Split(made.Location, "?")[0], "/desk/panezski/links/")
	if got := app.Post(t, "/desk/panezski/links/"+link, url.Values{"do": {"send"}, "to": {"quentin@example.com"}}); got.Status != http.StatusSeeOther {
		t.Fatalf("sending the link %q answered %d", link, got.Status)
	}
	for _, trx := range []string{id, link} {
		if err := app.Privacy.ErasePayer(t.Context(), trx); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"quentin", "marlow"} {
		if left := holding(t, app.Pool, name); len(left) != 0 {
			t.Errorf("%s is still in %q", name, left)
		}
	}
	if n := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE subject = 'shop panezski' AND (action, reason) IN (('refund', $1 || ' $1.00'), ('pay link letter held', $2))", id, link); n != 2 {
		t.Errorf("found %d of 2 lines in the log", n)
	}
}

package privacy_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// What a business does for a payer is logged under the business, where erasing the payer does not look.
func TestTheLogOfABusinessDoesNotNamePayers(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id, _ := paid(t, app)
	give := url.Values{"do": {"refund"}, "key": {uuid.NewString()}, "seen": {"0"}, "minor": {"100"}, "how": {"amount"}, "reason": {"Quentin Marlow had no cake"}}
	app.Post(t, "/desk/panezski/payments/"+id+"/refund", give).Must(t, http.StatusSeeOther, "the refund answered")
	made := app.Post(t, "/desk/panezski/links/new", url.Values{"key": {"KEYKEYKEYKEYKEYKEYKEY"}, "amount": {"12.00"}, "description": {"Cake"}})
	link := strings.TrimPrefix(strings.Split(made.Location, "?")[0], "/desk/panezski/links/")
	check.MustEqual(t, app.Post(t, "/desk/panezski/links/"+link, url.Values{"do": {"send"}, "to": {"quentin@example.com"}}).Status,
		http.StatusSeeOther,
		"sending the link %q answered", link)
	for _, trx := range []string{id, link} {
		check.Must(t, app.Privacy.ErasePayer(t.Context(), trx))
	}
	for _, name := range []string{"quentin", "marlow"} {
		check.Empty(t, holding(t, app.Pool, name), "%s is still in", name)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE subject = 'shop panezski' AND (action, reason) IN (('refund', $1 || ' $1.00'), ('pay link letter held', $2))", id, link), 2,
		"found … of 2 lines in the log")
}

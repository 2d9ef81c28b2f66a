package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// switched switches the bakery to real payments or back to test mode, as its owner or staff do.
func switched(t *testing.T, app *apptest.App, live bool) {
	t.Helper()
	n, err := db.New(app.Pool).ShopSwitch(t.Context(), live, "panezski")
	check.Must(t, err)
	check.Equal(t, n, 1, "switched shops")
}

// A business that is back in test mode, because it or staff switched, still has its real payments with what is open, owed and disputed.
func TestABusinessThatIsBackInTestModeSeesItsRealBooks(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	tried := sale(t, app, "5555555555554444", "")
	switched(t, app, true)
	paid := sale(t, app, "4000000000002685", "")
	readLedger(t, app)
	switched(t, app, false)

	app.Visit(t, "/desk/panezski").Has("You are back in test mode", "Today Real payments", "1 payment is disputed", "Taken $11.00").
		HasNot("Get ready to take payments").
		Follow("See what to do").Has("Disputes Real payments", "To answer", "See test disputes").HasNot("No open disputes").
		Follow("See test disputes").Has("Disputes TEST MODE", "No open disputes", "See real disputes")
	app.Visit(t, "/desk/panezski").Follow("See test payments").
		Has("Today TEST MODE", "Taken $11.00", "1 payment is disputed", "See real payments")
	for _, list := range []struct{ query, has, lacks string }{
		{"", paid, tried}, {"?mode=live", paid, tried}, {"?mode=test", tried, paid}, {"?last=4444&mode=test", tried, paid},
	} {
		body := app.Get(t, "/desk/panezski/payments"+list.query).Body
		check.Contains(t, body, list.has, "payments%s", list.query)
		check.Lacks(t, body, list.lacks, "payments%s", list.query)
	}
	app.Visit(t, "/desk/panezski/payments?mode=test").Type("last", "4444").Press("Find").Has("TEST MODE", "$11.00").Follow("Clear").
		Has("TEST MODE").Follow("See real payments").Has("Payments Real payments")
	app.Visit(t, "/desk/panezski/payouts").Has("Payouts Real payments", "Owed to you", "$11.00").Follow("See what is owed").
		Has("Payments (1)", "See test money")
	app.Visit(t, "/desk/panezski/payouts?mode=test").Has("Payouts TEST MODE").Follow("See what is owed").Has("TEST MODE", "Payments (1)")

	closed := app.Visit(t, "/desk/panezski/closings").Has("End of day Real payments").Press("Close the day").Press("Close the day").Has("End of day no. 1", "$11.00")
	check.Equal(t, closed.Path, "/desk/panezski/closings/1?done=closed", "the closing of real payments")
	closed.Follow("End of day").Has("is closed: see its figures").HasNot("Close the day").Follow("See test days").
		Press("Close the day").Press("Close the day").Has("End of day no. 1", "TEST MODE")
	check.Contains(t, app.Get(t, "/desk/panezski/closings/test-1").Body, `href="/desk/panezski/closings?mode=test"`, "the way back")
	app.Visit(t, "/desk/panezski/closings?mode=test").Has("End of day TEST MODE", "is closed: see its figures")

	for _, tt := range []struct{ mode, has, lacks string }{{"", paid, tried}, {"test", tried, paid}} {
		table := app.Post(t, "/desk/panezski/exports", url.Values{
			"do": {"table"}, "kind": {"payments"}, "from": {"2020-01-01"}, "to": {"2099-12-31"}, "mode": {tt.mode},
		}).Want(t, http.StatusOK, "the table")
		check.Contains(t, table.Body, tt.has, "mode %q", tt.mode)
		check.Lacks(t, table.Body, tt.lacks, "mode %q", tt.mode)
	}
	if body := app.Get(t, "/desk/panezski/exports").Body; strings.Count(body, `name="mode"`) != 2 {
		t.Error("the forms of exports do not offer both modes")
	}
}

// What waits for a person in test mode stays in sight after the switch to real payments.
func TestALiveBusinessSeesWhatIsOpenInTestMode(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	sale(t, app, "4000000000002685", "")
	readLedger(t, app)
	app.Visit(t, "/desk/panezski").Has("1 payment is disputed")
	app.Visit(t, "/desk/panezski/disputes").HasNot("See test", "See real")
	switched(t, app, true)
	app.Visit(t, "/desk/panezski").Has("1 test payment is disputed").Follow("See what to do").Has("Disputes TEST MODE", "To answer")
}

// Until a shop goes live, its pages do not speak of another mode.
func TestAShopWithoutRealPaymentsHasOneMode(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, page := range []string{"payments", "payouts", "payouts/owed", "disputes", "closings"} {
		app.Visit(t, "/desk/panezski/"+page+"?mode=live").Has("TEST MODE").HasNot("See real", "See test")
	}
	check.Equal(t, dbtest.Value[bool](t, app.Pool, "SELECT was_live FROM shop WHERE code = 'panezski'"), false, "was live")
}

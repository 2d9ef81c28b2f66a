package pos_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// withSurcharge returns an app whose panezski adds 10 % on every day and offers tips.
func withSurcharge(t *testing.T) *apptest.App {
	t.Helper()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool,
		`UPDATE shop SET surcharges = '{1000,1000,1000,1000,1000,1000,1000,0}', tips = '{5,10,15}' WHERE code = 'panezski'`)
	return app
}

func TestTheOrderSaysWhatIsAddedAndAsksForATip(t *testing.T) {
	t.Parallel()
	app := withSurcharge(t)
	menu := app.Visit(t, "/pos/panezski?t=4").Has("10% is added to the order.").Press("Add Cherry Pie").Has("1 item", "$9.00")
	order := menu.Press("View Order").Has("Items $9.00", "surcharge 10% $0.90", "Total $9.90", "5% $0.45", "10% $0.90", "15% $1.35")
	for tip, chosen := range map[string]bool{"": true, "5": false, "10": false, "15": false, "other": false} {
		checked := func(a html.Attribute) bool { return a.Key == "checked" }
		radio := order.Find("input", "name=tip", "value="+tip)
		check.Equal(t, slices.ContainsFunc(radio.Attr, checked), chosen, "before anybody chooses, the tip %q is chosen:", tip)
	}
	order.Tick("tip", "10").Press("Add Cherry Pie").Has("Items $18.00", "surcharge 10% $1.80", "Tip $1.80", "Total $21.60", "15% $2.70")
	order.Follow("Add more items").Press("Add Pot of Tea").Press("View Order").Has("Tip $2.35", "Total $28.20")
	order.Type("t", "7").Press("Change table").Has("Table 7", "Total $28.20")
	order.Press("Test Payment").Has("Pay $28.20")
	lines := dbtest.Value[string](t, app.Pool, `SELECT string_agg(kind || ' ' || price_minor, ', ' ORDER BY line_no)
		FROM order_line WHERE kind <> 'item'`)
	check.Equal(t, lines, "surcharge 235, tip 235", "what is added")
}

func TestAnotherTipIsTyped(t *testing.T) {
	t.Parallel()
	app := withSurcharge(t)
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	for _, wrong := range []string{"", "0", "1,50", "-2", "4111 1111 1111 1111"} {
		order.Tick("tip", "other").Type("other", wrong).Press("Test Payment")
		check.Equal(t, order.Status, http.StatusUnprocessableEntity, "the tip %q", wrong)
		order.Has("Enter your tip as an amount, such as 2.00").Has("Total $9.90")
		order.Shows("a", "href=#tip")
		order.Shows("input", "id=tip", "aria-invalid=true")
		check.Lacks(t, order.Text()+order.Value("other"), "4111", "the page repeats the card number")
	}
	order.Type("other", "$2.50").Press("Add Cherry Pie").Has("Tip $2.50", "Total $22.30")
	check.Equal(t, order.Value("other"), "$2.50", "after a plus")
	order.Press("Test Payment").Has("Pay $22.30")
	if strings.Contains(order.Path, "order") {
		t.Errorf("the order was not made: %s", order.Path)
	}
}

func TestAStalePriceIsNoticedBesideATip(t *testing.T) {
	t.Parallel()
	app := withSurcharge(t)
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	order.Tick("tip", "10").Type("amount", "8.90").Press("Test Payment").Has("The total is now $10.80", "Tip $0.90", "Total $10.80")
	check.Equal(t, order.Status, http.StatusConflict, "an order whose page said $8.90")
	order.Press("Test Payment").Has("Pay $10.80")
}

func TestATipThatIsNotOfferedIsNone(t *testing.T) {
	t.Parallel()
	app := withSurcharge(t)
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	app.Visit(t, order.Path+"&tip=50").Has("Total $9.90").HasNot("Tip $")
	none := apptest.New(t, apptest.Options{})
	plain := none.Visit(t, "/pos/panezski?t=4").HasNot("is added to the order").Press("Add Cherry Pie").Press("View Order")
	none.Visit(t, plain.Path+"&tip=10").Has("Total $9.00").HasNot("Items $", "No tip")
}

func TestWhoPaidAndChangesTheTipIsAskedBeforePayingAgain(t *testing.T) {
	t.Parallel()
	app := withSurcharge(t)
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	address := order.Path
	trx := strings.TrimPrefix(order.Press("Test Payment").Path, "/pos/panezski/")
	app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	}).Must(t, http.StatusOK, "pay")
	back := app.Visit(t, address).Tick("tip", "15").Press("Test Payment").Has("Somebody has already paid this order", "Tip $1.35")
	check.Equal(t, dbtest.Value[int](t, app.Pool,
		"SELECT count(*) FROM transaction WHERE table_name = '4' AND created_at > now() - interval '1 minute'"), 1, "orders")
	back.Press("Test Payment").Has("Pay $11.25")
}

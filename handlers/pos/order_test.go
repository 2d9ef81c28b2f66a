package pos_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func labelOf(attributes []html.Attribute) string {
	for _, a := range attributes {
		if a.Key == "aria-label" {
			return a.Val
		}
	}
	return ""
}

// pathOf returns a path without its query.
func pathOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

func count(t *testing.T, app *apptest.App, table string) int {
	t.Helper()
	return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM "+table)
}

func TestOrderingWithoutScripts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/pos/panezski?t=4")

	v.Press("Remove Butter Croissant").Has("0 items", "$0.00", "Table 4") // POS-14
	v.Press("Add Butter Croissant").Has("1 item", "$5.50")
	v.Press("Add Butter Croissant").Press("Add Cherry Pie").Has("3 items", "$20.00", "Table 4") // POS-12
	v.Press("Remove Butter Croissant").Has("2 items", "$14.50")
	v.Press("View Order")
	check.MustEqual(t, pathOf(v.Path), "/pos/panezski/order", "POS-13 View Order led to %s", v.Path)
	v.Has("Butter Croissant", "Cherry Pie", "Total $14.50", "Table 4").HasNot("Please provide a name for the order") // POS-15..17
	var buttons []string
	for node := range v.Find("form", "class=stack").Descendants() {
		if node.Data == "button" {
			buttons = append(buttons, labelOf(node.Attr))
		}
	}
	if len(buttons) < 5 || buttons[0] != "" {
		t.Errorf("Enter presses the first of the buttons %q, which has to be neither a plus nor a minus", buttons)
	}
	v.Press("Add Cherry Pie").Has("Total $23.50")
	v.Press("Remove Butter Croissant").Has("Total $18.00").HasNot("Butter Croissant")
	v.Type("t", "7").Press("Change table").Has("Table 7", "Total $18.00").Type("t", "4").Press("Change table")
	v.Follow("Add more items").Has("2 items", "$18.00", "Table 4") // POS-19
	v.Press("Add Pot of Tea").Press("View Order").Has("Total $23.50")
	v.Press("Test Payment")
	if v.Status != http.StatusOK || !strings.HasPrefix(v.Path, "/pos/panezski/") || strings.Contains(v.Path, "order") {
		t.Fatalf("POS-23 ROUTE-21 Test Payment led to %s, %d", v.Path, v.Status)
	}
	v.Has("23.50 AUD", "Pay $23.50")
	check.Equal(t, count(t, app, "transaction"), 1, "transactions")
	stored := dbtest.Value[string](t, app.Pool, "SELECT source || '|' || table_name || '|' || trx_ref FROM transaction")
	check.Equal(t, stored, "diy-pos|4|", "POS-28 source, table and trxRef")
}

func TestAnOrderWithoutATableNeedsAName(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski").Press("Add Cherry Pie").Press("View Order")
	address := order.Path
	order.Has("Please provide a name for the order").HasNot("Table")
	order.Type("name", "  ").Press("Test Payment")
	check.MustEqual(t, order.Status, http.StatusUnprocessableEntity, "POS-18 without a name")
	order.Has("There is a problem", "Enter a name", "Cherry Pie", "$9.00")
	order.Shows("a", "href=#name")                       // POS-18
	order.Shows("input", "id=name", "aria-invalid=true") // POS-18
	order.Type("name", strings.Repeat("n", 65)).Press("Test Payment")
	check.Equal(t, order.Status, http.StatusUnprocessableEntity, "a name of 65 letters")
	order.Has("Use at most 64 characters for the name.").HasNot("Enter a name")
	check.Equal(t, order.Value("name"), strings.Repeat("n", 65), "the field after a name of 65 letters")
	order.Type("name", "4111 1111 1111 1111").Press("Test Payment")
	check.Equal(t, order.Status, http.StatusUnprocessableEntity, "a card number as the name")
	order.Has("This looks like a card number").HasNot("Enter a name", "4111")
	check.Equal(t, order.Value("name"), "", "the page repeats the card number in the field or in")
	check.Lacks(t, order.Path, "4111", "the page repeats the card number in the field or in")
	check.Equal(t, count(t, app, "transaction"), 0, "an order was made")
	order.Type("name", `Zoë "O'Neil" <b>`).Press("Test Payment")
	if order.Status != http.StatusOK || count(t, app, "transaction") != 1 {
		t.Fatalf("POS-23 %s: %d", order.Path, order.Status)
	}
	name := dbtest.Value[string](t, app.Pool, "SELECT customer_name FROM transaction")
	check.Equal(t, name, `Zoë "O'Neil" <b>`, "name")
	again := app.Visit(t, address+"&n=Ann")
	check.Equal(t, again.Value("name"), "Ann", "POS-01 POS-18 ?n=Ann fills the field")
	menu := app.Visit(t, "/pos/panezski?n=Ann").Press("Add Cherry Pie").Press("View Order")
	check.Equal(t, menu.Value("name"), "Ann", "POS-01 the name is lost on the way: %s", menu.Path)
}

func TestTheNameSurvivesAnotherPress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski").Press("Add Cherry Pie").Press("View Order")
	order.Type("name", "Ann").Press("Add Cherry Pie").Has("Total $18.00")
	check.Equal(t, order.Value("name"), "Ann", "POS-15 the name is … after a plus")
}

func TestTheSameBasketIsTheSameTransaction(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	address := order.Path
	payment := order.Press("Test Payment").Path
	check.Equal(t, app.Visit(t, address).Press("Test Payment").Path, payment, "going back and ordering again led to")
	menu := app.Visit(t, address).Follow("Add more items")
	check.Equal(t, menu.Press("View Order").Press("Test Payment").Path, payment, "going through the menu without a change led to")
	if edited := app.Visit(t, address).Press("Add Cherry Pie").Press("Test Payment").Path; edited == payment {
		t.Error("an edited basket led to the old transaction")
	}
	there := app.Visit(t, address).Press("Add Cherry Pie").Press("Remove Cherry Pie").Press("Test Payment").Path
	if there == payment {
		t.Error("the basket kept its key after an edit that was undone")
	}
	check.Equal(t, count(t, app, "transaction"), 3, "transactions")
}

func TestAnAddressWithoutAKeyGetsOneBeforeOrdering(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
	bare, err := url.Parse(order.Path)
	check.Must(t, err)
	query := bare.Query()
	query.Del("k")
	answer := app.Get(t, "/pos/panezski/order?"+query.Encode())
	if answer.Status != http.StatusSeeOther || !strings.Contains(answer.Location, "k=") {
		t.Errorf("%d to %q", answer.Status, answer.Location)
	}
	check.Equal(t, answer.Header.Get("Cache-Control"), "no-store", "two customers get the same key")
}

func TestANewNameIsANewOrder(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski").Press("Add Cherry Pie").Press("View Order")
	address := order.Path
	first := order.Type("name", "Ann").Press("Test Payment").Path
	second := app.Visit(t, address).Type("name", "Bob").Press("Test Payment")
	if second.Status != http.StatusOK || second.Path == first {
		t.Errorf("%d %s", second.Status, second.Path)
	}
}

func TestAChangedPriceIsShownBeforeOrdering(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := app.Visit(t, "/pos/panezski").Press("Add Cherry Pie").Press("Add Cherry Pie").Press("View Order")
	dbtest.PublishMenu(t, app.Pool, "UPDATE item SET price_minor = 1025 WHERE name = 'Cherry Pie'")
	order.Type("name", "Ann").Press("Test Payment")
	check.MustEqual(t, order.Status, http.StatusConflict, "the status")
	order.Has("The total is now $20.50", "Total $20.50", "Cherry Pie")
	check.Equal(t, order.Value("name"), "Ann", "the name is lost, or an order was made")
	check.Equal(t, count(t, app, "transaction"), 0, "the name is lost, or an order was made")
	order.Press("Test Payment").Has("20.50 AUD")
}

func TestUnavailableItemsAreNamedBeforeOrdering(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, change string }{
		{"sold out", "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'"},
		{"off the menu (POS-06)", "UPDATE item SET available = false WHERE name = 'Cherry Pie'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("Add Pot of Tea").Press("View Order")
			address := order.Path
			dbtest.PublishMenu(t, app.Pool, tt.change)
			order.Press("Test Payment")
			if order.Status != http.StatusConflict || count(t, app, "transaction") != 0 {
				t.Fatalf("status %d, %d transactions", order.Status, count(t, app, "transaction"))
			}
			order.Has("Cherry Pie is no longer available. Please remove it to go on.", "Pot of Tea", "Total $5.50", "Table 4")
			order.Press("Remove Cherry Pie").HasNot("Cherry Pie").Press("Test Payment").Has("5.50 AUD")
			app.Visit(t, address).Has("Cherry Pie is no longer available")
		})
	}
	t.Run("an item that left is named on the menu, too, and stays in the order until it is removed", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		menu := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("Add Pot of Tea")
		dbtest.PublishMenu(t, app.Pool, "UPDATE item SET available = false WHERE name = 'Cherry Pie'")
		apptest.Eventually(t, "the menu names it", func() bool {
			return strings.Contains(app.Get(t, menu.Path).Body, "Cherry Pie is no longer available")
		})
		app.Visit(t, menu.Path).Has("1 item", "$5.50").Press("View Order").
			Has("Cherry Pie is no longer available. Please remove it to go on.", "Pot of Tea", "Total $5.50")
	})
	t.Run("an item that was deleted", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		order := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order")
		dbtest.PublishMenu(t, app.Pool, "DELETE FROM item WHERE name = 'Cherry Pie'")
		order.Press("Test Payment")
		if order.Status < 400 || order.Status > 499 || count(t, app, "transaction") != 0 {
			t.Errorf("status %d", order.Status)
		}
	})
}

func TestAnEmptyBasket(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/pos/panezski/order?t=4").Has("Nothing chosen yet").HasNot("Test Payment").Follow("Go to the menu").Has("Table 4")
	check.Equal(t, v.Path, "/pos/panezski?t=4", "from an empty order the menu is at")
	app.Visit(t, "/pos/panezski?t=4").Press("View Order").Has("Nothing chosen yet") // POS-13
	app.Post(t, "/pos/panezski/order?t=4", url.Values{"amount": {"0.00"}}).Want(t, http.StatusUnprocessableEntity, "ordering nothing")
	check.Equal(t, count(t, app, "transaction"), 0, "ordering nothing")
}

func TestHostileQuantities(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/pos/panezski?t=4")
	add := v.Find("button", "aria-label=Add Cherry Pie")
	at := slices.IndexFunc(add.Attr, func(a html.Attribute) bool { return a.Key == "value" })
	id := add.Attr[at].Val
	for qty, shown := range map[string]string{
		"-5": "0 items", "0": "0 items", "x": "0 items", "1e3": "0 items", "٣": "3 items", "2": "2 items", "100": "99 items",
		"0x10": "0 items", "": "0 items", "1.5": "0 items",
	} {
		form := url.Values{"qty." + id: {qty}, "qty.99999": {"3"}, "qty.-1": {"3"}, "qty.": {"3"}, "add": {"nothing"}}
		answer := app.Post(t, "/pos/panezski?t=4", form)
		check.MustEqual(t, answer.Status, http.StatusSeeOther, "%q", qty)
		order := app.Visit(t, answer.Location).Follow("Menu")
		order.Has(shown)
		if t.Failed() {
			t.Fatalf("POS-14 a quantity of %q is not %s", qty, shown)
		}
	}
	ninety := app.Post(t, "/pos/panezski", url.Values{"qty." + id: {"99"}, "add": {id}})
	if !strings.Contains(ninety.Location, id+"x99") || !strings.HasSuffix(ninety.Location, "#i"+id) {
		t.Errorf("a plus at 99 leads to %s", ninety.Location)
	}
}

// A page whose scripts come late posts all presses at once.
func TestSeveralPressesOfOnePostAllCount(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, one := range []struct {
		form url.Values
		want string
	}{
		{url.Values{"add": {"1", "3", "1"}}, "/pos/panezski?b=1x2.3x1&"},
		{url.Values{"qty.1": {"3"}, "remove": {"1", "1"}}, "/pos/panezski?b=1x1&"},
		{url.Values{"add": {"1", "3"}, "view": {""}}, "/pos/panezski/order?b=1x1.3x1&"},
		{url.Values{"add": {"1"}, "choose": {"33"}}, "/pos/panezski/item/33?b=1x1&"},
	} {
		got := app.Post(t, "/pos/panezski", one.form).Location
		check.Contains(t, got, one.want, "%v leads to", one.form)
	}
}

func TestAnOrderTakesOnlyItemsOfItsBusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	v := app.Visit(t, "/pos/panezski")
	add := v.Find("button", "name=add")
	id := add.Attr[slices.IndexFunc(add.Attr, func(a html.Attribute) bool { return a.Key == "value" })].Val
	app.Post(t, "/pos/moollar/order?t=1&b="+id+"x1&k=K", url.Values{"qty." + id: {"1"}}).Want(t, http.StatusUnprocessableEntity,
		"another merchant's item")
	check.Equal(t, count(t, app, "transaction"), 0, "another merchant's item")
}

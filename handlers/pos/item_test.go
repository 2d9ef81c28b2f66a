package pos_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// idOf returns the id of the row with a name in a table of the demo's first business.
func idOf(t *testing.T, app *apptest.App, table, name string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT id::text FROM "+table+" WHERE shop_code = 'panezski' AND name = $1 ORDER BY id LIMIT 1",
		name)
}

// latte returns the path of the page of an item with options, and the form that a guest fills in there.
func latte(t *testing.T, app *apptest.App, choices ...string) (path string, form url.Values) {
	t.Helper()
	form = url.Values{"qty": {"1"}}
	for _, name := range choices {
		id := idOf(t, app, "option_choice", name)
		form.Add("g."+id, id) // the server only looks at the choice, whatever field it is in
	}
	return "/pos/panezski/item/" + idOf(t, app, "item", "Iced Latte"), form
}

func TestOptionsGoFromTheMenuToTheReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, app.Pool, "UPDATE option_choice SET sold_out = true WHERE name = 'Almond'")
	page := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("Choose Iced Latte")
	page.Has("Iced Latte", "$6.50", "Size Required Choose one", "Large +$0.90", "Extras Choose up to 2",
		"Almond Contains tree nuts Sold out", "Note to the kitchen")
	page.Has("May contain gluten, tree nuts. Some choices contain milk.", "Full cream Contains milk", "Oat Contains gluten").HasNot("Ask us")
	page.Shows("input", "value="+idOf(t, app, "option_choice", "Almond"), "disabled")
	_, form := latte(t, app, "Large", "Oat", "Extra shot")
	form.Set("note", "not too sweet")
	form.Set("qty", "2")
	added := app.Post(t, page.Path, form)
	added.Leads(t, "/pos/panezski?b=…", "added")
	menu := app.Visit(t, added.Location).Has("3 items", "$26.60")
	menu.Press("Add Pot of Tea").Has("4 items") // every button carries the rest of the basket
	_, form = latte(t, app, "Regular", "Skim")
	added = app.Post(t, menu.Press("Choose Iced Latte").Path, form)
	order := app.Visit(t, added.Location).Press("View Order")
	order.Has("Large, Oat (contains gluten), Extra shot", "“not too sweet”", "$17.60", "Regular, Skim (contains milk)", "$6.50", "Total $38.60")
	order.Press("Remove Iced Latte with Regular, Skim (contains milk)").Press("Remove Pot of Tea").Has("Total $26.60")
	payment := order.Press("Test Payment").Has("Pay $26.60", "Large, Oat (contains gluten), Extra shot", "“not too sweet”")
	paid := app.Post(t, payment.Path, url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {"ann@example.com"}})
	paid.Must(t, http.StatusSeeOther, "paid")
	app.Visit(t, payment.Path).Follow("Receipt").Has("Iced Latte Large, Oat, Extra shot × 2 $17.60").HasNot("not too sweet")
	check.Contains(t, app.Mails(t, "ann@example.com", 1)[0].Plain, "2 × Iced Latte (Large, Oat, Extra shot): $17.60", "plain")
	if api := app.Get(t, "/api"+payment.Path).Body; !strings.Contains(api, `"group":"Milk","name":"Oat","price":"0.80"`) || !strings.Contains(api, `"note":"not too sweet"`) {
		t.Error(api)
	}
	app.SignIn(t)
	app.Visit(t, "/pos/panezski/kitchen").Has("2 Iced Latte Large Oat (contains gluten) Extra shot not too sweet")
}

func TestThePageOfAnItemMatchesTheMenu(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path, _ := latte(t, app)
	app.Visit(t, path).Has("May contain gluten, tree nuts. Some choices contain milk.").Hides("img", "width=96")
	alter(t, app, "UPDATE item SET picture = '/picture/latte' WHERE name = 'Iced Latte'",
		`src="/picture/latte" alt="" width="96" height="96" loading="lazy"`)
	app.Visit(t, path).Shows("img", "src=/picture/latte")
	alterItem(t, app, path, "UPDATE item SET allergens_known = false, contains = '{}', may_contain = '{}' WHERE name = 'Iced Latte'",
		"Ask us about allergens")
	later := time.Now().AddDate(0, 0, 3).Format("Mon") + " 10:07-11:00" // when nothing else opens
	alter(t, app, "UPDATE item SET hours = '"+later+"' WHERE name = 'Iced Latte'", "at 10:07")
	app.Visit(t, path).Has("at 10:07").HasNot("Sold out for now", "Add to order")
}

func TestASoldOutOptionIsNamedAndTheRestIsKept(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path, form := latte(t, app, "Regular", "Oat")
	pie := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie")
	order := app.Visit(t, app.Post(t, path+"?"+queryOf(pie.Path), form).Location).Press("View Order")
	address := order.Path
	app.SignIn(t)
	app.Visit(t, "/pos/panezski/kitchen").Press("On sale: Milk Oat")
	order.Press("Test Payment")
	check.Equal(t, order.Status, http.StatusConflict, "the status")
	order.Has("Iced Latte with Oat is no longer available. Please remove it to go on.", "Cherry Pie", "Total $9.00", "Table 4")
	app.Post(t, "/pos/panezski/kitchen", url.Values{"on": {idOf(t, app, "option_choice", "Oat")}})
	shows(t, app, address, "Total</span> <strong class=\"money\">$16.30")
	payment := app.Visit(t, address).Press("Test Payment").Has("Pay $16.30")
	dbtest.Exec(t, app.Pool, "UPDATE option_choice SET sold_out = true WHERE name = 'Oat'")
	card := url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {"ann@example.com"}}
	app.Post(t, payment.Path, card).Leads(t, payment.Path, "paying")
	app.Visit(t, payment.Path).Has("Iced Latte with Oat sold out in the meantime").HasNot("Pay $")
	dbtest.Exec(t, app.Pool, "DELETE FROM option_choice WHERE name = 'Oat'")
	app.Post(t, payment.Path, card).Leads(t, payment.Path, "paying for a deleted option")
	app.Visit(t, payment.Path).Has("Iced Latte with Oat sold out in the meantime").HasNot("Pay $").Follow("Order without it").Has("1 item", "$9.00")
	shows(t, app, address, "Iced Latte as you chose it is no longer available")
	app.Visit(t, address).Has("Cherry Pie", "Total $9.00")
}

func TestHostileChoices(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path, _ := latte(t, app)
	regular, oat := idOf(t, app, "option_choice", "Regular"), idOf(t, app, "option_choice", "Oat")
	poached := idOf(t, app, "option_choice", "Poached")
	for name, tt := range map[string]struct{ form, says string }{
		"nothing":                  {"qty=1", "Choose one for Size"},
		"a choice of another item": {"qty=1&g.1=" + regular + "&g.1=" + oat + "&g.1=" + poached, "The menu has changed"},
		"too many":                 {"qty=1&g.1=" + regular + "&g.1=" + oat + strings.Repeat("&g.1=9", 3) + "&g.1=7&g.1=8", "Choose up to 2 for Extras"},
		"no quantity":              {"qty=0&g.1=" + regular + "&g.1=" + oat, "from 1 to 99"},
		"a long note":              {"qty=1&g.1=" + regular + "&g.1=" + oat + "&note=" + strings.Repeat("x", 61), "at most 60 characters"},
		"a card number":            {"qty=1&g.1=" + regular + "&g.1=" + oat + "&note=4111111111111111", "looks like a card number"},
	} {
		form, err := url.ParseQuery(tt.form)
		check.Must(t, err)
		app.Post(t, path, form).Want(t, http.StatusUnprocessableEntity, name+", the page does not say", tt.says)
	}
	for _, path := range []string{"/pos/panezski/item/999999", "/pos/panezski/item/x", "/pos/moollar/item/" + idOf(t, app, "item", "Iced Latte"), "/pos/panezski/item/-1"} {
		app.Get(t, path).Want(t, http.StatusNotFound, path)
	}
	item := idOf(t, app, "item", "Iced Latte")
	for _, b := range []string{item + "~" + strings.Repeat("1-", 9_999) + "1x1", item + "~-1x1", item + "~~%00x1"} {
		app.Visit(t, "/pos/panezski/order?t=4&b="+url.QueryEscape(b)).Has("Nothing chosen yet")
	}
	foreign := app.Visit(t, "/pos/panezski/order?t=4&b="+item+"~"+poached+"x1")
	foreign.Has("Iced Latte as you chose it is no longer available", "Total $0.00").Press("Test Payment")
	foreign.Want(t, http.StatusConflict, "an order with a choice of another item")
	check.Equal(t, count(t, app, "transaction"), 0, "an order with a choice of another item")
}

// shows waits until a menu, which may be half a second old, has a text.
func shows(t *testing.T, app *apptest.App, path, text string) {
	t.Helper()
	apptest.Eventually(t, text, func() bool { return strings.Contains(app.Get(t, path).Body, text) })
}

func queryOf(path string) string {
	_, query, _ := strings.Cut(path, "?")
	query, _, _ = strings.Cut(query, "#")
	return query
}

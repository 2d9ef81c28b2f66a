package pos_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestTheMenuOfABusiness(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE item SET description = 'Three <days> & nights', price_minor = 123456 WHERE name = 'Butter Croissant'")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	v := app.Visit(t, "/pos/panezski?t=4")
	check.MustEqual(t, v.Status, http.StatusOK, "ROUTE-20 ROUTE-22 status")
	t.Run("the merchant's name and logo (POS-02 POS-03)", func(t *testing.T) {
		if v.Find("header") == nil || v.Find("img", "width=56") == nil || !strings.Contains(v.Text(), "Panezski") {
			t.Error(v.Text())
		}
	})
	check.Equal(t, strings.Count(v.Body, `data-item="`), 40, "the whole menu comes with the first answer (POS-26)")
	v.Hides("div", "hx-trigger=load") // POS-26
	t.Run("items with name, description and price, from the database (POS-05 POS-08)", func(t *testing.T) {
		headings := v.Texts("h2")
		if len(headings) < 5 || headings[0] != "From the oven" {
			t.Errorf("headings %q", headings)
		}
		if first := v.Texts("li"); !slices.ContainsFunc(first, func(row string) bool {
			const told = "Contains egg, gluten, milk, wheat. May contain tree nuts"
			return strings.HasPrefix(row, "Butter Croissant Three <days> & nights "+told+" $1,234.56")
		}) {
			t.Errorf("the first row reads %q", first[:20])
		}
	})
	t.Run("unavailable items are absent (POS-06)", func(t *testing.T) { v.HasNot("Birthday Cake Slice") })
	t.Run("categories without available items are absent (POS-07)", func(t *testing.T) { v.HasNot("Sunday roast", "Roast Lamb Shank") })
	t.Run("a sold-out item is shown without buttons", func(t *testing.T) {
		v.Has("Sold out")
		v.Hides("button", "aria-label=Add Cherry Pie")
	})
	t.Run("minus and plus at every item, starting from 0 (POS-09 POS-14)", func(t *testing.T) {
		v.Shows("button", "aria-label=Add Seeded Bagel")
		v.Shows("button", "aria-label=Remove Seeded Bagel")
		if slices.ContainsFunc(v.Texts("output"), func(s string) bool { return s != "0" && s != "0 items" && s != "$0.00" }) {
			t.Errorf("quantities %q", v.Texts("output"))
		}
	})
	v.Has("Table 4", "$0.00", "View Order") // the bar has table, total and View Order (POS-01 POS-11 POS-12 POS-13)
	t.Run("without a table none is shown (POS-01)", func(t *testing.T) { app.Visit(t, "/pos/panezski").HasNot("Table") })
	check.Empty(t, v.Header.Values("Set-Cookie"), "nobody signs in and no cookie is set (POS-33)")
	t.Run("Powered by (CHROME-09 POS-10)", func(t *testing.T) { v.Has("Powered by") })
	v.Hides("img", "width=96") // words stand alone where there is no photograph
	t.Run("a basket in an address is offered beside the browser's own", func(t *testing.T) {
		v.HasNot("You have already chosen something")
		full := app.Visit(t, "/pos/panezski?t=4").Press("Add Seeded Bagel").Has("You have already chosen something", "1 item")
		for value, want := range map[string]string{"add": "Add them to mine", "replace": "Order these instead", "": "Keep only mine"} {
			full.Has(want)
			full.Shows("button", "value="+value)
		}
	})
}

func TestTheMenuShowsTestMode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = code = 'moollar'")
	for shop, live := range map[string]bool{"moollar": true, "panezski": false} {
		v := app.Visit(t, "/pos/"+shop+"?t=4")
		add := v.Find("button", "name=add")
		if add == nil {
			t.Fatal("the menu has no item to add")
		}
		order := v.Press(labelOf(add.Attr)).Press("View Order")
		if live {
			v.HasNot("TEST MODE")
			order.Has("Proceed to Payment").HasNot("Test Payment", "TEST MODE")
		} else {
			app.Visit(t, "/pos/"+shop).Has("TEST MODE")
			order.Has("Test Payment", "TEST MODE").HasNot("Proceed to Payment")
		}
		if t.Failed() {
			t.Errorf("POS-04 POS-20 POS-21 %s, live %v", shop, live)
		}
	}
}

func TestMenusThatDoNotExist(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, path := range []string{"/pos/nosuch", "/pos/nosuch/order", "/pos/PANEZSKI", "/pos/%00", "/pos/%ff/order", "/pos/" + strings.Repeat("x", 3000)} {
		v := app.Visit(t, path)
		check.Equal(t, v.Status, http.StatusNotFound, "POS-25 %.40s: status", path)
		v.Has("Invalid merchant")
	}
	for _, path := range []string{"/pos/nosuch", "/pos/nosuch/order"} {
		app.Post(t, path, nil).Want(t, http.StatusNotFound, "POS-25 posting to "+path, "Invalid merchant")
	}
	dbtest.Exec(t, app.Pool, "UPDATE item SET available = false WHERE shop_code = 'panezski'")
	app.Visit(t, "/pos/panezski").Has("Nothing to order right now").HasNot("View Order")
}

var reference = regexp.MustCompile(`[?&;]k=[A-Z0-9]+`)

func TestACachedMenuIsTheSamePage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	first := app.Get(t, "/pos/panezski?t=4").Body
	kept := app.Get(t, "/pos/panezski?t=4").Body
	other := app.Get(t, "/pos/panezski?t=4&b=").Body
	check.Equal(t, first, kept, "a cached menu is a different page")
	check.Equal(t, first, other, "a cached menu is a different page")
	check.Equal(t, apptest.New(t, apptest.Options{}).Get(t, "/pos/panezski?t=4").Body, first, "another server's menu is a different page")
	if seven := app.Get(t, "/pos/panezski?t=7").Body; strings.ReplaceAll(seven, "7", "4") == seven || !strings.Contains(seven, "Table 7") {
		t.Error("another table got the cached page")
	}
	if reference.MatchString(first) {
		t.Error("the page for everybody holds one customer's key")
	}
	named := app.Get(t, "/pos/panezski?n=Ann").Body
	check.Contains(t, named, "n=Ann", "POS-01 a name got into the cached page")
	check.Lacks(t, app.Get(t, "/pos/panezski").Body, "Ann", "POS-01 a name got into the cached page")
	dbtest.Exec(t, app.Pool, "UPDATE item SET price_minor = 777 WHERE name = 'Butter Croissant'")
	apptest.Eventually(t, "the new price shows", func() bool {
		return strings.Contains(app.Get(t, "/pos/panezski?t=4").Body, "$7.77")
	})
}

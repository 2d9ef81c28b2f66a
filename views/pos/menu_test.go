package pos

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/shop"
	"forecourt/static"
	"forecourt/views/layout"
)

func cafe(live bool) layout.Merchant {
	return layout.Merchant{
		Code: "cafe", Name: "Corner Café", Tagline: "Since 1989", Live: live, Colours: static.NewStyle(":root{--hue:33}"),
		Logo: layout.Picture{Src: "/static/img/cafe.svg", Width: 56, Height: 56},
	}
}

func menuOf(live bool, table string) Menu {
	item := func(id int64, name, description string, price int64, soldOut bool) *order.Item {
		return &order.Item{
			Item: menu.Item{ID: id, Name: name, Description: description, Price: price, Picture: shop.PicturePath + "x"}, SoldOut: soldOut,
		}
	}
	return Menu{
		Frame:  layout.Customer{Title: "Menu", Merchant: cafe(live), Table: table},
		Action: "/pos/cafe?t=" + table, Count: 2, Total: "$9.00",
		Categories: []Category{
			{ID: "c1", Name: "Coffee", Items: []Item{
				{Item: item(11, "Flat White", "Double shot", 450, false), Currency: "AUD", Picks: []Pick{{"11", 2}}},
				{Item: item(12, "Ben & Jerry's <Shake>", "", 700, false), Currency: "AUD"},
			}},
			{ID: "c2", Name: "Cakes", Items: []Item{
				{Item: item(21, "Lamington", "", 500, true), Currency: "AUD"},
			}},
		},
	}
}

func TestMenuHeader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		live        bool
		table       string
		pills, bars []string
	}{
		{"a merchant in test mode shows TEST MODE, and the bar the table (POS-04 POS-11)", false, "5", []string{"Table 5", "TEST MODE"}, []string{"Table 5"}},
		{"a live merchant shows no TEST MODE (POS-04)", true, "5", []string{"Table 5"}, []string{"Table 5"}},
		{"without a table none is shown (POS-11)", true, "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := render(t, MenuPage(menuOf(c.live, c.table)))
			banner := page.one(t, "header")
			check.List(t, texts(banner.all("span", "class=pill")), c.pills, "pills")
			check.List(t, texts(page.one(t, "div", "class=bar").all("span")), c.bars, "table in the bar")
			banner.one(t, "img", "src=/static/img/cafe.svg") // POS-03
			check.List(t, texts(page.all("style")), []string{":root{--hue:33}"}, "colours")
		})
	}
}

func TestMenuRows(t *testing.T) {
	t.Parallel()
	page := render(t, MenuPage(menuOf(false, "5")))
	form := page.one(t, "form", "id=menu", "method=post", "action=/pos/cafe?t=5")

	t.Run("items are grouped by category (POS-05)", func(t *testing.T) {
		t.Parallel()
		check.List(t, texts(form.one(t, "section", "id=c1").all("h3")), []string{"Flat White", "Ben & Jerry's <Shake>"}, "items of Coffee")
		page.one(t, "nav", "aria-label=Categories").one(t, "a", "href=#c2")
	})
	t.Run("a row shows picture, name, description and price in dollars (POS-08 POS-10)", func(t *testing.T) {
		t.Parallel()
		row := form.one(t, "li", "data-item=11", "data-price=450")
		row.one(t, "img", "src="+shop.PicturePath+"x", "width=96", "height=96")
		for _, want := range []string{"Flat White", "Double shot", "$4.50"} {
			check.Contains(t, row.text(), want, "row … lacks")
		}
	})
	t.Run("minus and plus are submit buttons named after the item (POS-09)", func(t *testing.T) {
		t.Parallel()
		row := form.one(t, "li", "data-item=12")
		row.one(t, "button", "type=submit", "name=add", "value=12", "aria-label=Add Ben & Jerry's <Shake>")
		row.one(t, "button", "type=submit", "name=remove", "value=12", "aria-label=Remove Ben & Jerry's <Shake>")
		row.one(t, "input", "type=hidden", "name=qty.12", "value=0")
		form.one(t, "li", "data-item=11").one(t, "input", "type=hidden", "name=qty.11", "value=2")
	})
	t.Run("an item that is sold out says so and has no buttons", func(t *testing.T) {
		t.Parallel()
		row := form.one(t, "li", "data-item=21")
		if len(row.all("button")) > 0 || !strings.Contains(row.text(), "Sold out") {
			t.Errorf("row %q has %d buttons", row.text(), len(row.all("button")))
		}
	})
}

func TestMenuBar(t *testing.T) {
	t.Parallel()
	menu := menuOf(false, "")
	bar := render(t, MenuPage(menu)).one(t, "div", "class=bar", "data-count=2")
	check.Equal(t, bar.text(), "2 items $9.00 View Order", "POS-12 the bar reads")
	button := bar.one(t, "button", "type=submit", "form=menu") // POS-13
	if _, named := button.attribute("name"); named {
		t.Error("View Order has a name, as plus and minus buttons have")
	}
	menu.Count = 1
	if got := render(t, MenuPage(menu)).one(t, "div", "class=bar").text(); !strings.HasPrefix(got, "1 item $") {
		t.Errorf("POS-12 the bar reads %q", got)
	}
}

func TestPicturesDoNotDelayTheMenu(t *testing.T) {
	t.Parallel()
	for place, picture := range render(t, MenuPage(menuOf(false, ""))).one(t, "form", "id=menu").all("img") {
		loading, _ := picture.attribute("loading")
		width, _ := picture.attribute("width")
		height, _ := picture.attribute("height")
		if loading != "lazy" || width == "" || height == "" {
			t.Errorf("picture %d: loading %q, %q by %q", place, loading, width, height)
		}
	}
}

func TestMenuWithNothingToOrder(t *testing.T) {
	t.Parallel()
	menu := menuOf(false, "")
	menu.Categories, menu.Notice = nil, "The kitchen is closed."
	page := render(t, MenuPage(menu))
	check.Equal(t, page.one(t, "div", "role=alert").text(), "The kitchen is closed.", "notice")
	check.Equal(t, page.one(t, "div", "class=state").one(t, "h2").text(), "Nothing to order right now", "heading")
	check.Empty(t, page.all("div", "class=bar"), "an empty menu has a bar")
}

func TestCustomerFooter(t *testing.T) {
	t.Parallel()
	foot := render(t, MenuPage(menuOf(false, ""))).one(t, "footer")
	check.Equal(t, foot.text(), "© 2025 Corner Café Privacy policy Terms Powered by Forecourt",
		"CHROME-09, PAY-06 and PAY-07 the footer reads")
	check.Equal(t, len(foot.all("a", "href")), 3, "PAY-06 the footer has … links")
}

func TestInvalidMerchant(t *testing.T) {
	t.Parallel()
	page := render(t, InvalidMerchantPage(layout.Site{Title: "Invalid merchant"}))
	check.Equal(t, page.one(t, "h1").text(), "Invalid merchant", "POS-25 heading")
	check.Equal(t, page.one(t, "title").text(), "Invalid merchant · Forecourt", "title")
}

func TestTheMenuAsksAboutTheBasketOfAnAddress(t *testing.T) {
	t.Parallel()
	menu := menuOf(false, "")
	menu.Count = 3
	question := render(t, MenuPage(menu)).one(t, "dialog", "id=shared")
	if got := question.text(); !strings.Contains(got, "You have already chosen something") || !strings.Contains(got, "3 items") {
		t.Errorf("the page asks %q", got)
	}
	for value, want := range map[string]string{"add": "Add them to mine", "replace": "Order these instead", "": "Keep only mine"} {
		check.Equal(t, question.one(t, "button", "value="+value).text(), want, "the answer %q reads", value)
	}
	menu.Count = 0
	check.Empty(t, render(t, MenuPage(menu)).all("dialog"), "the page asks about an empty basket")
}

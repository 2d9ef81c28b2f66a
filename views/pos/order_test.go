package pos

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
	"forecourt/views/layout"
	"forecourt/views/props"
	"forecourt/views/ui"
)

func orderOf(table string) Order {
	line := func(pick order.Pick, name string, price int64, qty int, problem string) Line {
		item := &order.Item{Item: menu.Item{Name: name}}
		return Line{Made: order.Made{Item: item, PriceMinor: price, Problem: problem}, Pick: pick, Qty: qty}
	}
	return Order{
		Frame:  layout.Customer{Title: "Your order", Merchant: cafe(false), Table: table},
		Action: "/pos/cafe/order", MenuURL: "/pos/cafe?b=11x2", Key: "k1", Total: 1400, Currency: "AUD",
		Lines:     []Line{line("11", "Flat White", 450, 2, ""), line("21", "Lamington", 500, 1, "Lamington")},
		NameField: ui.Field{ID: "name", Name: "name", Label: "Please provide a name for the order", Required: true},
	}
}

func TestOrderLines(t *testing.T) {
	t.Parallel()
	page := render(t, OrderPage(orderOf("5")))
	form := page.one(t, "form", "method=post", "action=/pos/cafe/order")

	t.Run("a line has its quantity between minus and plus (POS-15)", func(t *testing.T) {
		t.Parallel()
		line := form.all("li")[0]
		line.one(t, "button", "name=remove", "value=11", "aria-label=Remove Flat White")
		line.one(t, "button", "name=add", "value=11", "aria-label=Add Flat White")
		line.one(t, "input", "type=hidden", "name=qty.11", "value=2")
		check.Equal(t, line.text(), "Flat White $9.00 2", "line reads")
	})
	t.Run("a line that is no longer available can only be removed as a whole", func(t *testing.T) {
		t.Parallel()
		line := form.one(t, "li", "class=unavailable")
		line.one(t, "button", "name=drop", "value=21", "aria-label=Remove Lamington")
		line.one(t, "input", "type=hidden", "name=qty.21", "value=1")
		if !strings.Contains(line.text(), "No longer available") || len(line.all("button")) != 1 {
			t.Errorf("line reads %q with %d buttons", line.text(), len(line.all("button")))
		}
	})
	t.Run("the total is shown, and sent back to notice a changed price (POS-16)", func(t *testing.T) {
		t.Parallel()
		check.Equal(t, form.one(t, "p", "class=total").text(), "Total $14.00", "total reads")
		form.one(t, "input", "name=amount", "value=14.00")
		form.one(t, "input", "name=key", "value=k1")
	})
	t.Run("Enter submits the order: the first button is not a minus", func(t *testing.T) {
		t.Parallel()
		if name, named := form.all("button")[0].attribute("name"); named {
			t.Errorf("the first button is %q", name)
		}
	})
	t.Run("Add more items leads back with the quantities (POS-19)", func(t *testing.T) {
		t.Parallel()
		check.Equal(t, form.one(t, "a", "href=/pos/cafe?b=11x2").text(), "Add more items", "link reads")
	})
}

func TestAnOrderNeedsATableOrAName(t *testing.T) {
	t.Parallel()
	t.Run("a table is named and no name is asked for (POS-17)", func(t *testing.T) {
		t.Parallel()
		form := render(t, OrderPage(orderOf("5"))).one(t, "form")
		if got := form.one(t, "p", "class=seat").text(); got != "Table 5" || len(form.all("label")) > 0 {
			t.Errorf("%q with %d fields", got, len(form.all("label")))
		}
	})
	t.Run("without a table a name is asked for (POS-18)", func(t *testing.T) {
		t.Parallel()
		order := orderOf("")
		order.NameField.Value = "Ann"
		form := render(t, OrderPage(order)).one(t, "form")
		form.one(t, "input", "name=name", "id=name", "value=Ann")
		check.Equal(t, form.one(t, "label", "for=name").text(), "Please provide a name for the order", "label")
	})
	t.Run("a missing name is listed on top and said under its field (POS-18)", func(t *testing.T) {
		t.Parallel()
		order := orderOf("")
		order.NameField.Problem = props.NameMissing
		page := render(t, OrderPage(order))
		check.Equal(t, page.one(t, "div", "id=problems", "role=alert").one(t, "a", "href=#name").text(), props.NameMissing, "summary")
		page.one(t, "input", "id=name", "aria-invalid=true", "aria-describedby=name-problem")
		check.Equal(t, page.one(t, "p", "id=name-problem").text(), props.NameMissing, "problem")
	})
}

func TestOrderSubmitLabel(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]bool{"Proceed to Payment (POS-20)": true, "Test Payment (POS-21)": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			order := orderOf("5")
			order.Frame.Merchant.Live = live
			want, _, _ := strings.Cut(name, " (")
			check.List(t, texts(render(t, OrderPage(order)).all("button", "class=wide")), []string{want}, "button")
		})
	}
}

func TestOrderOfNothing(t *testing.T) {
	t.Parallel()
	order := orderOf("5")
	order.Lines = nil
	page := render(t, OrderPage(order))
	check.Empty(t, page.all("form"), "an empty basket can be submitted")
	page.one(t, "div", "class=state").one(t, "a", "href=/pos/cafe?b=11x2")
}

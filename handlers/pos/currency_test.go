package pos_test

import (
	"net/http"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestPricesAreInTheShopsCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, shop := range []struct{ code, currency, price, sign string }{
		{"panezski", "GBP", `<p class="price">£5.50</p>`, "£"},
		{"moollar", "NZD", `<p class="price">$`, "$"},
		{"sabona", "CHF", "<p class=\"price\">CHF\u00a0", "CHF\u00a0"},
		{"tahbella", "AUD", `<p class="price">$`, "$"},
	} {
		dbtest.Exec(t, app.Pool, "UPDATE shop SET currency = $2 WHERE code = $1", shop.code, shop.currency)
		v, body := app.Visit(t, "/pos/"+shop.code), app.Get(t, "/pos/"+shop.code).Body
		check.Contains(t, body, shop.price, "POS-10 the menu of %s", shop.code)
		check.Contains(t, body, `data-basket="total">`+shop.sign+"0.00", "POS-10 the menu of %s", shop.code)
		check.Contains(t, body, `"sign":"`+shop.sign+`"`, "the scripts of %s do not know %s", shop.code, shop.sign)
		if shop.sign != "$" {
			v.HasNot("$")
		}
	}
}

func TestAnOrderInPounds(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET currency = 'GBP' WHERE code = 'panezski'")
	v := app.Visit(t, "/pos/panezski?t=4").Press("Choose Iced Latte").Has("£6.50", "+£0.90").HasNot("$")
	v.Shows("form", "data-sign=£")
	v = app.Visit(t, "/pos/panezski?t=4").Press("Add Butter Croissant").Press("Add Butter Croissant").Has("£11.00").HasNot("$")
	v.Press("View Order").Has("£11.00", "Total £11.00").HasNot("$")
	dbtest.PublishMenu(t, app.Pool, "UPDATE item SET price_minor = 600 WHERE name = 'Butter Croissant'")
	v.Press("Test Payment").Has("The total is now £12.00", "Total £12.00").HasNot("$")
	v.Press("Test Payment").Has("Butter Croissant × 2 12.00 GBP", "Pay 12.00 GBP").HasNot("$", "£")

	answer := app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "order": []map[string]any{{"name": "Butter Croissant", "qty": 2}}, "table": "4", "amount": "11.00",
	})
	answer.Want(t, http.StatusConflict, "another price by the API", "The order now costs £12.00.")
}

package pos_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestAPaidOrderHasANumberOfItsDay(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	first := paid(t, app, "5")
	for _, step := range []struct {
		name, change string
		want         int
	}{
		{"the second of a day", "", 2},
		{"the first of real payments", "UPDATE shop SET live = true WHERE code = 'panezski'", 1},
		{"the next test order", "UPDATE shop SET live = false WHERE code = 'panezski'", 3},
		{"the first of the next day", "UPDATE shop_day SET day = day - 1", 1},
		{"one of a business whose time zone nobody knows", "UPDATE shop SET time_zone = 'Moon/Base'", 2},
	} {
		if step.change != "" {
			dbtest.Exec(t, app.Pool, step.change)
		}
		no := apptest.JSON[struct{ OrderNo int }](t, app.Get(t, "/api/pos/panezski/"+paid(t, app, "6"))).OrderNo
		check.MustEqual(t, no, step.want, "%s", step.name)
	}
	app.Visit(t, screen).Has("No. 3 · Table 6")
	app.Post(t, screen, url.Values{"done": {first + " Bar"}}).Want(t, http.StatusSeeOther, "a tap")
	app.Visit(t, screen).Has("No. 1 · Table 5 1 item")
	app.Visit(t, "/pos/panezski/"+first).Has("No. 1 · Table 5").Follow("Receipt").Has("Order No. 1")
}

func TestTheDeskFindsTheOrderOfTodayWithANumber(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	payment := func() string { return "/desk/panezski/payments/" + paid(t, app, "5") }
	yesterdays := payment()
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - interval '1 day'")
	dbtest.Exec(t, app.Pool, "UPDATE shop_day SET day = day - 1")
	first, second := payment(), payment()
	app.Visit(t, "/desk/panezski/payments").Has("No. 1 · Table 5", "No. 2 · Table 5")
	app.Visit(t, second).Has("No. 2 · Table 5")
	for find, want := range map[string]string{"1": first, "No. 1": first, "no 2": second, "#2": second} {
		list := app.Get(t, "/desk/panezski/payments?find="+url.QueryEscape(find)).Body
		for _, one := range []string{yesterdays, first, second} {
			check.Equal(t, strings.Contains(list, one), one == want, "a search for %s lists %s", find, one)
		}
	}
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET captured_minor = 100 WHERE transaction_id = $1", strings.TrimPrefix(second,
		"/desk/panezski/payments/"))
	list := app.Get(t, "/desk/panezski/payments?find=1").Body
	check.Contains(t, list, first, "a search for the number 1 or $1")
	check.Contains(t, list, second, "a search for the number 1 or $1")
}

func TestASurchargeAndATipAreNotMade(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE shop SET surcharges = '{1000,1000,1000,1000,1000,1000,1000,1000}', tips = '{5,10,15}'")
	trx := apptest.JSON[struct{ TrxID string }](t, app.PostJSON(t, "/api/pos", map[string]any{
		"merchantId": "panezski", "table": "4", "source": "diy-pos", "tip": "2.50", "order": []map[string]any{{"name": "Cherry Pie", "qty": 1}},
	})).TrxID
	path := "/pos/panezski/" + trx
	unpaid := app.Visit(t, path).Has("Your order 1 item", "Cherry Pie × 1 $9.00", "day surcharge 10% $0.90", "Tip $2.50", "Pay $12.40")
	unpaid.Follow("Change your order").Has("1 item", "$9.00").HasNot("left out")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	app.Visit(t, path).Has("Choose something else").HasNot("Order without it")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = false")

	app.PostJSON(t, "/api/pay", map[string]any{
		"merchantId": "panezski", "trxId": trx, "cardholder": "Ann Lee", "pan": "4111111111111111", "exp": "12/34", "cvc": "123",
	}).Must(t, http.StatusOK, "pay")
	making := app.Visit(t, path)
	check.Equal(t, strings.Count(making.Body, `<section class="place`), 1, "places make the order")
	board := app.Visit(t, screen).Has("1 Cherry Pie").HasNot("Tip", "surcharge")
	check.Equal(t, strings.Count(board.Body, `value="`+trx), 1, "tickets")
	app.Post(t, screen, url.Values{"done": {trx + " Kitchen"}}).Want(t, http.StatusSeeOther, "a tap")
	app.Visit(t, path).Has("Your order is ready", "Tip $2.50").HasNot("left out")
	making.Follow("Receipt").Has("Cherry Pie × 1 $9.00", "day surcharge 10% $0.90", "Tip No GST $2.50")
	app.Visit(t, "/desk/panezski/payments/"+trx).Has("1 × Cherry Pie", "Tip $2.50").HasNot("1 × Tip")
}

package pay_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// orderOf orders one piece of each item and returns the path of its payment page.
func orderOf(t *testing.T, app *apptest.App, items ...string) string {
	t.Helper()
	var lines []map[string]any
	for _, name := range items {
		lines = append(lines, map[string]any{"name": name, "qty": 1})
	}
	made := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "panezski", "order": lines, "table": "4", "description": "Food Order", "source": "diy-pos"})
	return "/pos/panezski/" + apptest.JSON[struct{ TrxID string }](t, made).TrxID
}

func TestNameAndEmailAreKeptAfterADecline(t *testing.T) {
	t.Parallel()
	typed := card("card", declining, "name", "Ann Lee", "email", "ann@example.com")
	for name, pay := range map[string]func(t *testing.T, app *apptest.App, path string) apptest.Answer{
		"without scripts": func(t *testing.T, app *apptest.App, path string) apptest.Answer {
			return app.Post(t, path, typed)
		},
		"with scripts": func(t *testing.T, app *apptest.App, path string) apptest.Answer {
			return app.PostJSON(t, "/api/pay", map[string]any{
				"merchantId": "panezski", "trxId": strings.TrimPrefix(path, "/pos/panezski/"), "cardholder": "Ann Lee", "pan": "4000000000000002",
				"exp": "12/34", "cvc": "987", "cEmail": "ann@example.com",
			}, "Idempotency-Key", "one")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
			path := orderOf(t, app, "Butter Croissant")
			answer := pay(t, app, path)
			if cookie := strings.Join(answer.Header["Set-Cookie"], "\n"); !strings.Contains(cookie, "Path="+path+";") || !strings.Contains(cookie, "HttpOnly") {
				t.Errorf("the cookie is not limited to this page: %q", cookie)
			}
			v := app.Visit(t, path).Press("Try Again?")
			for range 2 { // and after a reload
				check.Equal(t, v.Value("name"), "Ann Lee", "the form keeps the name")
				check.Equal(t, v.Value("email"), "ann@example.com", "the form keeps the name")
				if v.Value("card") != "" || v.Value("cvc") != "" || v.Value("exp") != "" {
					t.Error("the form keeps a part of the card")
				}
				v = app.Visit(t, path)
			}
			if other := app.NewPerson(t).Visit(t, path); other.Value("name") != "" || other.Value("email") != "" {
				t.Errorf("another person with this address sees %q, %q", other.Value("name"), other.Value("email"))
			}
			v.Type("card", "4111 1111 1111 1111").Type("exp", "12/34").Type("cvc", "123").Press("Pay $5.50")
			check.Equal(t, state(v), "success", "after the payment the page is")
			check.Contains(t, strings.Join(v.Header["Set-Cookie"], ""), "Max-Age=0", "after the payment the page is")
			email := dbtest.Value[string](t, app.Pool, "SELECT payer_email FROM attempt WHERE state = 'approved'")
			check.Equal(t, email, "ann@example.com", "the receipt goes to")
		})
	}
}

func TestAnAddressCannotPutWordsOnThePage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := orderOf(t, app, "Butter Croissant")
	for _, query := range []string{"wrong=card+stolen", "wrong=", "wrong=name", "refused=evil", "refused=card&minutes=999999", "refused=declines&minutes=-5", "refused=declines&minutes=x"} {
		v := app.Visit(t, path+"?"+query).HasNot("stolen", "evil", "999", "-5", "There is a problem")
		check.Equal(t, state(v), "form", "%s", query)
	}
	app.Visit(t, path+"?refused=card&minutes=5").Has("This card was declined too often", "another card", "in 5 minutes")
}

func TestSoldOutAtPaymentLeadsToTheRestOfTheOrder(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := orderOf(t, app, "Flat White", "Butter Croissant", "Cherry Pie")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'")
	v := app.Visit(t, path).Has("Butter Croissant sold out in the meantime", "Nothing was charged").HasNot("Pay $")
	check.MustEqual(t, state(v), "unavailable", "the page")
	v.Follow("Order without it").Has("2 items", "$")
	for name, want := range map[string]string{"Flat White": "1", "Cherry Pie": "1", "Butter Croissant": "0"} {
		id := dbtest.Value[int64](t, app.Pool, "SELECT id FROM item WHERE name = $1 AND shop_code = 'panezski'", name)
		if field := v.Find("input", fmt.Sprint("name=qty.", id)); want != "0" && (field == nil || v.Value(fmt.Sprint("qty.", id)) != want) {
			t.Errorf("%s of %s is not chosen", want, name)
		} else if want == "0" && field != nil && v.Value(fmt.Sprint("qty.", id)) != "0" {
			t.Errorf("%s is chosen", name)
		}
	}
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = false")
	check.Equal(t, state(app.Visit(t, path)), "form", "once the items are back on sale, the page")
	pie := app.Visit(t, orderOf(t, app, "Cherry Pie"))
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	app.Visit(t, pie.Path).Has("Cherry Pie sold out").HasNot("without it").Follow("Choose something else").Has("0 items")
}

func TestOrderAgainSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := orderOf(t, app, "Flat White", "Butter Croissant", "Cherry Pie")
	paid(t, app, strings.TrimPrefix(path, "/pos/panezski/"), "completed", time.Hour)
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'")
	dbtest.Exec(t, app.Pool, "UPDATE item SET available = false WHERE name = 'Cherry Pie'")
	app.Visit(t, path).Has("Butter Croissant and Cherry Pie cannot be ordered right now and are left out.").Follow("Order Again").Has("1 item")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true")
	v := app.Visit(t, path).Has("Flat White, Butter Croissant and Cherry Pie cannot be ordered right now").Follow("Order Again")
	v.Want(t, http.StatusOK, "with no item left it leads to")
	check.Equal(t, v.Path, "/pos/panezski?t=4", "with no item left the link has no basket (PAY-41); it leads to")
}

func TestTheFormLeadsBackToTheOrder(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	path := orderOf(t, app, "Flat White", "Butter Croissant")
	v := app.Visit(t, path).Follow("Change your order").Has("2 items", "Table 4")
	address, err := url.Parse(v.Path)
	if err != nil || address.Query().Get("o") != strings.TrimPrefix(path, "/pos/panezski/") {
		t.Errorf("%s does not name the order, %v", v.Path, err)
	}
}

func TestWhatADeclineSays(t *testing.T) {
	t.Parallel()
	for number, tt := range map[string]struct{ has, hasNot string }{
		declining:             {"Your bank declined the card. No money was taken. Oops!", "did not reach"},
		"4000 0000 0000 9995": {"There is not enough money on this card. No money was taken. Oops!", "did not reach"},
		"4000 0000 0000 0069": {"This card has expired. No money", "did not reach"},
		"4000 0000 0000 0119": {"The payment did not reach your bank, so nothing is wrong with your card. No money was taken.",
			"Your bank declined"},
	} {
		t.Run(number, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			path := orderOf(t, app, "Butter Croissant")
			app.Post(t, path, card("card", number))
			ends(t, app, path, "failure", 0)
			app.Visit(t, path).Has(tt.has, "No money was taken.", "Please select different payment method.").HasNot(tt.hasNot)
		})
	}
}

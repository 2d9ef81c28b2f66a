package desk_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// The team of a café can place its test order at night, while guests have to wait until it opens.
func TestTheTeamTriesItsMenuAtAnyHourInTestMode(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	guest := app.NewPerson(t)
	app.SignIn(t)
	day := func(n int) string { return time.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	closed := day(-1) + " closed; " + day(0) + " closed; " + day(1) + " closed; " + day(2) + " 07:30-11:00"
	run(t, app, "UPDATE shop SET hours = '"+closed+"'")
	run(t, app, "UPDATE item SET sold_out = true WHERE shop_code = 'panezski' AND name = 'Cherry Pie'")
	const shut = "You can look at the menu, but you cannot order now: it opens "
	apptest.Eventually(t, shut, func() bool { return strings.Contains(app.Get(t, "/pos/panezski").Body, shut) })
	apptest.Eventually(t, "the owner of a menu in test mode reads where to try it, guests of a live one do not", func() bool {
		live := guest.Get(t, "/pos/tahbella").Body
		return strings.Contains(guest.Get(t, "/pos/panezski").Body, "Open the menu from your desk") && strings.Contains(live, shut) && !strings.Contains(live, "your desk")
	})
	app.Visit(t, "/desk/panezski")
	const words = "so you can order now. Guests see that it opens "
	tried := app.Visit(t, "/pos/panezski?t=4").Has("You are trying your menu in test mode, "+words, "Sold out").HasNot(shut, "Opens ")
	paying := tried.Press("Add Flat White").Press("View Order").HasNot("not available").Press("Test Payment")
	if paying.Status != http.StatusOK || paying.Find("input", "name=card") == nil {
		t.Errorf("the team cannot place its order: %d at %s", paying.Status, paying.Path)
	}
	app.Visit(t, paying.Path).Follow("Change your order").Has("1 item", words)
	declined := app.Visit(t, paying.Path).Type("card", "4000 0000 0000 0002").Type("exp", "12/40").Type("cvc", "123").Press("Pay $4.90").Has("Try Again?")
	if declined.Follow("Change your order").Has("1 item", words); declined.Path == paying.Path {
		t.Error("a declined order does not lead back to the menu")
	}
	app.Visit(t, paying.Path).Press("Try Again?")
	if again := app.Visit(t, paying.Path); again.Find("input", "name=card") == nil {
		t.Error("the team cannot try its order again")
	}
	check.Lacks(t, guest.Visit(t, paying.Path).Follow("Change your order").Body, words,
		"a guest with the order's address can try the menu, too")
	made := func(by *apptest.App, shop, item string) int {
		return by.PostJSON(t, "/api/pos", map[string]any{
			"merchantId": shop, "name": "Ann", "source": "diy-pos", "order": []map[string]any{{"name": item, "qty": 1}},
		}).Status
	}
	for _, one := range []struct {
		who        string
		by         *apptest.App
		shop, item string
		want       int
	}{
		{"the team", app, "panezski", "Butter Croissant", http.StatusCreated},
		{"the team, what is sold out", app, "panezski", "Cherry Pie", http.StatusConflict},
		{"a guest", guest, "panezski", "Butter Croissant", http.StatusConflict},
		{"the team of another business", app, "moollar", nameOf(t, app, "moollar"), http.StatusConflict},
	} {
		check.Equal(t, made(one.by, one.shop, one.item), one.want, "%s", one.who)
	}
	guest.Visit(t, "/pos/panezski?t=4").Has(shut).HasNot(words)

	run(t, app, "UPDATE shop SET live = true WHERE code = 'panezski'")
	apptest.Eventually(t, "a live menu", func() bool { return !strings.Contains(app.Get(t, "/pos/panezski").Body, words) })
	check.Equal(t, made(app, "panezski", "Butter Croissant"), http.StatusConflict, "a live menu sells outside its hours")
}

// nameOf returns an item of a business without options.
func nameOf(t *testing.T, app *apptest.App, shop string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT name FROM item WHERE shop_code = $1 AND NOT sold_out AND available ORDER BY id LIMIT 1", shop)
}

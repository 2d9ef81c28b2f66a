package pos_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// alter changes a menu and waits until guests see it.
func alter(t *testing.T, app *apptest.App, statement, seen string) {
	t.Helper()
	alterItem(t, app, "/pos/panezski", statement, seen)
}

// alterItem is alter for what the page of an item shows.
func alterItem(t *testing.T, app *apptest.App, path, statement, seen string) {
	t.Helper()
	dbtest.Exec(t, app.Pool, statement)
	apptest.Eventually(t, seen, func() bool { return strings.Contains(app.Get(t, path).Body, seen) })
}

func TestAClosedItemSaysWhenItOpens(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	made := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order").Has("Cherry Pie", "$9.00")
	sydney, err := time.LoadLocation("Australia/Sydney")
	check.Must(t, err)
	today := time.Now().In(sydney)
	closed := today.AddDate(0, 0, -1).Format(time.DateOnly) + " closed; " + today.Format(time.DateOnly) + " closed; " +
		today.AddDate(0, 0, 1).Format(time.DateOnly) + " 07:30-11:00"
	const words = "pens tomorrow at 7:30 am"
	alter(t, app, "UPDATE item SET hours = '"+closed+"' WHERE shop_code = 'panezski' AND name = 'Cherry Pie'", "O"+words)
	v := app.Visit(t, "/pos/panezski?t=4").Has("O" + words).HasNot("You can look at the menu")
	v.Hides("button", "aria-label=Add Cherry Pie")
	const sentence = "Cherry Pie is not available now. It o" + words + "."
	made.Press("Test Payment").Has(sentence+" Please remove it to go on.", "Not available now: o"+words).HasNot("No longer available")
	check.Equal(t, made.Status, http.StatusConflict, "ordering a closed item")
	order := map[string]any{"merchantId": "panezski", "table": "4", "source": "diy-pos", "order": []map[string]any{{"name": "Cherry Pie", "qty": 1}}}
	var refused struct {
		Error  string
		Items  []string
		Closed map[string]string
	}
	got := app.PostJSON(t, "/api/pos", order)
	check.Must(t, json.Unmarshal([]byte(got.Body), &refused), "the API does not refuse the order")
	got.Want(t, http.StatusConflict, "the API does not refuse the order")
	if refused.Error != sentence || !slices.Equal(refused.Items, []string{"Cherry Pie"}) || len(refused.Closed) != 1 || !strings.Contains(got.Body, sentence) {
		t.Errorf("the API says %s", got.Body)
	}
	check.Contains(t, app.Get(t, "/pos/panezski?t=4").Body, sentence, "the menu page does not hold the sentence for the order's sheet")
	alter(t, app, "UPDATE item SET available = false WHERE shop_code = 'panezski' AND name = 'Cherry Pie'", "Flat White")
	apptest.Eventually(t, "an item that was taken off the menu never opens", func() bool {
		body := app.PostJSON(t, "/api/pos", order).Body
		return strings.Contains(body, "not available: Cherry Pie") && !strings.Contains(body, "opens")
	})
	alter(t, app, "UPDATE item SET available = true WHERE shop_code = 'panezski' AND name = 'Cherry Pie'", "Cherry Pie")
	alter(t, app, "UPDATE shop SET hours = '"+closed+"' WHERE code = 'panezski'", "You can look at the menu, but you cannot order now: it o"+words+".")
	alter(t, app, "UPDATE shop SET hours = ''; UPDATE item SET hours = ''; UPDATE category SET hours = '"+closed+"' WHERE name = 'From the oven'", "O"+words)
	dbtest.Exec(t, app.Pool, "UPDATE category SET hours = ''; UPDATE item SET sold_out = true, sold_out_until = now() + interval '1 hour' WHERE name = 'Cherry Pie'")
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusConflict, "an order of an item sold out for an hour")
	dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out_until = now() - interval '1 second' WHERE name = 'Cherry Pie'")
	apptest.Eventually(t, "the pie is back", func() bool { return app.PostJSON(t, "/api/pos", order).Status == http.StatusCreated })
	id := dbtest.Value[string](t, app.Pool, "SELECT id FROM transaction WHERE status = 'new' ORDER BY created_at DESC LIMIT 1")
	app.Post(t, "/pos/panezski/"+id, url.Values{"name": {"Ann Lee"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "key": {"k"}})
	check.Equal(t, len(app.Captures(t, id)), 1, "captures of an order of an item back on sale")
}

// From the page before the happy hour, or after it, a guest is told what the order costs now.
func TestAHappyHourShowsBothPricesAndChargesTheOneOfTheMoment(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	before := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Press("View Order").Has("Cherry Pie", "$9.00")
	sydney, err := time.LoadLocation("Australia/Sydney")
	check.Must(t, err)
	end := time.Now().In(sydney).AddDate(0, 0, 2)
	dbtest.Exec(t, app.Pool, "UPDATE item SET other_price_minor = 700 WHERE shop_code = 'panezski' AND name = 'Cherry Pie'")
	happy := ""
	for n := range 3 {
		happy += "; " + end.AddDate(0, 0, n-2).Format(time.DateOnly) + " 00:00-24:00"
	}
	const closed = "Mon 00:00-00:01" // is what a date's own hours replace
	alter(t, app, "UPDATE category SET other_hours = '"+closed+happy+"; "+end.AddDate(0, 0, 1).Format(time.DateOnly)+
		" closed' WHERE shop_code = 'panezski'", "<s>")
	v := app.Visit(t, "/pos/panezski?t=4").Has("$7.00 usually $9.00 until " + end.AddDate(0, 0, 1).Format("Monday") + " at 12:00 am")
	check.Contains(t, v.Body, `"priceMinor":700`, "the price for the script")
	before.Press("Test Payment").Has("$7.00")
	check.Equal(t, before.Status, http.StatusConflict, "an order at the price of before")
	v.Press("Add Cherry Pie").Press("View Order").Has("Cherry Pie", "$7.00").Press("Test Payment").Has("Pay $7.00")
}

// The options of an item count, too. An allergen that every choice has rules the item out; one that a choice avoids is named.
func TestTheFilterCountsOptions(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	const latte, without = "/pos/panezski?t=4&f=milk", "Suits you, but not with Full cream or Skim."
	shown := func(name string) bool { return strings.Contains(app.Get(t, latte).Body, ">"+name+"</button>") }
	if !shown("Iced Latte") || shown("Hot Chocolate") {
		t.Error("the list lacks the latte, which has other milks, or has the chocolate, which may contain milk anyway")
	}
	row := app.Visit(t, latte).Has(without)
	sheet := row.Press("Choose Iced Latte").Has(without, "Full cream Contains milk Does not match your filter", "Oat Contains gluten +$0.80")
	if input := `value="` + idOf(t, app, "option_choice", "Full cream") + `" data-price="0" checked`; strings.Contains(app.Get(t, sheet.Path).Body, input) ||
		!strings.Contains(app.Get(t, strings.TrimSuffix(strings.ReplaceAll(sheet.Path, "f=milk", ""), "&")).Body, input) {
		t.Error("milk is preset for a guest who asked for none")
	}
	item := "/pos/panezski/item/" + idOf(t, app, "item", "Iced Latte")
	alterItem(t, app, item, "UPDATE option_choice SET sold_out = true WHERE name IN ('Oat', 'Almond')",
		"Contains milk. May contain gluten, tree nuts.")
	if shown("Iced Latte") {
		t.Error("the latte is listed although only milk is left")
	}
	alterItem(t, app, item, "UPDATE option_choice SET allergens_known = false, contains = '{}' WHERE name IN ('Full cream', 'Skim')",
		"Ask us about the options.")
	if app.Visit(t, latte).Has("hidden because the allergens are not listed."); shown("Iced Latte") {
		t.Error("the latte is listed although nobody knows what the remaining milks contain")
	}
	// Choices have allergens but no diets, so the filter cannot know that bacon rules an item out.
	const unsure = "What you choose with an item may not suit. Ask us if you are not sure."
	app.Visit(t, "/pos/panezski?f=vegetarian").Has("Flat White", unsure)
	app.Visit(t, "/pos/panezski?f=celery").Has("Flat White").HasNot(unsure)
	app.Visit(t, item).Has("Full cream Ask us about allergens")
}

func TestAGuestFindsSuitableItems(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE item SET allergens_known = false, contains = '{}', may_contain = '{}', diets = '{}' WHERE shop_code = 'panezski'")
	apptest.Eventually(t, "a menu that states no allergens", func() bool { return !strings.Contains(app.Get(t, "/pos/panezski").Body, "Contains ") })
	app.Visit(t, "/pos/panezski").Has("Ask us about allergens").HasNot("Allergens and Diets")
	alter(t, app, `UPDATE item SET allergens_known = true, contains = '{milk,wheat}', may_contain = '{nuts}', diets = '{vegetarian}' WHERE shop_code = 'panezski' AND name = 'Cherry Pie'`,
		"Contains milk, wheat. May contain tree nuts<")
	alter(t, app, `UPDATE item SET allergens_known = true, diets = '{vegetarian,vegan}'
		WHERE shop_code = 'panezski' AND name = 'Butter Croissant'`, "No listed allergens<")
	for query, want := range map[string]struct {
		shown, hidden []string
	}{
		"f=nuts": {[]string{"Butter Croissant", "1 of 40 items. 38 are hidden because the allergens are not listed."},
			[]string{">Cherry Pie</button>"}},
		"f=gluten":         {[]string{"Butter Croissant"}, []string{">Cherry Pie</button>"}},
		"f=egg":            {[]string{"Butter Croissant", ">Cherry Pie</button>", "2 of 40 items."}, nil},
		"f=vegetarian":     {[]string{">Cherry Pie</button>", "2 of 40 items."}, []string{"are hidden because"}},
		"f=vegan":          {[]string{"1 of 40 items."}, []string{">Cherry Pie</button>", "What you choose"}},
		"f=halal":          {[]string{"Nothing matches", "0 of 40 items."}, []string{"<h3>"}},
		"f=nonsense&f=<b>": {[]string{">Cherry Pie</button>"}, []string{"of 40 items"}},
	} {
		body := app.Get(t, "/pos/panezski?t=4&"+query).Body
		for _, text := range want.shown {
			check.Contains(t, body, text, "%s lacks", query)
		}
		for _, text := range want.hidden {
			check.Lacks(t, body, text, "%s", query)
		}
	}
	v := app.Visit(t, "/pos/panezski?t=4").Press("Add Cherry Pie").Tick("f", "vegan").Press("Show").Has("Vegan: 1 of 40 items. Show everything", "Table 4")
	// The browser moves the focus to the target of the form's address. The filter form is closed and out of the way.
	if action := v.Find("form", "action=/pos/panezski#shown"); action == nil ||
		v.Find("div", "id=shown", "tabindex=-1") == nil || strings.Contains(v.Body, `<details class="disclosure filter" open`) {
		t.Error("the filter form does not lead to the result, or stays open")
	}
	app.Visit(t, "/pos/panezski?f=nuts&f=milk&f=vegan").Has("Without milk, without tree nuts, vegan: ")
	v.Press("View Order").Has("Cherry Pie", "$9.00")
}

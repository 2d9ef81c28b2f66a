package desk_test

import (
	"bytes"
	"fmt"
	"math"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/menu"
)

// shopOf makes a business without a menu.
func shopOf(t *testing.T, app *apptest.App, email string) {
	t.Helper()
	withMerchant(t, app, email, "Ann's Apples")
	app.Visit(t, "/desk").Follow("Ann's Apples").Type("code", "anns").Press("Create business")
}

func TestAMenuIsMadePublishedAndSeenByAGuest(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	v := app.Visit(t, "/desk/anns").Follow("Make your menu").Has("Start your menu")
	v.Type("name", "Fruit").Press("Add category").Has("Saved in the draft.", "Fruit")
	v.Follow("Add options").Type("name", "Size").Type("choices.0.name", "Small").
		Type("choices.1.name", "Large").Type("choices.1.priceMinor", "a lot")
	v.Press("Add options").Has("Enter a price like 4.50.")
	if v.Status != http.StatusUnprocessableEntity || v.Value("choices.0.name") != "Small" || v.Value("choices.1.priceMinor") != "a lot" {
		t.Errorf("the form lost what was typed: %d", v.Status)
	}
	v.Type("choices.1.priceMinor", "0.50").Tick("choices.2.preset", "on").Press("Add options").Has("Enter a name for the choice.")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "a row of which only the name is missing")
	v.Follow("Menu").Follow("Add options").Type("name", "Size").Type("choices.0.name", "Small").Type("choices.1.name", "Large").
		Type("choices.1.priceMinor", "0.50").Press("Add options").Has("choose one of 2, 0 items")
	v.Follow("Add an item to Fruit").Type("name", "Apple").Type("priceMinor", "").Press("Add item").Has("Enter a price, or 0 for a free item.")
	v.Type("priceMinor", "€1.50").Press("Add item").Has("like 4.50")
	check.Equal(t, v.Value("priceMinor"), "€1.50", "a price in another currency")
	group := v.Find("input", "name=groups")
	if group == nil {
		t.Fatal("the group is not offered")
	}
	v.Type("priceMinor", "$1.50").Type("hours", "whenever").Tick("groups", attrOf(group, "value")).Press("Add item").Has("“whenever”: Write the days and then the times, such as Mon-Fri 7am-3pm.")
	v.Type("hours", "daily 7-11").Press("Add and enter another").Has("New item", "Saved in the draft.")
	v.Type("name", "Pip").Type("priceMinor", "0").Press("Add item").Has("Apple", "$1.50", "Pip", "Free")
	v.Follow("Preview").Has("This is a preview of your draft.", "Apple", "Pip")
	check.Empty(t, app.Visit(t, "/pos/anns").Texts("h3"), "a guest sees the draft after its preview")
	check.Equal(t, app.Post(t, "/desk/anns/menu/preview", url.Values{"add": {"1"}}).Location, "/desk/anns/menu/preview",
		"a button of the preview leads to")
	v.Follow("Back to your menu").Hides("button", "name=up")
	v.Follow("Reorder").Press("Move Pip up").Follow("Done").Follow("Publish").Has("New category: Fruit", "New item: Apple",
		"New set of options: Size")
	v.Press("Publish").Has("Published. Guests see this menu now.", "Everything is published")
	v = app.Visit(t, "/desk/anns").Has("Menu : done")
	v.Follow("Open").Has("See it as a guest")
	apptest.Eventually(t, "a guest sees both items", func() bool { // a menu is cached for half a second
		return strings.Join(app.Visit(t, "/pos/anns").Texts("h3"), " ") == "Pip Apple"
	})
	v.Follow("Apple").Type("name", "").Type("priceMinor", "a lot").Press("Save").Want(t, http.StatusUnprocessableEntity, "no name")
	check.Contains(t, v.Body, `aria-label="What guests see">`, "after an error the card of an item")
	check.Contains(t, v.Body, `data-says="name">Apple<`, "the card's name")
	check.Contains(t, v.Body, `data-says="priceMinor">$1.50<`, "the card's price")
	v.Type("name", "Big Apple").Type("priceMinor", "1.50").Press("Save").Has("Draft · 1 change", "Apple → Big Apple")
	v.Follow("Publish").Press("Publish")
	apptest.Eventually(t, "a guest sees the second version", func() bool {
		return strings.Join(app.Visit(t, "/pos/anns").Texts("h3"), " ") == "Pip Big Apple"
	})
	v.Follow("Versions").Has("Version 2", "Guests see this", "Version 1").Press("Bring back version 1").
		Has("That version is now your draft.", "Apple: name Big Apple → Apple")
	check.Equal(t, strings.Join(app.Visit(t, "/pos/anns").Texts("h3"), " "), "Pip Big Apple", "before anybody published, a guest sees")
	v.Press("Publish").Has("Published.")
	apptest.Eventually(t, "a guest sees the earlier version", func() bool {
		return strings.Join(app.Visit(t, "/pos/anns").Texts("h3"), " ") == "Pip Apple"
	})
	audit := dbtest.Value[string](t, app.Pool,
		`SELECT string_agg(actor || ' ' || action || ' ' || reason, E'\n' ORDER BY id) FROM audit WHERE subject = 'shop anns' AND action <> 'shop made'`)
	for _, want := range []string{"ann@example.com menu draft changed Apple added", "menu draft changed Big Apple: name", "menu published version 2", "menu version brought back version 1\n"} {
		check.Contains(t, audit, want, "the audit log lacks")
	}
}

func attrOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestTwoEditorsOfOneItem(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	bob := app.NewPerson(t).SignUp(t, "bob@example.com")
	dbtest.Exec(t, app.Pool,
		"INSERT INTO shop_member (shop_code, account_id, role) SELECT 'anns', id, 'manager' FROM account WHERE email = 'bob@example.com'")
	app.Visit(t, "/desk/anns/menu").Press("Start from an example").Has("Flat White", "Smashed Avocado")
	edit := func(who *apptest.App, name string) *apptest.Visitor {
		return who.Visit(t, "/desk/anns/menu").Follow(name)
	}

	one, two, other := edit(app, "Flat White"), edit(bob, "Flat White"), edit(bob, "Long Black")
	one.Type("priceMinor", "5.10").Press("Save").Has("Saved in the draft.")
	other.Type("priceMinor", "5.20").Press("Save").Has("Saved in the draft.")
	two.Type("priceMinor", "6.00").Type("description", "Hot").Press("Save").
		Has("This item was changed meanwhile", "ann@example.com saved a change", "Price $5.10 $6.00", "Description Double shot, silky milk. Hot", "Keep what is saved")
	two.Want(t, http.StatusConflict, "what was typed is lost")
	check.Equal(t, two.Value("priceMinor"), "6.00", "what was typed is lost")
	two.Press("Save mine").Has("Saved in the draft.").Follow("Flat White").Has("Hot")
	check.Equal(t, two.Value("priceMinor"), "6.00", "the price")

	one, two = edit(app, "Flat White"), edit(app, "Flat White")
	one.Type("name", "Latte").Press("Save")
	two.Press("Remove Flat White").Has("You yourself, in another window, changed this item on", "so it was not removed")
	two.Want(t, http.StatusConflict, "the page does not show how it is now")
	check.Equal(t, two.Value("name"), "Latte", "the page does not show how it is now")
	one = edit(bob, "Latte")
	two.Press("Remove Latte").Has("Removed from the draft.").HasNot("Latte")
	one.Type("priceMinor", "7.00").Press("Save").Has("This item was removed meanwhile", "ann@example.com removed it", "Leave it removed").HasNot("Remove Latte")
	check.Equal(t, one.Value("priceMinor"), "7.00", "what was typed is lost")
	one.Press("Put it back").Has("Saved in the draft.", "Latte", "$7.00")

	one, two = edit(app, "Size"), edit(bob, "Size")
	one.Type("name", "Cup").Press("Save")
	two.Type("name", "Mug").Press("Add a row").Press("Save").
		Has("This set of options was changed meanwhile", "Name Cup Mug").Press("Save mine")
	one, two = edit(app, "Edit Coffee"), edit(bob, "Edit Coffee")
	one.Type("hours", "Mon 7am-3pm").Press("Save")
	two.Type("name", "Hot drinks").Press("Save").Has("This category was changed meanwhile", "Hours Mon 07:00-15:00 Always").Press("Save mine")
	two.Has("Saved in the draft.", "Hot drinks", "Mug").HasNot("Mon 07:00")
	one, two = edit(bob, "Edit Hot drinks"), edit(bob, "Edit Hot drinks")
	edit(app, "Tea").Type("priceMinor", "9").Press("Save")
	one.Type("name", "Warm drinks").Press("Save").Has("Saved in the draft.") // a change of an item does not keep its category from a new name
	two.Press("Remove Hot drinks").Has("changed this category or its items on", "so it was not removed").Press("Remove Warm drinks").
		HasNot("Warm drinks")
}

func TestACategoryHasAHappyHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	app.Visit(t, "/desk/anns/menu").Press("Start from an example").Follow("Publish").Press("Publish")
	v := app.Visit(t, "/desk/anns/menu").Follow("Flat White").HasNot("Happy hour price").Follow("Menu").Follow("Edit Coffee")
	v.Type("otherHours", "sometimes").Press("Save").Has("“sometimes”: Write the days and then the times", " sometimes ")
	v.Type("otherHours", "24/7").Press("Save").Has("happy hour Mon-Sun 00:00-24:00", "happy hour Never → Mon-Sun 00:00-24:00")
	v.Follow("Flat White").Has("Happy hour price in AUD (optional)", "At Mon-Sun 00:00-24:00. Leave it empty for the usual price.")
	v.Type("otherPriceMinor", "cheap").Press("Save").Has("Enter a price like 4.50.")
	check.Equal(t, v.Value("otherPriceMinor"), "cheap", "what was typed")
	v.Type("otherPriceMinor", "4").Press("Save").Has("happy hour price The same → $4.00").
		Follow("Publish").Has("happy hour price The same → $4.00").Press("Publish")
	apptest.Eventually(t, "guests see both prices", func() bool { return strings.Contains(app.Get(t, "/pos/anns").Body, "</s>") })
	v = app.Visit(t, "/desk/anns/menu").Follow("Flat White")
	check.Equal(t, v.Value("otherPriceMinor"), "4.00", "the field of the price")
	v.Type("name", "Latte").Press("Save").Follow("Edit Coffee").Type("otherHours", "").Press("Save")
	v.Follow("Latte").HasNot("Happy hour price").Type("description", "Hot").Press("Save").
		Follow("Edit Coffee").Type("otherHours", "Fri 4pm-6pm").Press("Save")
	check.Equal(t, v.Follow("Latte").Value("otherPriceMinor"), "4.00", "a price outlives a time without a happy hour")
	v.Type("otherPriceMinor", "").Press("Save").Follow("Latte")
	check.Equal(t, v.Value("otherPriceMinor"), "", "no price any more")
}

func TestTheStudioShowsTheShopsCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET currency = 'GBP' WHERE code = 'anns'")
	app.Visit(t, "/desk/anns/menu").Press("Start from an example").Follow("Publish").Press("Publish")
	v := app.Visit(t, "/desk/anns/menu").Has("£").HasNot("$")
	v.Follow("Flat White").Type("priceMinor", "5.10").Press("Save").Has("→ £5.10").HasNot("$")
	v.Follow("Size").Type("choices.0.priceMinor", "-0.60").Press("Save").Has("Small −£0.50", "Small −£0.60").HasNot("$")
	v.Follow("Publish").Has("→ £5.10", "Small −£0.60").HasNot("$")
	app.Visit(t, "/desk/anns/menu/preview").Has("£5.10").HasNot("$")
	file := []byte("category,name,price\nCoffee,Flat White,7.25\n")
	got := importFile(t, app, "/desk/anns/menu/import", "add", file)
	check.Contains(t, got.Body, "→ £7.25", "the import shows no pounds: %d", got.Status)

	one, two := app.Visit(t, "/desk/anns/menu").Follow("Flat White"), app.Visit(t, "/desk/anns/menu").Follow("Flat White")
	one.Type("priceMinor", "5.20").Press("Save")
	two.Type("priceMinor", "6.00").Press("Save").Has("Price £5.20 £6.00").HasNot("$")
}

func TestTheCardOfAnItemSaysWhatItsRowSaysInTheSameOrder(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/desk/panezski/menu").Follow("Butter Croissant").Has("Made at Kitchen", "What guests see").HasNot("Kitchen Kitchen")
	_, card, _ := strings.Cut(v.Body, `aria-label="What guests see"`)
	card, _, _ = strings.Cut(card, "</section>")
	row := regexp.MustCompile(`(?s)Butter Croissant.*Three days in the making.*Contains egg, gluten, milk, wheat\. May contain tree nuts.*\$5\.50`)
	guests, _, _ := strings.Cut(app.Get(t, "/pos/panezski?t=4").Body, "Sourdough Loaf")
	for where, text := range map[string]string{"the card": card, "the menu": guests} {
		check.Equal(t, row.MatchString(text), true, "%s has another order or other words: %s", where, text)
	}
}

func TestItemsOfAnotherShopAreMissing(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	var id, category int64
	var loc string
	const ids = "SELECT (SELECT min(id) FROM item WHERE shop_code = 'moollar'), category_id, loc FROM item WHERE shop_code = 'panezski' LIMIT 1"
	check.Must(t, app.Pool.QueryRow(t.Context(), ids).Scan(&id, &category, &loc))
	path := "/desk/panezski/menu/item/" + strconv.FormatInt(id, 10)
	app.Get(t, path).Want(t, http.StatusNotFound, "another shop's item is shown")
	got := app.Post(t, path, url.Values{"name": {"Stolen"}, "priceMinor": {"1"}, "loc": {loc}, "allergens": {"unknown"}, "category": {strconv.FormatInt(category, 10)}})
	got.Want(t, http.StatusNotFound, "another shop's item is saved")
}

// importFile sends a file to the import page.
func importFile(t *testing.T, app *apptest.App, path, way string, file []byte) apptest.Answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("way", way)
	part, err := form.CreateFormFile("file", "menu")
	check.Must(t, err)
	_, _ = part.Write(file)
	_ = form.Close()
	return app.Do(t, http.MethodPost, path, &body, http.Header{"Content-Type": {form.FormDataContentType()}, "Sec-Fetch-Site": {"same-origin"}})
}

// Excel's plain CSV is in Windows-1252: a menu was published with � in its names.
func TestAnImportSaysWhatItAssumes(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	const path = "/desk/anns/menu/import"
	file := "category;name;price;choice of\rCaf\xe9;Cr\xe8me Caramel;4.50;\r;Small;0;Size\r"
	app.Read(t, path, importFile(t, app, path, "replace", []byte(file))).HasNot("�").Has(
		"Crème Caramel", "We read it as Windows-1252: look at those with accents.",
		"The file does not say where new items are made (column location). We put them at Kitchen.",
		"The file does not say how many to choose of Size (column choose). We took 1.",
		"Import 3 changes into the draft",
	).Press("Import 3 changes into the draft").Has("Crème Caramel").HasNot("�")
	told := "category,name,price,location\nCafé,Tea,4.50,Kitchen\n"
	app.Read(t, path, importFile(t, app, path, "add", []byte(told))).Has("Tea").HasNot("The file does not say")
	const links = "/desk/anns/links/many"
	importFile(t, app, links, "", []byte("amount,description\n5,Caf\xe9\n")).Want(t, http.StatusUnprocessableEntity,
		"links that nobody looks at", "than UTF-8 or UTF-16, perhaps Windows-1252.")
	for file, want := range map[string]string{
		"PK\x03\x04\x14\x00":                   "This file is a spreadsheet, not CSV.",
		"category,name,price\nA,Caf\x81,4\n":   "than UTF-8 or UTF-16, perhaps Windows-1252.",
		"category,name,price\nA,Caf\ufffd,4\n": "Letters were lost when this file was saved",
	} {
		for _, path := range []string{path, links} {
			importFile(t, app, path, "add", []byte(file)).Want(t, http.StatusUnprocessableEntity, "a file that is no text at "+path, want)
		}
	}
}

func TestAPublishedMenuLeavesOnlyWhatWasOrderedOfTheOneBefore(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	app.Order(t)
	ordered := dbtest.Value[int](t, app.Pool, "SELECT count(DISTINCT item_id) FROM order_line WHERE shop_code = 'panezski'")
	for round := range 3 {
		file := fmt.Sprintf("category,name,price,option groups,choice of,choose\n,Small,0,,Size %d,1\nNew %d,Tea %d,4.50,Size %d,,\n", round,
			round, round, round)
		const path = "/desk/panezski/menu/import"
		compared := importFile(t, app, path, "replace", []byte(file))
		form := url.Values{"way": {"replace"}, "text": {hidden(compared.Body, "text")}, "revision": {hidden(compared.Body, "revision")}}
		check.MustEqual(t, app.Post(t, path, form).Location, "/desk/panezski/menu?done=imported", "import")
		app.Visit(t, "/desk/panezski/menu").Follow("Publish").Press("Publish").Has("Published.")
	}
	for table, want := range map[string]int{"item": ordered + 1, "option_group": 1, "option_choice": 1} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM "+table+" WHERE shop_code = 'panezski'"), want, "rows of %s", table)
	}
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM item WHERE shop_code = 'panezski' AND available"), 1,
		"items on the menu")
}

func TestFiveHundredItemsStayQuick(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	var sheet strings.Builder
	sheet.WriteString("category,name,price,allergens,option groups,choice of,choose\n")
	for g := range 60 {
		fmt.Fprintf(&sheet, ",Small,0,,,Group number %d,1\n,Large,1.00,,,Group number %d,1\n", g, g)
	}
	for i := range 500 {
		fmt.Fprintf(&sheet, "Category %d,A dish with quite a long name %d,12.50,none,Group number %d,,\n", i/25, i, i%60)
	}
	got := importFile(t, app, "/desk/anns/menu/import", "replace", []byte("category,name,price\nA,B,\n"))
	got.Want(t, http.StatusUnprocessableEntity, "a file with a mistake", "Row 2, column price: Enter a price like 4.50.")
	compared := importFile(t, app, "/desk/anns/menu/import", "replace", []byte(sheet.String()))
	if compared.Status != http.StatusOK || !strings.Contains(compared.Body, "Import 580 changes into the draft") {
		t.Fatalf("%d", compared.Status)
	}
	check.Lacks(t, app.Get(t, "/desk/anns/menu").Body, "A dish", "the file was imported before anybody confirmed it")
	form := url.Values{"way": {"replace"}, "text": {hidden(compared.Body, "text")}, "revision": {hidden(compared.Body, "revision")}}
	got = app.Post(t, "/desk/anns/menu/import", form)
	check.MustEqual(t, got.Location, "/desk/anns/menu?done=imported", "import: %d", got.Status)
	app.Post(t, "/desk/anns/menu/import", form).Want(t, http.StatusConflict, "the same import again")
	// The least of three counts is right, because the counter also counts the queries of a new connection.
	var page apptest.Answer
	least := int64(math.MaxInt64)
	for range 3 {
		before := app.Queries.Load()
		page = app.Get(t, "/desk/anns/menu")
		least = min(least, app.Queries.Load()-before)
	}
	if least > 8 {
		t.Errorf("the page took %d queries", least)
	}
	if n := len(page.Body); n >= 300_000 || strings.Count(page.Body, "<li id=\"i") != 500 {
		t.Errorf("the page has %d bytes", n)
	}
	var item *apptest.Visitor
	least = math.MaxInt64
	start := time.Now()
	for _, price := range []string{"13", "14", "15"} {
		item = app.Visit(t, "/desk/anns/menu").Follow("A dish with quite a long name 250").Type("priceMinor", price)
		before := app.Queries.Load()
		item.Press("Save").Has("Saved in the draft.")
		least = min(least, app.Queries.Load()-before)
	}
	if least > 21 {
		t.Errorf("a save and the page after it took %d queries", least)
	}
	t.Logf("three saves and the pages around them: %s, %d bytes", time.Since(start), len(page.Body))
	item.Follow("Publish").Press("Publish").Has("Everything is published")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM item_option_group WHERE shop_code = 'anns'"), 500,
		"items with an option group")
	read, _, wrong := menu.ReadCSV([]byte(app.Get(t, "/desk/anns/menu/export/menu.csv").Body), menu.State{})
	if len(wrong) > 0 || read.Count() != 500 || len(read.Groups) != 60 {
		t.Errorf("exported: %d items, %v", read.Count(), wrong)
	}
}

// hidden returns the value of a hidden field.
// Menus of 2,000 items and 15,000 choices cost whoever read them, and everybody else, 0.2 seconds of a processor for each page.
func TestAMenuHasNoMoreThanALargeRestaurant(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	const path, many = "/desk/anns/menu/import", "A menu has at most 1,000 items."
	sheet := func(items, groups, choices, asked int) []byte {
		var file strings.Builder
		file.WriteString("category,name,price,option groups,choice of,choose\n")
		for g := range groups {
			for c := range choices {
				fmt.Fprintf(&file, ",Choice %d,0,,Group %d,0 to 1\n", c, g)
			}
		}
		for i := range items {
			var ask []string
			for g := range asked {
				ask = append(ask, fmt.Sprintf("Group %d", g))
			}
			fmt.Fprintf(&file, "Dishes,Dish %d,12.50,%s,,\n", i, strings.Join(ask, "; "))
		}
		return []byte(file.String())
	}
	for want, file := range map[string][]byte{
		many: sheet(1001, 0, 0, 0),
		"A menu has at most 200 sets of options.":                    sheet(1, 201, 1, 0),
		"The options of a menu have at most 3,000 choices together.": sheet(1, 101, 30, 0),
		"The items of a menu offer at most 20,000 choices together.": sheet(801, 5, 5, 5),
	} {
		importFile(t, app, path, "replace", file).Want(t, http.StatusUnprocessableEntity, want, want)
	}
	compared := importFile(t, app, path, "replace", sheet(1000, 20, 50, 0))
	app.Post(t, path, url.Values{"way": {"replace"}, "text": {hidden(compared.Body, "text")}, "revision": {hidden(compared.Body,
		"revision")}}).
		Must(t, http.StatusSeeOther, "the largest menu")
	app.Visit(t, "/desk/anns/menu").Follow("Add an item to Dishes").Type("name", "One more").Type("priceMinor",
		"1").Press("Add item").Has(many)

	dbtest.Exec(t, app.Pool, "INSERT INTO category (shop_code, name, position) VALUES ('anns', 'Dishes', 1)")
	dbtest.PublishMenu(t, app.Pool, `INSERT INTO item (shop_code, category_id, name, price_minor, loc, position)
		SELECT shop_code, id, 'Old ' || n, 100, 'Kitchen', n FROM category, generate_series(1, 1001) n WHERE shop_code = 'anns'`)
	dbtest.Exec(t, app.Pool, "DELETE FROM menu_draft")
	app.Visit(t, "/desk/anns/menu").Follow("Add an item to Dishes").Type("name", "One more").Type("priceMinor",
		"1").Press("Add item").Has(many)
	app.Visit(t, "/desk/anns/menu").Follow("Old 7").Type("priceMinor", "2").Press("Save").Has("Saved in the draft.")
	importFile(t, app, path, "replace", []byte(app.Get(t, "/desk/anns/menu/export/menu.csv").Body)).
		Want(t, http.StatusOK, "the file of a menu that has more already")
}

func hidden(page, name string) string {
	_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(value)
}

// On a phone there is often no way to change a file, so the page lets its text be corrected.
func TestAFileWithAMistakeIsCorrectedInThePage(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	shopOf(t, app, "ann@example.com")
	const path, wrong = "/desk/anns/menu/import", "category,name,price\nSoups,\"Leek & <potato>\",abc\n"
	send := func(file, text string) *apptest.Visitor {
		t.Helper()
		answer := app.PostFile(t, path, url.Values{"way": {"replace"}, "text": {text}}, "file", []byte(file))
		return app.Read(t, path, answer)
	}
	text := func(v *apptest.Visitor) string { return strings.Join(v.Texts("textarea"), "") }
	v := send("\ufeff"+wrong, "")
	v.Has("Row 2, column price: Enter a price like 4.50.", "Correct it here")
	if v.Status != http.StatusUnprocessableEntity || text(v) != strings.Join(strings.Fields(wrong), " ") {
		t.Errorf("%d, the page shows %q", v.Status, text(v))
	}
	wide := "\xff\xfe" // UTF-16
	for _, c := range []byte(wrong) {
		wide += string([]byte{c, 0})
	}
	v = send(wide, "").Has("Row 2, column price: Enter a price like 4.50.")
	check.Equal(t, text(v), strings.Join(strings.Fields(wrong), " "), "for UTF-16 the page shows")
	v = send(strings.Repeat("x", 5<<20), wrong)
	check.Contains(t, text(v), "Leek & <potato>", "a file that is too large loses what was typed")
	if v = send("", strings.ReplaceAll(wrong, "abc", "9.50")); v.Status != http.StatusOK || v.HasNot("Correct it here").Find("input", "name=revision") == nil {
		t.Errorf("corrected in the page: %d", v.Status)
	}
	v.Press("Import 2 changes into the draft").Has("Leek & <potato>", "$9.50")
	send("", "").Has("Choose a file.").HasNot("Correct it here")
	v = send("category,name,price\nCaf\xe9,Pie,x\n", "").Has("Correct it here")
	check.Contains(t, text(v), "Café,Pie,x", "for Windows-1252 the page shows")
	send("category,name,price\nCaf\x81,Pie,x\n", "").HasNot("Correct it here") // cannot be shown as text
	v = send("category,name,price\nA,"+strings.Repeat("b", 50<<10)+",1\n", "")
	v.Hides("textarea", "name=text")
}

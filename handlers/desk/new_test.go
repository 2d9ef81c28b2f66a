package desk_test

import (
	"encoding/csv"
	"encoding/json"
	"image/color"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/money"
)

func TestANewBusinessGetsItsLogo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	form := details("m", withMerchant(t, app, "ann@example.com", "Ann's Apples"), "code", "panezski")
	form.Del("logo")
	logo := asPNG(t, drawing(400, 400, color.NRGBA{R: 180, G: 67, B: 42, A: 255}))

	refused := app.PostFile(t, "/desk/new", form, "logo-file", []byte("GIF89a and more"))
	refused.Want(t, http.StatusUnprocessableEntity, "a file that is not a picture", "is not a JPEG, PNG or WebP picture")
	// The code is taken. The form keeps what was typed, and the logo.
	kept := app.PostFile(t, "/desk/new", form, "logo-file", logo)
	kept.Must(t, http.StatusUnprocessableEntity, "a taken code", "Another business has this address", "Your logo is kept.")
	carried := app.Read(t, "/desk/new", kept).Value("logo")
	if app.Read(t, "/desk/new", kept).Find("img", "alt=Your logo", "src=data:image/jpeg;base64,"+carried) == nil {
		t.Error("the form does not show the logo that it carries")
	}
	form.Set("logo", carried)
	second := app.Read(t, "/desk/new", app.PostFile(t, "/desk/new", form, "logo-file", []byte("GIF89a and more"))).Has("is not a JPEG, PNG or WebP picture")
	check.Equal(t, second.Value("logo"), carried, "a refused file removes the logo that the form carries")
	form.Set("code", "anns-apples")
	made := app.Post(t, "/desk/new", form)
	check.MustEqual(t, made.Location, "/desk/anns-apples", "made: %d", made.Status)
	src := app.Visit(t, "/desk/anns-apples/shop").Find("img", "alt=Your logo")
	if src == nil {
		t.Fatal("the new business has no logo")
	}
	for _, a := range src.Attr {
		if a.Key == "src" {
			if got := app.Get(t, a.Val); got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s: %d", a.Val, got.Status)
			}
		}
	}

	bob := app.NewPerson(t)
	form = details("m", withMerchant(t, bob, "bob@example.com", "Bob's Bananas"), "code", "bobs-bananas", "logo", "no base64, no picture")
	made = bob.Post(t, "/desk/new", form)
	check.Equal(t, made.Location, "/desk/bobs-bananas", "a forged logo: %d", made.Status)
	if bob.Visit(t, "/desk/bobs-bananas/shop").Find("img", "alt=Your logo") != nil {
		t.Error("a forged logo is shown")
	}
}

func TestANewBusinessGetsItsOwnersZoneAndCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := withMerchant(t, app, "ann@example.com", "Ann's Apples")
	app.Post(t, "/form/testacc/0", url.Values{"country": {"GB"}, "name": {"Ann's Apples"}, "entityType": {"Other"}})
	v := app.Visit(t, "/desk/new?m="+id)
	for _, want := range []string{"GB", "GBP", "Europe/London"} {
		if v.Find("option", "value="+want, "selected=") == nil {
			t.Errorf("%s is not chosen", want)
		}
	}
}

func TestTwoWhoChangeTheDetailsOfABusinessKeepBoth(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	const path = "/desk/panezski/shop"
	ann, bob, late := app.Visit(t, path), app.Visit(t, path), app.Visit(t, path)
	ann.Type("tagline", "Wood-fired").Type("hours", "Mon-Fri 8am-3pm").Press("Save").Has("Saved.")
	bob.Type("name", "Panezski's").Press("Save").Has("Saved.")
	if v := app.Visit(t, path); v.Value("tagline") != "Wood-fired" || v.Value("name") != "Panezski's" {
		t.Errorf("after two changes: %q, %q", v.Value("name"), v.Value("tagline"))
	}
	app.Visit(t, path).Has("Mon-Fri 08:00-15:00")
	late.Type("tagline", "Slow food").Press("Save").Has("Somebody has changed this meanwhile, to Wood-fired. Save again to put yours in its place.")
	check.Equal(t, late.Status, http.StatusUnprocessableEntity, "a change of what somebody else has changed")
	check.Equal(t, late.Value("tagline"), "Slow food", "the form keeps what was typed")
	check.Equal(t, late.Value("name"), "Panezski's", "the form shows what is saved")
	check.Equal(t, app.Visit(t, path).Value("tagline"), "Wood-fired", "saved meanwhile")
	late.Press("Save").Has("Saved.")
	if v := app.Visit(t, path); v.Value("tagline") != "Slow food" || v.Value("name") != "Panezski's" {
		t.Errorf("saved again: %q, %q", v.Value("name"), v.Value("tagline"))
	}
}

func TestABusinessSaysWhenItIsOpen(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, "/desk/panezski/shop").Has("Opening hours", "Mon-Fri 7am-3pm")
	v.Type("hours", "whenever").Press("Save").Has("“whenever”: Write the days and then the times, such as Mon-Fri 7am-3pm.")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "unreadable hours")
	v.Type("hours", "Mon 9-12\nMon 11-14").Press("Save").Has("Mon 09:00-12:00 and 11:00-14:00: these times overlap.")
	sydney, err := time.LoadLocation("Australia/Sydney")
	check.Must(t, err)
	today := time.Now().In(sydney)
	closed := today.AddDate(0, 0, -1).Format(time.DateOnly) + " closed\n" + today.Format(time.DateOnly) + " closed\n" + today.AddDate(0, 0, 1).Format("2 Jan 2006") + " 7.30-11"
	v.Type("hours", closed).Press("Save").Has("Saved.", today.AddDate(0, 0, 1).Format("2 Jan 2006")+" 07:30-11:00")
	guestsRead := func(words string) {
		apptest.Eventually(t, "guests read: "+words, func() bool { return strings.Contains(app.Get(t, "/pos/panezski?t=4").Body, words) })
	}
	guestsRead("You can look at the menu, but you cannot order now: it opens tomorrow at 7:30 am.")

	// Until the shop chooses a state, that of its time zone names the holidays.
	soon := today.AddDate(0, 0, 9)
	dbtest.Exec(t, app.Pool, `INSERT INTO holiday VALUES ('AU', 'NSW', $1, 'Founders’ Day'), ('AU', 'WA', $1, 'Miners’ Day')
		ON CONFLICT (country, state, day) DO UPDATE SET name = excluded.name`, soon.Format(time.DateOnly))
	v.Type("hours", "Mon-Sun 8-3pm\nMiners' Day closed").Press("Save").
		Has("“miners' day” is not a day. Write", "or a public holiday:", "Founders’ Day", "Mon-Sun 8-3pm Miners' Day closed")
	v.Type("hours", "Mon-Sun 8-3pm\nFounders' Day closed").Press("Save").Has("Saved.", "Mon-Sun 08:00-15:00 Founders’ Day closed")
	guestsRead("Closed on " + soon.Format("2 January") + " (Founders’ Day).")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET state = 'WA' WHERE code = 'panezski'")
	v.Type("name", "Panezski").Press("Save").Has("“founders’ day” is not a day.", "Miners’ Day")
	category := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM category WHERE shop_code = 'panezski' ORDER BY id LIMIT 1")
	app.Visit(t, "/desk/panezski/menu/category/"+category).Type("hours", "Founders’ Day closed").Press("Save").Has("or a public holiday:").
		Type("hours", "Miners’ Day closed").Press("Save").Has("Saved in the draft.")
}

// A business that changed its currency has books in both.
func TestBooksNeverAddUpTwoCurrencies(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	old := sale(t, app, "4111111111111111", "") // 11.00 each
	sale(t, app, "4111111111111111", "")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET currency = 'NZD' WHERE code = 'panezski'")
	sale(t, app, "5555555555554444", "")
	form := preview(t, app, old, url.Values{"how": {"amount"}, "amount": {"2.50"}, "reason": {"cold"}})
	app.Post(t, "/desk/panezski/payments/"+old+"/refund", form).Must(t, http.StatusSeeOther, "the refund")
	const both = "33.00" // the sum of all three, which adds up dollars of two countries

	app.Visit(t, "/desk/panezski/today").Has("In NZD", "Taken 11.00 NZD", "In AUD", "Taken $22.00", "1 refund $2.50").HasNot(both)
	app.Visit(t, "/desk/panezski/payments").Has("$11.00", "11.00 NZD", "Partly refunded").HasNot(both)
	app.Visit(t, "/desk/panezski/payments/"+old).Has("$11.00", "$2.50").HasNot("NZD")

	app.Post(t, "/desk/panezski/closings", url.Values{"do": {"close"}})
	app.Visit(t, "/desk/panezski/closings").Has("$19.50, 11.00 NZD").HasNot(both)
	app.Visit(t, "/desk/panezski/closings/test-1").Has("All, in AUD", "$22.00", "$19.50", "All, in NZD", "11.00 NZD").HasNot(both, "30.50")
	var file struct {
		Totals []struct{ Currency, Taken, GivenBack string }
	}
	check.Must(t, json.Unmarshal([]byte(app.Get(t, "/desk/panezski/closings/test-1/closing.json").Body), &file))
	signed := map[string]string{}
	for _, total := range file.Totals {
		signed[total.Currency] += total.Taken + " less " + total.GivenBack
	}
	if len(signed) != 2 || signed["AUD"] != "22.00 less 2.50" || signed["NZD"] != "11.00 less 0.00" {
		t.Errorf("the signed file has %v", signed)
	}

	month := dbtest.Value[string](t, app.Pool, "SELECT to_char(now() AT TIME ZONE time_zone, 'YYYY-MM') FROM shop WHERE code = 'panezski'")
	for kind, text := range map[string]string{
		"closing":   check.PDFText(t, app.Get(t, "/desk/panezski/closings/test-1/closing.pdf").Body),
		"statement": check.PDFText(t, app.Post(t, "/desk/panezski/exports", url.Values{"do": {"statement"}, "month": {month}}).Body),
	} {
		if !strings.Contains(text, "All, in AUD\n2\n$22.00\n") || !strings.Contains(text, "All, in NZD\n1\n11.00 NZD\n") || strings.Contains(text, both) {
			t.Errorf("the %s says:\n%s", kind, text)
		}
	}

	for kind, want := range map[string]string{"payments": "AUD 22.00 NZD 11.00", "lines": "AUD 22.00 NZD 11.00", "refunds": "AUD 2.50"} {
		table := app.Post(t, "/desk/panezski/exports", url.Values{"do": {"table"}, "kind": {kind}, "from": {"2020-01-01"}, "to": {"2099-12-31"}}).Body
		check.Equal(t, sumsOf(t, table), want, "the table of %s comes to:\n%s", kind, table)
	}
}

// sumsOf adds up the last amount in each row of a table, by currency.
func sumsOf(t *testing.T, table string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(table, "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%v:\n%s", err, table)
	}
	amount, currency := max(slices.Index(rows[0], "amount"), slices.Index(rows[0], "total")), slices.Index(rows[0], "currency")
	sums := map[string]int64{}
	for _, row := range rows[1:] {
		minor, err := money.Parse(row[amount])
		check.Must(t, err)
		sums[row[currency]] += minor
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, name+" "+money.Wire(sums[name]))
	}
	return strings.Join(list, " ")
}

func TestALimitAllowsNothingInAnotherCurrency(t *testing.T) {
	t.Parallel()
	owner := apptest.SignedIn(t)
	id := sale(t, owner, "4111111111111111", "")
	manager := owner.NewPerson(t).SignUp(t, "manager@example.com")
	dbtest.Exec(t, owner.Pool,
		`INSERT INTO shop_member (shop_code, account_id, role) SELECT 'panezski', id, 'manager' FROM account WHERE email = 'manager@example.com'`)
	page := "/desk/panezski/payments/" + id + "/refund"
	ask := url.Values{"do": {"preview"}, "how": {"amount"}, "amount": {"1.00"}, "reason": {"x"}}
	forged := preview(t, manager, id, ask) // $1.00 of their $200.00
	dbtest.Exec(t, owner.Pool, "UPDATE shop SET currency = 'NZD' WHERE code = 'panezski'")
	manager.Visit(t, page).Has("The limit of your role is in NZD, so you may refund nothing of a payment in AUD.")
	ask.Set("do", "preview")
	manager.Post(t, page, ask).Want(t, http.StatusConflict, "a preview", "in NZD")
	if got := manager.Post(t, page, forged); got.Status != http.StatusConflict || len(gatewayRefunds(t, owner, id)) > 0 {
		t.Errorf("a manager refunds $1.00 of a limit in NZD: %d", got.Status)
	}
	ask.Set("do", "preview")
	owner.Post(t, page, preview(t, owner, id, ask)).Want(t, http.StatusSeeOther, "an owner, who has no limit")
}

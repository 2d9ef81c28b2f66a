package pos_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

const soldOut = "/desk/panezski/menu/soldout"

func TestSoldOutEndsAtItsTime(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	exec := func(statement string) {
		t.Helper()
		dbtest.Exec(t, app.Pool, statement)
	}
	until := func(table, name string) *time.Time {
		t.Helper()
		return dbtest.Value[*time.Time](t, app.Pool, "SELECT sold_out_until FROM "+table+" WHERE shop_code = 'panezski' AND name = $1", name)
	}
	sydney, err := time.LoadLocation("Australia/Sydney")
	check.Must(t, err)
	for _, page := range []string{screen, soldOut} {
		v := app.Visit(t, page).Press("On sale: Flat White").Has("until you put it back")
		if at := until("item", "Flat White"); at != nil {
			t.Errorf("%s: sold out without an end, but ends at %v", page, at)
		}
		v.Press("Until tomorrow: Flat White").Has("until tomorrow")
		at := until("item", "Flat White")
		if at == nil || !at.After(time.Now()) || at.In(sydney).Format("15:04") != "00:00" || time.Until(*at) > 25*time.Hour {
			t.Errorf("%s: until tomorrow ends at %v", page, at)
		}
		soon := time.Now().In(sydney).Add(2 * time.Hour)
		later := soon.Format("15:04")
		v.Type("time", later).Press("Set the time for Flat White").Has("until " + soon.Format("3:04 pm"))
		if at := until("item", "Flat White"); at == nil || at.In(sydney).Format("15:04") != later || time.Until(*at) > 2*time.Hour {
			t.Errorf("%s: until %s is %v", page, later, at)
		}
		v.Press("No end: until you put it back, Flat White").Has("until you put it back")
		if at := until("item", "Flat White"); at != nil {
			t.Errorf("%s: back on sale, but ends at %v", page, at)
		}
		for _, wrong := range []string{"", "25:00", "soon"} {
			v.Type("time", wrong).Press("Set the time for Flat White").Has("Enter a time such as 16:30.", "until you put it back")
			check.Equal(t, v.Status, http.StatusUnprocessableEntity, "%s: the time %q gets", page, wrong)
		}
		app.Visit(t, page).Press("On sale: Milk Oat").Press("Until tomorrow: Milk Oat").Has("until tomorrow")
		if at := until("option_choice", "Oat"); at == nil {
			t.Errorf("%s: the sold-out option has no end", page)
		}
		app.Visit(t, page).Press("Sold out: Milk Oat").Press("Sold out: Flat White").HasNot("until tomorrow", "until you put it back")
	}
	order := map[string]any{"merchantId": "panezski", "table": "1", "order": []map[string]any{{"name": "Flat White", "qty": 1}}}
	app.Visit(t, soldOut).Press("On sale: Flat White").Press("Until tomorrow: Flat White")
	app.PostJSON(t, "/api/pos", order).Want(t, http.StatusConflict, "an order of an item sold out until tomorrow")
	exec("UPDATE item SET sold_out_until = now() - interval '1 second' WHERE name = 'Flat White'")
	apptest.Eventually(t, "the item comes back by itself", func() bool { return app.PostJSON(t, "/api/pos", order).Status == http.StatusCreated })
	app.Visit(t, screen).HasNot("until tomorrow")
}

func TestAnItemOutsideItsHoursIsNotSoldOut(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE item SET hours = '2020-01-01 10:00-12:00; Mon-Sun 00:00-00:01' WHERE name = 'Flat White'")
	if button := app.Visit(t, screen).Find("button", "aria-label=On sale: Flat White", "aria-checked=true"); button == nil {
		t.Error("the kitchen screen calls it sold out")
	}
}

func TestOpenScreensLearnWhatIsSoldOut(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	next := watch(t, app, screen+"/events", "")
	next() // the board as it is
	app.Visit(t, soldOut).Press("On sale: Flat White")
	if _, got := next(); !strings.Contains(got, `aria-checked="false" aria-label="Sold out: Flat White"`) || strings.Contains(got, "Cherry Pie") {
		t.Errorf("the screen gets %q", got)
	}
}

func TestSwitchesOnTheDesk(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for name, c := range map[string]struct {
		path string
		form url.Values
		want int
	}{
		"no button":                    {soldOut, url.Values{}, http.StatusBadRequest},
		"no item":                      {soldOut, url.Values{"sellout": {"x"}}, http.StatusNotFound},
		"an end for another's item":    {"/desk/moollar/menu/soldout", url.Values{"item": {"1"}, "until": {"tomorrow"}}, http.StatusNotFound},
		"an end for an unknown option": {soldOut, url.Values{"choice": {"999999"}, "until": {"tomorrow"}}, http.StatusNotFound},
		"the rule of kitchen screens":  {soldOut, url.Values{"require": {"on"}}, http.StatusBadRequest},
	} {
		app.Post(t, c.path, c.form).Want(t, c.want, name)
	}
}

func TestTheMenuOfTheDeskHasTheSwitches(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	menu := strings.TrimSuffix(soldOut, "/soldout")
	v := app.Visit(t, menu)
	v.Shows("button", "aria-label=On sale: Flat White", "aria-checked=true")
	v.Press("On sale: Flat White").Shows("button", "aria-label=On sale: Flat White", "aria-checked=false")
	check.Equal(t, strings.Split(v.Path, "#")[0], menu, "after a switch of the menu comes")
	app.Visit(t, soldOut).Has("until you put it back")
	v.Press("On sale: Flat White")
	app.Visit(t, soldOut).HasNot("until you put it back")
	dbtest.Exec(t, app.Pool,
		"UPDATE menu_version SET body = jsonb_set(body, '{categories,0,items,0,available}', 'false') WHERE shop_code = 'panezski'")
	app.Visit(t, menu).Hides("button", "aria-label=On sale: Butter Croissant") // guests do not see it
}

func TestSoldOutListsItemsByCategory(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, page := range []string{screen, soldOut} {
		text := app.Visit(t, page).Text()
		last := -1
		for _, name := range []string{"From the oven", "Butter Croissant", "Coffee and tea", "Flat White"} {
			at := strings.Index(text, name)
			if at <= last {
				t.Errorf("%s: %s is at %d, what comes before it at %d", page, name, at, last)
			}
			last = at
		}
	}
}

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

const extrasPage = "/desk/panezski/surcharges"

func TestAnOwnerSetsSurchargesAndTips(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	dbtest.Exec(t, app.Pool, `UPDATE shop SET time_zone = 'Australia/Melbourne', country_code = 'AU' WHERE code = 'panezski';
		INSERT INTO holiday VALUES ('AU', 'VIC', current_date + 10, 'Founders’ Day'), ('AU', 'NSW', current_date + 10, 'Bank Holiday')
		ON CONFLICT (country, state, day) DO UPDATE SET name = excluded.name`)
	v := app.Visit(t, "/desk/panezski").Follow("Surcharges and tips")
	v.Has("Nothing is added to orders on any day.", "Guests are not asked for a tip.", "Founders’ Day").HasNot("Bank Holiday")
	check.Equal(t, v.Value("tip.0")+v.Value("tip.1")+v.Value("tip.2"), "51015", "the tips that are proposed")
	day := time.Now().AddDate(0, 0, 30)
	v.Type("rate.0", "10").Type("rate.6", "10 %").Type("rate.7", "12.25").Tick("tips", "on").Type("tip.2", "20").
		Type("day.0", day.Format("2/1/2006")).Type("name.0", "Show day").Press("Save")
	v.Has("Saved.", "On Saturdays and Sundays 10% is added to each order; they see it on the menu and before paying.",
		"On public holidays 12.25% is added to each order", "Guests may add a tip: 5%, 10%, 20% or another amount.")
	check.Equal(t, v.Value("rate.6"), "10", "the field of a rate with its sign")
	check.Equal(t, v.Value("name.0"), "Show day", "the holiday of the shop")
	stored := dbtest.Value[string](t, app.Pool, "SELECT concat_ws(' ', surcharges, tips, state) FROM shop WHERE code = 'panezski'")
	check.Equal(t, stored, "{1000,0,0,0,0,0,1000,1225} {5,10,20} VIC", "what is stored")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT holidays_of('panezski')->>$1", day.Format(time.DateOnly)), "Show day",
		"the day is a holiday")
	said := dbtest.Value[string](t, app.Pool, "SELECT reason FROM audit WHERE action = 'surcharges and tips changed'")
	for _, part := range []string{"state: none to VIC", "tips: none to 5, 10, 20", "Sundays: none to 10", "Public holidays: none to 12.25", "Show day"} {
		check.Contains(t, said, part, "the audit log")
	}
	v.Press("Save").Has("Saved.")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'surcharges and tips changed'"), 1,
		"changes in the audit log")
	v.Type("day.0", "").Type("name.0", "").Type("rate.6", "").Press("Save").
		Has("On Sundays 10% is added").HasNot("Show day")
}

func TestWrongSurchargesAreSaidAtTheirFieldsAndKept(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	v := app.Visit(t, extrasPage)
	typed := map[string]string{
		"rate.0": "10.123", "rate.1": "51", "rate.2": "ten", "rate.3": "-5", "rate.4": "7,5", "tip.0": "0", "tip.1": "2.5", "day.0": "32/12/2026",
		"day.1": "1/1/2020", "name.1": "Long ago", "name.2": "No day",
	}
	v.Tick("tips", "on")
	for name, text := range typed {
		v.Type(name, text)
	}
	v.Type("rate.5", "7.5").Press("Save")
	check.Equal(t, v.Status, http.StatusUnprocessableEntity, "a form with mistakes")
	check.Equal(t, strings.Count(v.Body, `class="problem"`), len(typed)-1, "problems at their fields") // Long ago has one row
	for name, text := range typed {
		if name != "day.1" {
			check.Equal(t, v.Value(name), text, "%s", name)
		}
	}
	check.Equal(t, v.Value("rate.5"), "7.5", "what was right")
	v.Has("Enter a percentage up to 50, like 10 or 7.5.", "Enter a whole percentage from 1 to 100.", "Enter a day that is still to come.",
		"Enter the date of this holiday, like 25/12/2026.").HasNot("Nothing is added")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM shop WHERE code = 'panezski' AND surcharges <> '{0,0,0,0,0,0,0,0}'"),
		0, "stored")
}

func TestTwoPeopleDoNotUndoEachOthersSurcharges(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	mine, other := app.Visit(t, extrasPage), app.Visit(t, extrasPage)
	other.Type("rate.0", "15").Press("Save").Has("Saved.")
	mine.Type("rate.6", "5").Press("Save").Has("Somebody has changed this page meanwhile.")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT surcharges[1] FROM shop WHERE code = 'panezski'"), 1500, "what was saved first")
	mine.Press("Save").Has("Saved.", "On Saturdays 5% is added")
}

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

// A business that lists its tables takes orders only for these, because nobody in its kitchen knows where any other table is. One of the
// demo takes them for any table, because its codes have any.
func TestAnUnlistedTableIsRefused(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	order := func(table string) apptest.Answer {
		return app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "panezski", "table": table, "order": []map[string]any{{"name": "Cherry Pie", "qty": 1}}})
	}
	app.Visit(t, "/pos/panezski?t=99").Has("Table 99").HasNot("We do not know")
	order("99").Want(t, http.StatusCreated, "a business of the demo refuses a table")
	late := app.Visit(t, "/pos/panezski?t=8").Press("Add Cherry Pie").Press("View Order")
	const told = "We do not know table 99. Scan the code on your table again, or order without a table and give your name."
	alter(t, app, `WITH gone AS (DELETE FROM shop_table), one AS (UPDATE shop SET demo_open = NULL WHERE code = 'panezski')
		INSERT INTO shop_table (shop_code, name, area, position) VALUES ('panezski', 'Window', '', 0)`, "Cherry Pie")
	apptest.Eventually(t, "the list of tables", func() bool { return strings.Contains(app.Get(t, "/pos/panezski?t=99").Body, told) })

	menu := app.Visit(t, "/pos/panezski?t=99").Has(told).HasNot("Table 99")
	asked := menu.Press("Add Cherry Pie").HasNot("We do not know").Press("View Order").Has("Please provide a name for the order")
	asked.Press("Test Payment").Has("Enter a name to call out when your order is ready")
	app.Visit(t, "/pos/panezski/order?t=99&b=1x1&k=K").Has(told, "Please provide a name")
	app.Visit(t, "/pos/panezski?t=window").Has("Table Window").HasNot("We do not know")
	late.Press("Test Payment").Has("We do not know table 8.", "Cherry Pie", "Please provide a name")
	order("99").Want(t, http.StatusUnprocessableEntity, "an order by the API for table 99", `"field":"table"`, told)
	order("Window").Want(t, http.StatusCreated, "the API refuses a listed table")
	if got := order(""); got.Status == http.StatusUnprocessableEntity && strings.Contains(got.Body, `"table"`) {
		t.Errorf("an order without a table is refused as for an unknown table: %s", got.Body)
	}
	tables := dbtest.Value[string](t, app.Pool, "SELECT string_agg(table_name, ',' ORDER BY created_at) FROM transaction WHERE kind = 'order'")
	if !strings.HasPrefix(tables, "99,Window") {
		t.Errorf("orders for %q", tables)
	}
}

// A guest who mistypes another table keeps the one before, the basket, and what was typed.
func TestAMistypedTableIsAskedForAgain(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	long := strings.Repeat("9", 65)
	at := app.Visit(t, "/pos/panezski/order?t=Window&n=Ann&b=1x1&k=K")
	at.Type("t", long).Press("Change table").Has("Table Window", "Use at most 64 characters for the table.").HasNot("Please provide a name")
	check.Equal(t, at.Value("t"), long, "the field after a table of 65 characters")
	check.Contains(t, at.Path, "k=K", "the key of an order that stays as it is")
	at.Type("t", "").Press("Change table").Has("Table Window", "Enter your table.")
	alter(t, app, `WITH gone AS (DELETE FROM shop_table), one AS (UPDATE shop SET demo_open = NULL WHERE code = 'panezski')
		INSERT INTO shop_table (shop_code, name, area, position) VALUES ('panezski', 'Window', '', 0), ('panezski', 'Door', '', 1)`, "Cherry Pie")
	apptest.Eventually(t, "the list of tables", func() bool {
		return strings.Contains(app.Get(t, "/pos/panezski?t=99").Body, "We do not know table 99.")
	})

	at.Type("t", "77").Press("Change table").Has("Table Window", "We do not know table 77.", "Total").
		Shows("input", "id=table", "aria-invalid=true")
	check.Equal(t, at.Value("t"), "77", "the field after an unknown table")
	at.Type("t", "door").Press("Change table").Has("Table Door", "Total").HasNot("We do not know", "Table Window")
	check.Contains(t, at.Path, "n=Ann", "the name is lost on the way")
	check.Lacks(t, at.Path, "k=K", "the key of the order for the other table")
	lost := app.Visit(t, "/pos/panezski/order?t=77&b=1x1&k=K").Type("name", "Ann").Type("t", "78").Press("Change table").
		Has("We do not know table 78.", "Please provide a name")
	check.Equal(t, lost.Value("name"), "Ann", "the name typed before the table was changed")
	lost.Type("t", "door").Press("Test Payment").Has("Table Door", "Total").HasNot("Please provide a name")
	app.Visit(t, "/pos/panezski/order?t=77&b=1x1&k=K").Type("name", "Ann").Type("t", "door").Press("Add Butter Croissant").
		Has("Table Door").Shows("input", "name=qty.1", "value=2")
	app.Visit(t, "/pos/panezski/order?t=77").Type("t", "door").Press("Change table").Has("Table Door", "Nothing chosen yet")
	app.Visit(t, "/pos/panezski?t=77&at=Window").Has("We do not know table 77.", "Table Window")
	const pan = "4111 1111 1111 1111"
	app.Visit(t, "/pos/panezski?at=Window&t="+url.QueryEscape(pan)).Has("Table Window", "This looks like a card number").HasNot(pan)
	app.Visit(t, "/pos/panezski?at=Window&t="+url.QueryEscape(long+" "+pan)).Has("Table Window", "This looks like a card number").HasNot(pan)
	app.Visit(t, "/pos/panezski?t=77&at=78").Has("We do not know table 77.").HasNot("Table 7")
}

func TestAMenuThatWasNeverPublishedSaysSo(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "INSERT INTO shop (code, name, accent, currency, country_code, time_zone) SELECT 'fresh', 'Fresh', accent, currency, country_code, time_zone FROM shop WHERE code = 'panezski'")
	app.Visit(t, "/pos/fresh").Has("No menu yet", "Fresh has not published its menu yet.").HasNot("unavailable")
}

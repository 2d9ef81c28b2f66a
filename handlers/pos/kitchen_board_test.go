package pos_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/dbtest"
)

// forgotten adds paid orders with so many lines for the bar. They are copies of trx, paid a second apart from ago on.
func forgotten(t *testing.T, app *apptest.App, trx string, orders, lines int, ago string) {
	t.Helper()
	statements := strings.Join([]string{
		`CREATE TEMP TABLE forgotten AS SELECT left(md5($1 || n), 26) AS id, now() - $4::text::interval + n * interval '1 second' AS paid_at, n, $3::int AS lines
			FROM generate_series(1, $2::int) n`,
		"INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, table_name) SELECT f.id, shop_code, amount_minor, currency, country_code, test_mode, 'F' || f.n FROM transaction t, forgotten f WHERE t.id = $1",
		"INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, settled_at) SELECT md5(id)::uuid, id, shop_code, amount_minor, currency, test_mode, 'card', id, 'approved', now(), now() FROM transaction JOIN forgotten f USING (id)",
		"INSERT INTO order_line (transaction_id, line_no, shop_code, name, price_minor, qty, loc) SELECT id, l, shop_code, 'Forgotten Tea ' || l, 100, 1, 'Bar' FROM transaction JOIN forgotten f USING (id), generate_series(1, f.lines) l",
		"UPDATE transaction t SET status = 'success', approved_attempt = md5(t.id)::uuid, paid_at = f.paid_at FROM forgotten f WHERE t.id = f.id",
		"DROP TABLE forgotten",
	}, ";")
	values := strings.NewReplacer("$1", "'"+trx+"'", "$2", strconv.Itoa(orders), "$3", strconv.Itoa(lines), "$4", "'"+ago+"'")
	dbtest.Exec(t, app.Owner(t), values.Replace(statements))
}

func TestEveryPaidOrderIsOnTheScreen(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	for _, tt := range []struct {
		name          string
		orders, lines int
		has, hasNot   []string
	}{
		{"51 orders of 40 lines at a bar that marks nothing", 51, 40, []string{"Table F1 ", "Table F51 ", "Forgotten Tea 40"}, []string{"in between"}},
		{"250 at a bar that marks nothing", 250, 10, []string{"Table F1 ", "Table F100 ", "Table F153 ", "Table F250 ", "52 orders in between are not shown"}, []string{"Table F101 ", "Table F152 "}},
	} {
		dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - interval '2 days' WHERE paid_at IS NOT NULL")
		trx := paid(t, app, "seed")
		forgotten(t, app, trx, tt.orders, tt.lines, "1 hour")
		paid(t, app, "last")
		t.Log(tt.name)
		app.Visit(t, screen).Has(tt.has...).Has("Table last", "2 Butter Croissant", "1 Flat White").HasNot(tt.hasNot...)
		app.Visit(t, screen+"?loc=Kitchen").Has("Table last", "2 Butter Croissant").HasNot("in between")
	}
}

func TestForgottenOrdersAreCountedAndNotShown(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	trx := paid(t, app, "7")
	forgotten(t, app, trx, 98, 1, "25 hours")
	app.Visit(t, screen).Has("98 orders paid more than a day ago are still open", "Table 7").HasNot("Forgotten Tea")
	paid(t, app, "8")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = now() - interval '25 hours' WHERE approved_attempt IS NOT NULL")
	app.Visit(t, screen).Has("100 orders or more paid more than a day ago are still open")
}

func TestTheNameOfASwitchBeginsWithItsText(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	switches := regexp.MustCompile(`role="switch" aria-checked="(\w+)" aria-label="([^"]*)">\s*([^<]*?)\s*<`)
	page := app.Visit(t, screen).Press("On sale: Flat White").Has("Menu today")
	found := switches.FindAllStringSubmatch(app.Get(t, page.Path).Body, -1)
	if len(found) < 40 {
		t.Fatalf("the screen has %d switches", len(found))
	}
	for _, match := range found {
		checked, name, shown := match[1], match[2], match[3]
		state := shown
		if checked == "true" {
			state = "On sale"
		}
		if !strings.HasPrefix(name, state+": ") || (shown == "") != (checked == "true") || (shown == "Sold out") != (name == "Sold out: Flat White") {
			t.Errorf("a switch shows %q, is named %q and checked %s", shown, name, checked)
		}
	}
}

package books_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/shop/books"
)

// A spreadsheet with a semicolon as list separator splits a row of commas at each semicolon and ignores quotation marks inside a cell.
func TestSemicolonsDoNotMakeFormulas(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	trx := pay(t, app, "4111111111111111")
	const name = `Table 4;=HYPERLINK("http://x","pay"), please; -2`
	change(t, app, "UPDATE transaction SET customer_name = $2 WHERE id = $1", trx, name)
	refund(t, app, trx, 550)
	text := write(t, app, books.ExportPayments, lately(one))
	if rows := table(t, text); len(rows) != 1 || strings.ReplaceAll(rows[0]["guest"], ";'", ";") != name || rows[0]["amount"] != "11.00" {
		t.Errorf("%v", rows)
	}
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord = ';', true, -1
	rows, err := in.ReadAll()
	must.NoError(t, err)
	parts := 0
	for _, row := range rows {
		for _, cell := range row[1:] {
			parts++
			if strings.ContainsAny(strings.TrimSpace(cell)[:1], "=+-@") {
				t.Errorf("%q begins like a formula", cell)
			}
		}
	}
	check.Equal(t, parts, 2, "the row was split … times, want 2: %q", rows)
}

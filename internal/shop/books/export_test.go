package books_test

import (
	"encoding/csv"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
)

func TestTheTablesAgreeWithReconcile(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	change(t, app, "UPDATE shop SET abn = '51 824 753 556', gst_included = true WHERE code = 'panezski'")
	whole, part, left := pay(t, app, "4111111111111111"), pay(t, app, "5555555555554444"), pay(t, app, "4111111111111111")
	pay(t, app, "4000000000002685") // is disputed
	pay(t, app, "4000000000000002") // is declined
	refund(t, app, whole, 1100)
	refund(t, app, part, 333)
	refund(t, app, part, 1)
	change(t, app, `INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, opened_at)
		SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, 'opened', now() FROM attempt WHERE transaction_id = $1`, left)
	// A pay link in another currency. A person decided to capture only a part of its payment.
	change(t, app, "UPDATE attempt SET captured_minor = 900 WHERE transaction_id = $1", left)
	span := lately(one)
	c, err := app.Settlement.Compare(t.Context(), span.Since, span.Before)
	check.Must(t, err)
	book := c.Totals[0]
	if len(c.Cases) != 1 || book.CapturedMinor != 4400 || book.RefundedMinor != 1434 { // the gateway still has 11.00 for the changed payment
		t.Fatalf("%+v", c)
	}
	paid, refunds, lines := table(t, write(t, app, books.ExportPayments, span)), table(t, write(t, app, books.ExportRefunds, span)), table(t, write(t, app, books.ExportLines, span))
	if got := sum(t, paid, "amount"); got != book.CapturedMinor-200 || len(paid) != int(book.Captures)+1 { // with the correction
		t.Errorf("%d payments totalling %d, want %d totalling %d", len(paid), got, book.Captures, book.CapturedMinor-200)
	}
	if got := sum(t, refunds, "amount"); got != book.RefundedMinor || len(refunds) != int(book.Refunds) {
		t.Errorf("%d refunds totalling %d, want %+v", len(refunds), got, book)
	}
	if got := sum(t, lines, "total"); got != 4200 || len(lines) != 5 || lines[0]["quantity"] != "2" || lines[0]["each"] != "5.50" {
		t.Errorf("%d lines totalling %d: %v", len(lines), got, lines)
	}
	// Payments: an eleventh of 11.00 three times and of 9.00; refunds: of 11.00, 3.33 and 0.01.
	if sum(t, paid, "gst") != 300+82 || sum(t, refunds, "gst") != 100+30 {
		t.Errorf("GST is %d and %d, want 382 and 130", sum(t, paid, "gst"), sum(t, refunds, "gst"))
	}
	for _, row := range paid {
		if row["payer"] != "'=Pat" || row["currency"] != "AUD" || row["mode"] != "test" || row["method"] != "card" || row["zone"] != "AEDT" && row["zone"] != "AEST" {
			t.Errorf("%v", row)
		}
	}
	check.Equal(t, refunds[0]["reason"], "'-1 crumb", "refunds, %v", refunds[0])
	st, err := app.Books.Statement(t.Context(), one, true, time.Now().In(one.Zone()))
	if err != nil || !slices.Equal(st.Totals, books.Totals{
		{Currency: "AUD", Method: "card", Payments: 4, Taken: 4200, GST: 382, Refunds: 3, Refunded: 1434, RefundGST: 130},
	}) {
		t.Errorf("the statement has %+v, %v", st.Totals, err)
	}
}

// The tax in the refunds of a payment adds up to that in what was refunded, however many there are.
func TestTaxOfRefundsAddsUp(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	change(t, app, "UPDATE shop SET abn = '51 824 753 556', gst_included = true WHERE code = 'panezski'")
	halves, cents := pay(t, app, "4111111111111111"), pay(t, app, "4111111111111111")
	for range 22 {
		refund(t, app, halves, 50)
	}
	for range 20 {
		refund(t, app, cents, 6)
	}
	rows := table(t, write(t, app, books.ExportRefunds, lately(one)))
	check.Equal(t, sum(t, rows, "gst"), 100+11, "of 11.00 and 1.20 in %d refunds", len(rows))
	check.Equal(t, dbtest.Value[string](t, app.Pool,
		"SELECT string_agg(gst_minor::text, ' ' ORDER BY gst_minor) FROM position WHERE captured_minor > 0"), "0 89", "the tax that is left")
}

func TestACaptureInAnotherCurrencyIsBookedOnceGivenBack(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	trx := pay(t, app, "4000000000000002")
	change(t, app, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid, attempt_id)
		SELECT gen_random_uuid(), transaction_id, shop_code, 700, 'USD', test_mode, 'ann', now(), 'done', now(), 'r1', id FROM attempt WHERE transaction_id = $1`, trx)
	for _, kind := range []books.ExportKind{books.ExportPayments, books.ExportRefunds} {
		rows := table(t, write(t, app, kind, lately(one)))
		if len(rows) != 1 || rows[0]["amount"]+" "+rows[0]["currency"] != "7.00 USD" {
			t.Errorf("%s: %v", kind, rows)
		}
	}
}

func TestPayoutsOfAPeriod(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	change(t, app, `INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at) VALUES
		('@p1', 'panezski', 'AUD', true, -500, 10, -510, '2026-03-31T13:00:00Z'), ('p2', 'panezski', 'AUD', true, 100000, 250, 99750, '2026-04-29T13:59:59Z'),
		('p0', 'panezski', 'AUD', true, 1, 0, 1, '2026-03-31T12:59:59Z'), ('p3', 'panezski', 'AUD', true, 1, 0, 1, '2026-04-30T14:00:00Z'),
		('p4', 'moollar', 'AUD', true, 1, 0, 1, '2026-04-10T00:00:00Z'), ('p5', 'panezski', 'AUD', false, 1, 0, 1, '2026-04-10T00:00:00Z')`)
	// April begins in summer time and ends in winter time.
	zone := one.Zone()
	span := books.Span{Shop: one.Code, Test: true, Since: time.Date(2026, 4, 1, 0, 0, 0, 0, zone), Before: time.Date(2026, 5, 1, 0, 0, 0, 0, zone), Zone: zone}
	rows := table(t, write(t, app, books.ExportPayouts, span))
	if len(rows) != 2 || rows[0]["payout"] != "'@p1" || rows[0]["gross"] != "-5.00" || rows[0]["net"] != "-5.10" || rows[0]["zone"] != "AEDT" ||
		rows[1]["payout"] != "p2" || rows[1]["fees"] != "2.50" || rows[1]["zone"] != "AEST" || rows[1]["date"] != "2026-04-29" || rows[1]["time"] != "23:59:59" {
		t.Errorf("%v", rows)
	}
}

// A long table equals a short one, however many processes make it and wherever they stop.
func TestManyProcessesMakeOneLongTable(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	at := time.Now().Add(-12 * time.Hour).Truncate(time.Second)
	past(t, app, at, 20_001)
	span := books.Span{Shop: one.Code, Test: true, Since: at, Before: time.Now(), Zone: one.Zone()}
	short := span
	short.Before = at.Add(20_000 * time.Second)
	if _, long, err := app.Books.Begin(t.Context(), owner, books.ExportPayments, short); err != nil || long {
		t.Errorf("20,000 payments count as a long table: %v, %v", long, err)
	}
	id, long, err := app.Books.Begin(t.Context(), owner, books.ExportPayments, span)
	check.Must(t, err)
	check.MustEqual(t, long, true, "one more is a long table")
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			for done := false; !done; {
				if done, err = app.Books.Continue(t.Context(), id); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	made, err := app.Books.Export(t.Context(), one, id.String())
	if err != nil || !made.Done() || made.RowsDone != 20_001 || *made.RowsTotal != 20_001 || made.Percent() != 100 {
		t.Fatalf("%+v, %v", made, err)
	}
	var file strings.Builder
	check.Must(t, app.Books.WriteFile(t.Context(), made, &file))
	check.Equal(t, file.String(), write(t, app, books.ExportPayments, span), "the table made in parts differs from the one made at once")
	rows := table(t, file.String())
	if len(rows) != 20_001 || sum(t, rows, "amount") != 2_000_100 || rows[0]["reference"] != "'+61 1" || rows[20_000]["reference"] != "'+61 20001" {
		t.Errorf("%d rows totalling %d", len(rows), sum(t, rows, "amount"))
	}
	var letters, logged int
	err = app.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM river_job WHERE args ->> 'key' = 'export/' || $1),
		(SELECT count(*) FROM audit WHERE subject = 'shop panezski' AND action = 'export' AND actor = $2)`, id.String(), owner.Email).Scan(&letters, &logged)
	if err != nil || letters != 1 || logged != 2 {
		t.Errorf("%d letters, %d lines in the log, %v", letters, logged, err)
	}
	_, err = app.Books.Export(t.Context(), shop.Shop{Shop: db.Shop{Code: "moollar"}}, id.String())
	check.ErrorIs(t, err, books.ErrNoBook, "another business's export")
	for range 2 {
		_, _, err := app.Books.Begin(t.Context(), owner, books.ExportPayments, span)
		check.Must(t, err)
	}
	_, _, err = app.Books.Begin(t.Context(), owner, books.ExportPayments, span)
	check.ErrorIs(t, err, books.ErrExports, "a third export while two are running")
	change(t, app, "UPDATE export SET created_at = now() - interval '8 days'")
	_, err = app.Books.Export(t.Context(), one, id.String())
	check.ErrorIs(t, err, books.ErrNoBook, "the export after eight days")
}

// TestATableTakesTheMemoryOfAPage is not parallel, so that it measures only its own memory.
func TestATableTakesTheMemoryOfAPage(t *testing.T) {
	const rows, most = 20_000, 6 << 20
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	at := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	past(t, app, at, rows)
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // measure live memory rather than uncollected garbage
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	seen := &weight{before: stats.HeapAlloc}
	span := books.Span{Shop: one.Code, Test: true, Since: at, Before: time.Now(), Zone: one.Zone()}
	check.Must(t, app.Books.Write(t.Context(), books.ExportPayments, span, seen))
	t.Logf("%d bytes in %d pages took %d bytes of memory at most", seen.bytes, seen.pages, seen.peak)
	if seen.pages < rows/2000 || seen.bytes < rows*80 || seen.peak > most {
		t.Errorf("%d bytes in %d pages took %d bytes of memory, want at most %d", seen.bytes, seen.pages, seen.peak, most)
	}
}

// weight measures the heap at each page.
type weight struct {
	before, peak uint64
	bytes, pages int
}

func (w *weight) Write(page []byte) (int, error) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	w.peak = max(w.peak, max(stats.HeapAlloc, w.before)-w.before)
	w.bytes, w.pages = w.bytes+len(page), w.pages+1
	return len(page), nil
}

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
	check.Must(t, err)
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

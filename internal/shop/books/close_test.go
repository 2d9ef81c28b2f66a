package books_test

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
)

func TestADayIsClosedOnlyOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	change(t, app, "UPDATE shop SET abn = '51 824 753 556', gst_included = true WHERE code = 'panezski'")
	id := pay(t, app, "4111111111111111")
	refund(t, app, id, 400)
	var wait sync.WaitGroup
	made := make([]bool, 8)
	for i := range made {
		wait.Go(func() {
			c, first, err := app.Books.Close(t.Context(), owner, one, true, nil)
			if made[i] = first; err != nil || c.No != 1 {
				t.Errorf("closing number %d, %v", c.No, err)
			}
		})
	}
	wait.Wait()
	check.Equal(t, len(slices.DeleteFunc(made, func(first bool) bool { return !first })), 1, "… of eight closed the day")
	c, err := app.Books.Closing(t.Context(), one, true, 1)
	want := books.Totals{{Currency: "AUD", Method: "card", Payments: 1, Taken: 1100, GST: 100, Refunds: 1, Refunded: 400, RefundGST: 36}}
	if err != nil || !slices.Equal(c.Totals, want) {
		t.Fatalf("%+v, %v", c, err)
	}
	check.Equal(t, recounts(t, app, c), true, "the books agree with the closing")
	check.Equal(t, string(app.Receipts.SignText(c.Text()).Signature), string(c.Signature), "the signature does not match the text")
	// Later payments belong to the next closing, an empty day is closed too, and the numbers have no gap.
	pay(t, app, "4111111111111111")
	for i, payments := range []int{1, 0} {
		number := i + 2
		yesterday(t, app)
		next, first, err := app.Books.Close(t.Context(), owner, one, true, nil)
		if err != nil || !first || int(next.No) != number || !next.Since.Equal(c.UntilAt) {
			t.Fatalf("closing %d: %+v, %t, %v", number, next, first, err)
		}
		if c = next; len(c.Totals) != payments || payments > 0 && c.Totals[0].Payments != payments {
			t.Errorf("closing %d: %+v", number, c.Totals)
		}
		check.Equal(t, recounts(t, app, c), true, "the books agree with closing %d", number)
	}
	change(t, app, "UPDATE movement SET amount_minor = 1099 WHERE kind = 'capture' AND transaction_id = $1", id)
	first, _ := app.Books.Closing(t.Context(), one, true, 1)
	check.Equal(t, recounts(t, app, first), false, "changed books agree with the closing")
}

// A refund that the ledger lists late belongs to its own day in the statement and to the next closing.
func TestWhatIsListedLateIsInTheNextClosing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	id := pay(t, app, "4111111111111111")
	closes := func(want books.Totals) {
		t.Helper()
		yesterday(t, app)
		c, made, err := app.Books.Close(t.Context(), owner, one, true, nil)
		if err != nil || !made || !reflect.DeepEqual(c.Totals, want) {
			t.Errorf("closing %d: %+v, want %+v, %t, %v", c.No, c.Totals, want, made, err)
		}
		for no := range c.No {
			earlier, err := app.Books.Closing(t.Context(), one, true, int(no)+1)
			check.Must(t, err)
			check.Equal(t, recounts(t, app, earlier), true, "the books agree with closing %d", no+1)
		}
	}
	closes(books.Totals{{Currency: "AUD", Method: "card", Payments: 1, Taken: 1100, GST: 100}})
	change(t, app, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid)
		SELECT gen_random_uuid(), id, shop_code, 400, currency, test_mode, 'ledger', now(), 'done', now() - interval '60 hours', 'r1' FROM transaction WHERE id = $1`, id)
	closes(books.Totals{{Currency: "AUD", Method: "card", Refunds: 1, Refunded: 400, RefundGST: 36}})
	holds := func(minor int, age string) {
		t.Helper()
		change(t, app, `SELECT bank_holds(gen_random_uuid(), id, $2, 'USD', now() - $3::text::interval) FROM attempt WHERE transaction_id = $1`,
			id, minor, age)
	}
	holds(700, "50 hours")
	change(t, app, `INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
		VALUES ('p1', 'panezski', 'AUD', true, 0, 20, -20, now())`)
	change(t, app, "SELECT payout_place(number) FROM payout")
	closes(books.Totals{{Currency: "AUD", Fees: 20}, {Currency: "USD", Method: "card", Lost: 1, BankTook: 700}})
	holds(0, "0 hours")
	closes(books.Totals{{Currency: "USD", Method: "card", Won: 1, BankGave: 700}})
	rows := table(t, write(t, app, books.ExportDisputes,
		books.Span{Shop: one.Code, Test: true, Since: time.Now().AddDate(0, 0, -9), Before: time.Now().Add(time.Minute), Zone: one.Zone()}))
	if len(rows) != 2 || rows[0]["what"] != "taken" || rows[0]["amount"] != "-7.00" || rows[1]["what"] != "returned" ||
		rows[1]["currency"] != "USD" {
		t.Errorf("the table of disputes has %v", rows)
	}
}

// recounts reports whether the books still have the totals of a closing.
func recounts(t *testing.T, app *apptest.App, c books.Closing) bool {
	t.Helper()
	counted, err := app.Books.Recount(t.Context(), c)
	check.Must(t, err)
	t.Logf("closing %d had %+v and is recounted as %+v", c.No, c.Totals, counted)
	return reflect.DeepEqual(counted, c.Totals)
}

// A backup lacks the closings made after it. After a restore their numbers are reused, but no two closings have the same name.
func TestNoTwoClosingsHaveTheSameNameAfterARestore(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	seen := map[string]bool{}
	closes := func(want string) {
		t.Helper()
		yesterday(t, app)
		c, made, err := app.Books.Close(t.Context(), owner, one, true, nil)
		if err != nil || !made || c.Name() != want || seen[c.Name()] {
			t.Fatalf("closing %q, want %q: %t, %v", c.Name(), want, made, err)
		}
		seen[c.Name()] = true
		signed := books.Signed(c)
		if holds, err := app.Receipts.HoldsStored(t.Context(), signed); err != nil || !holds {
			t.Errorf("closing %q: %t, %v, %s", c.Name(), holds, err, signed.Text)
		}
		if again, err := app.Books.Closing(t.Context(), one, true, int(c.No)); err != nil || again.Text() != c.Text() {
			t.Errorf("the stored closing is %s, %v", again.Text(), err)
		}
	}
	closes("1")
	closes("2")
	for _, restored := range []string{"2026-11-23T07:42:05Z", "2026-11-23T09:00:00Z"} { // the same backup restored twice
		for _, statement := range []string{"DELETE FROM closing WHERE no > 1", "DELETE FROM restore WHERE restored_at < '" + restored + "'"} {
			dbtest.Exec(t, app.Owner(t), statement)
		}
		change(t, app, "INSERT INTO restore (backup_at, restored_at) VALUES ('2026-11-22', $1)", restored)
		name := "20261123-074205"
		if len(seen) > 2 {
			name = "20261123-090000"
		}
		closes("2 R" + name)
		closes("3 R" + name)
	}
}

// yesterday moves all existing closings to earlier days.
func yesterday(t *testing.T, app *apptest.App) {
	t.Helper()
	change(t, app, "UPDATE closing SET day = day - 1000 + no WHERE day > now() - interval '500 days'")
}

// Payments that settle while a day is being closed belong to exactly one closing: one that is not committed yet makes the closing wait.
func TestAPaymentBelongsToOneClosing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	start := time.Now()
	past(t, app, start.Add(-48*time.Hour), 10)
	past(t, app, start.Add(-2*time.Hour), 40)
	change(t, app, "DELETE FROM movement WHERE moved_at > $1", start.Add(-24*time.Hour))
	change(t, app, "UPDATE attempt SET state = 'declined' WHERE settled_at > $1", start.Add(-24*time.Hour))
	ids := dbtest.Value[[]string](t, app.Pool, "SELECT array_agg(id::text) FROM attempt WHERE state = 'declined'")
	close1 := func() books.Closing {
		yesterday(t, app)
		c, made, err := app.Books.Close(t.Context(), owner, one, true, nil)
		if err != nil || !made {
			t.Error(made, err)
		}
		return c
	}
	check.Equal(t, close1().Totals[0].Payments, 10, "payments of the first closing")
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	dbtest.Exec(t, tx, "UPDATE attempt SET state = 'approved', settled_at = now() WHERE id = $1", ids[0])
	closed := make(chan books.Closing)
	go func() { closed <- close1() }()
	for dbtest.Value[int](t, app.Pool,
		"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND mode = 'ExclusiveLock'") == 0 {
		runtime.Gosched()
	}
	check.Must(t, tx.Commit(t.Context()))
	if c := <-closed; len(c.Totals) != 1 || c.Totals[0].Payments != 1 {
		t.Errorf("closing %d: %+v, want the one payment that it waited for", c.No, c.Totals)
	}
	total := 11
	var wait sync.WaitGroup
	for i := range 3 {
		wait.Go(func() {
			for j := 1 + i; j < len(ids); j += 3 {
				_, err := app.Pool.Exec(t.Context(), "UPDATE attempt SET state = 'approved', settled_at = now() WHERE id = $1", ids[j])
				check.NoError(t, err)
			}
		})
	}
	for range 5 {
		for _, one := range close1().Totals {
			total += one.Payments
		}
	}
	wait.Wait()
	for _, one := range close1().Totals {
		total += one.Payments
	}
	check.Equal(t, total, 50, "payments of the closings")
	list, next, err := app.Books.Closings(t.Context(), one, true, "")
	if err != nil || next != "" || len(list) != 8 {
		t.Fatal(len(list), next, err)
	}
	for i, c := range list {
		check.Equal(t, int(c.No), 8-i, "number")
		check.Equal(t, recounts(t, app, c), true, "the books agree with closing %d", c.No)
	}
}

func TestTradingDay(t *testing.T) {
	t.Parallel()
	one := shop.Shop{Shop: db.Shop{TimeZone: "Australia/Sydney"}}
	for at, want := range map[string]string{
		"2026-11-23T12:59:00+11:00": "2026-11-23",
		"2026-11-24T00:30:00+11:00": "2026-11-23", // after midnight: the previous evening
		"2026-11-24T04:59:59+11:00": "2026-11-23",
		"2026-11-24T05:00:00+11:00": "2026-11-24",
		"2026-10-04T01:59:59+10:00": "2026-10-03", // a day of 23 hours: 2 am does not exist
		"2026-10-04T03:00:00+11:00": "2026-10-03",
		"2026-10-04T05:00:00+11:00": "2026-10-04",
		"2026-10-04T23:59:59+11:00": "2026-10-04",
		"2026-04-05T02:30:00+11:00": "2026-04-04", // a day of 25 hours: 2 am occurs twice
		"2026-04-05T02:30:00+10:00": "2026-04-04",
		"2026-04-05T05:00:00+10:00": "2026-04-05",
		"2026-03-01T00:00:00+11:00": "2026-02-28",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		check.Must(t, err)
		check.Equal(t, one.TradingDay(moment).Format(time.DateOnly), want, "%s belongs to", at)
		begins, ends, _ := one.DayOf(moment)
		check.Equal(t, begins.Format("2006-01-02 15:04"), want+" 05:00", "the day of %s begins", at)
		check.Equal(t, !moment.Before(begins) && moment.Before(ends), true, "%s is within its day", at)
	}
}

func closing() books.Closing {
	row := db.Closing{
		No: 12, TestMode: true, Day: pgtype.Date{Time: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)},
		Since: time.Date(2026, 11, 22, 11, 0, 0, 123000, time.UTC), UntilAt: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
		TimeZone: "Australia/Sydney", Business: "Panezski\nnumber: 99", Abn: "51 824 753 556", Signature: []byte(strings.Repeat("s", 64)),
	}
	return books.Closing{
		Closing: row,
		Totals: books.Totals{
			{Currency: "AUD", Method: state.Card, Payments: 2, Taken: 120050, GST: 10914, Refunds: 1, Refunded: 300, RefundGST: 27},
			{Currency: "USD", Method: state.ApplePay, Refunds: 1, Refunded: 700},
			{Currency: "USD", Method: state.Card, Lost: 2, BankTook: 1400, Won: 1, BankGave: 700},
			{Currency: "USD", Fees: 35},
		},
	}
}

// A closing made before the first restore has no series; a later one keeps its own.
func TestTheSeriesIsPartOfTheSignedText(t *testing.T) {
	t.Parallel()
	c := closing()
	check.Equal(t, c.Name(), "12", "before a restore the closing is named")
	c.Series = "20261123-074205"
	if text := c.Text(); c.Name() != "12 R20261123-074205" || !strings.Contains(text, "\nnumber: 12\nseries: 20261123-074205\nday: ") {
		t.Errorf("%q has the text %s", c.Name(), text)
	}
	file, err := c.JSON()
	check.Must(t, err)
	if again, err := books.ReadClosingFile(file); err != nil || again.Text() != c.Text() || again.Series != c.Series {
		t.Errorf("the file was read back as %+v, %v", again, err)
	}
	other := strings.Replace(string(file), c.Series, "20261123-074206", 1)
	if again, err := books.ReadClosingFile([]byte(other)); err != nil || again.Text() == c.Text() {
		t.Errorf("another series has the same text: %v", err)
	}
	for _, wrong := range []string{"", "1\\nday: 2026-11-24"} {
		if again, err := books.ReadClosingFile([]byte(strings.Replace(string(file), c.Series, wrong, 1))); err == nil && again.Text() == c.Text() {
			t.Errorf("series %q was accepted as %+v", wrong, again)
		}
	}
}

func TestAClosingIsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	c := closing()
	const want = `Forecourt closing 1
business: Panezski number: 99
abn: 51 824 753 556
number: 12
day: 2026-11-23
since: 2026-11-22T11:00:00.000123Z
until: 2026-11-23T11:00:00Z
zone: Australia/Sydney
mode: test
total: AUD card 2 1200.50 109.14 1 3.00 0.27
total: USD apple 0 0.00 0.00 1 7.00 0.00
total: USD card 0 0.00 0.00 0 0.00 0.00 2 14.00 1 7.00 0.00
total: USD - 0 0.00 0.00 0 0.00 0.00 0 0.00 0 0.00 0.35
`
	check.MustEqual(t, c.Text(), want, "c.Text")
	again, err := books.ReadClosing(want)
	if err != nil || again.Text() != want || !slices.Equal(again.Totals, c.Totals) || again.No != 12 || !again.Since.Equal(c.Since) {
		t.Errorf("the text was read back as %+v, %v", again, err)
	}
	file, err := c.JSON()
	check.Must(t, err)
	fromFile, err := books.ReadClosingFile(file)
	if err != nil || fromFile.Text() != want || string(fromFile.Signature) != string(c.Signature) {
		t.Errorf("the file was read back as %+v, %v", fromFile, err)
	}
	compact := strings.NewReplacer("\n", "", "  ", "").Replace(string(file))
	_, err = books.ReadClosingFile([]byte(compact))
	check.NoError(t, err, "the compact file")
	for name, text := range map[string]string{
		"nothing":                     "",
		"a receipt":                   strings.Replace(want, "closing", "receipt", 1),
		"another order":               strings.Replace(want, "mode: test\n", "", 1) + "mode: test\n",
		"an additional line":          want + "note: x\n",
		"an incomplete total":         want + "total: AUD card 1 1.00\n",
		"a word as a total":           strings.Replace(want, "1200.50", "many", 1),
		"cut short":                   want[:len(want)-1],
		"a number with leading zeros": strings.Replace(want, "number: 12", "number: 012", 1),
		"an invalid date":             strings.Replace(want, "2026-11-23\n", "2026-11-31\n", 1),
		"Windows line ends":           strings.ReplaceAll(want, "\n", "\r\n"),
		"thousands of totals":         want + strings.Repeat("total: AUD card 2 1200.50 109.14 1 3.00 0.27\n", 5000),
	} {
		got, err := books.ReadClosing(text)
		check.Error(t, err, "%s was accepted as %+v", name, got)
	}
	escaped := strings.NewReplacer("Panezski", `\u0050anezski`).Replace(string(file))
	if got, err := books.ReadClosingFile([]byte(escaped)); err != nil || got.Text() != want {
		t.Errorf("the file with an escaped letter: %+v, %v", got, err)
	}
	for name, text := range map[string]string{
		"nothing":                              "",
		"two files":                            string(file) + string(file),
		"a bracket too many":                   string(file) + "}",
		"a number twice, the signed one last":  strings.Replace(string(file), `"number"`, `"number": 99, "number"`, 1),
		"a number twice, the signed one first": strings.Replace(string(file), `"number": 12`, `"number": 12, "Number": 12`, 1),
		"a total twice":                        strings.Replace(string(file), `"taken"`, `"taken": "9.00", "taken"`, 1),
		"a name in other letters":              strings.Replace(string(file), `"number"`, `"Number"`, 1),
		"an unsigned field":                    strings.Replace(string(file), "{", `{"note": "paid twice",`, 1),
		"a smuggled line":                      strings.Replace(string(file), `"mode": "test"`, `"mode": "test\ntotal: AUD card 1 1.00 0.00 0 0.00 0.00"`, 1),
		"a null":                               "null",
		"a list":                               "[]",
	} {
		got, err := books.ReadClosingFile([]byte(text))
		check.Error(t, err, "the file with %s was accepted as %+v", name, got)
	}
}

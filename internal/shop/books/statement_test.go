package books_test

import (
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/shop/books"
)

// Clocks in Sydney go forward on 4 October 2026 and back on 5 April.
func TestDaysOf23And25Hours(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	for _, at := range []string{
		"2026-10-03T13:59:59Z", // the last second of the 3rd
		"2026-10-03T14:00:00Z", // the first of the 4th, which has 23 hours
		"2026-10-04T12:59:59Z", // the last of the 4th
		"2026-10-04T13:00:00Z", // the first of the 5th
		"2026-04-04T12:59:59Z", // the last second of the 4th
		"2026-04-04T13:00:00Z", // the first of the 5th, which has 25 hours
		"2026-04-05T13:59:59Z", // the last of the 5th
		"2026-04-05T14:00:00Z", // the first of the 6th
	} {
		moment, err := time.Parse(time.RFC3339, at)
		check.Must(t, err)
		past(t, app, moment, 1)
	}
	for _, tt := range []struct {
		day   string
		hours int
	}{{"2026-10-04", 23}, {"2026-04-05", 25}} {
		day, err := time.Parse(time.DateOnly, tt.day)
		check.Must(t, err)
		span := books.SpanOf(one, true, day, day)
		rows := table(t, write(t, app, books.ExportPayments, span))
		if got := span.Before.Sub(span.Since); got != time.Duration(tt.hours)*time.Hour || len(rows) != 2 || rows[0]["date"] != tt.day || rows[1]["date"] != tt.day {
			t.Errorf("%s has %s and the rows %v", tt.day, got, rows)
		}
		if rows[0]["time"] != "00:00:00" || rows[1]["time"] != "23:59:59" || rows[0]["zone"] == rows[1]["zone"] {
			t.Errorf("%s: %v", tt.day, rows)
		}
		st, err := app.Books.Statement(t.Context(), one, true, day)
		if err != nil || len(st.Days) != 3 || st.Days[1].Day.Format(time.DateOnly) != tt.day {
			t.Fatalf("%+v, %v", st.Days, err)
		}
		for i, want := range []int{1, 2, 1} {
			if got := st.Days[i].Totals[0]; got.Payments != want || got.Taken != int64(want)*100 || got.GST != int64(want)*9 {
				t.Errorf("day %d around %s: %+v", i, tt.day, got)
			}
		}
		check.Equal(t, st.Totals[0].Payments, 4, "the month of %s: %+v", tt.day, st.Totals)
	}
}

func TestAStatementHasLostDisputesForEachCurrency(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	for i, currency := range []string{"AUD", "GBP", "AUD"} {
		change(t, app, "SELECT bank_holds(gen_random_uuid(), id, $2::bigint, $3, now()) FROM attempt WHERE transaction_id = $1",
			pay(t, app, "4111111111111111"), 100<<i, currency)
	}
	st, err := app.Books.Statement(t.Context(), one, true, time.Now().In(one.Zone()))
	check.Must(t, err)
	sums := st.Totals.Currencies()
	check.Equal(t, len(sums), 2, "currencies of %+v", sums)
	check.Equal(t, [2]int64{int64(sums[0].Lost), sums[0].BankTook}, [2]int64{2, 500}, "lost in %s", sums[0].Currency)
	check.Equal(t, [2]int64{int64(sums[1].Lost), sums[1].BankTook}, [2]int64{1, 200}, "lost in %s", sums[1].Currency)
}

func TestAStatementListsTwoHundredPayouts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, _ := bakery(t, app)
	for _, tt := range []struct {
		from, to int
		more     bool
	}{{1, 200, false}, {201, 201, true}} {
		change(t, app, `INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
			SELECT 'p' || n, $1, 'AUD', true, 100, 2, 98, now() FROM generate_series($2::integer, $3::integer) n`, one.Code, tt.from, tt.to)
		st, err := app.Books.Statement(t.Context(), one, true, time.Now().In(one.Zone()))
		if err != nil || len(st.Payouts) != 200 || st.MorePayouts != tt.more {
			t.Errorf("of %d payouts it lists %d, more: %t, %v", tt.to, len(st.Payouts), st.MorePayouts, err)
		}
	}
}

package books_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/shop/books"
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
			c, first, err := app.Books.Close(t.Context(), owner, one)
			if made[i] = first; err != nil || c.Number != 1 {
				t.Errorf("closing number %d, %v", c.Number, err)
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
	if counted, err := app.Books.Recount(t.Context(), one, c); err != nil || !reflect.DeepEqual(counted, c.Totals) {
		t.Errorf("recounted: %+v, %v", counted, err)
	}
	check.Equal(t, string(app.Receipts.SignText(c.Text()).Signature), string(c.Signature), "the signature does not match the text")
	// Later payments belong to the next closing, an empty day is closed too, and the numbers have no gap.
	pay(t, app, "4111111111111111")
	for number, payments := range []int{2: 1, 3: 0} {
		if number < 2 {
			continue
		}
		yesterday(t, app)
		next, first, err := app.Books.Close(t.Context(), owner, one)
		if err != nil || !first || next.Number != number || !next.Since.Equal(c.Until) {
			t.Fatalf("closing %d: %+v, %t, %v", number, next, first, err)
		}
		if c = next; len(c.Totals) != payments || payments > 0 && c.Totals[0].Payments != payments {
			t.Errorf("closing %d: %+v", number, c.Totals)
		}
		if counted, err := app.Books.Recount(t.Context(), one, c); err != nil || !reflect.DeepEqual(counted, c.Totals) {
			t.Errorf("recounted: %+v, %v", counted, err)
		}
	}
	change(t, app, "UPDATE attempt SET captured_minor = 1099 WHERE transaction_id = $1", id)
	first, _ := app.Books.Closing(t.Context(), one, true, 1)
	if counted, err := app.Books.Recount(t.Context(), one, first); err != nil || reflect.DeepEqual(counted, first.Totals) {
		t.Errorf("the recount of changed books agrees: %+v, %v", counted, err)
	}
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
		c, made, err := app.Books.Close(t.Context(), owner, one)
		if err != nil || !made || c.Name() != want || seen[c.Name()] {
			t.Fatalf("closing %q, want %q: %t, %v", c.Name(), want, made, err)
		}
		seen[c.Name()] = true
		signed := books.Signed(c)
		if holds, err := app.Receipts.HoldsStored(t.Context(), signed); err != nil || !holds {
			t.Errorf("closing %q: %t, %v, %s", c.Name(), holds, err, signed.Text)
		}
		if again, err := app.Books.Closing(t.Context(), one, true, c.Number); err != nil || again.Text() != c.Text() {
			t.Errorf("the stored closing is %s, %v", again.Text(), err)
		}
	}
	closes("1")
	closes("2")
	for _, restored := range []string{"2026-11-23T07:42:05Z", "2026-11-23T09:00:00Z"} { // the same backup restored twice
		for _, statement := range []string{"DELETE FROM closing_entry WHERE no > 1", "DELETE FROM closing WHERE no > 1", "DELETE FROM restore WHERE restored_at < '" + restored + "'"} {
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

// Payments that settle while a day is being closed belong to exactly one closing, whenever they commit.
func TestAPaymentBelongsToOneClosing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	one, owner := bakery(t, app)
	start := time.Now()
	past(t, app, start.Add(-48*time.Hour), 10)
	past(t, app, start.Add(-2*time.Hour), 40)
	change(t, app, "UPDATE attempt SET state = 'declined' WHERE id IN (SELECT id FROM attempt ORDER BY settled_at DESC LIMIT 40)")
	rows, err := app.Pool.Query(t.Context(), "SELECT id::text FROM attempt WHERE state = 'declined'")
	must.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must.NoError(t, err)
	// Each payment settles at the time at which its transaction began and commits some closings later.
	begun := make(chan func(), len(ids))
	for _, id := range ids[:4] {
		tx, err := app.Pool.Begin(t.Context())
		must.NoError(t, err)
		dbtest.Exec(t, tx, "UPDATE attempt SET state = 'approved', settled_at = now() WHERE id = $1", id)
		begun <- func() {
			check.NoError(t, tx.Commit(t.Context()))
		}
	}
	close1 := func() books.Closing {
		yesterday(t, app)
		c, made, err := app.Books.Close(t.Context(), owner, one)
		if err != nil || !made {
			t.Fatal(made, err)
		}
		return c
	}
	check.Equal(t, close1().Totals[0].Payments, 10, "payments of the first closing")
	total := 10
	for range 4 {
		(<-begun)()
		c := close1()
		if len(c.Totals) != 1 || c.Totals[0].Payments != 1 {
			t.Errorf("closing %d: %+v, want the one payment committed since", c.Number, c.Totals)
		}
		total++
	}
	var wait sync.WaitGroup
	for i := range 3 {
		wait.Go(func() {
			for j := 4 + i; j < len(ids); j += 3 {
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
	if err != nil || next != "" || len(list) != 11 {
		t.Fatal(len(list), next, err)
	}
	for i, c := range list {
		counted, err := app.Books.Recount(t.Context(), one, c)
		if err != nil || !reflect.DeepEqual(counted, c.Totals) || c.Number != 11-i {
			t.Errorf("closing %d had %+v and is recounted as %+v, %v", c.Number, c.Totals, counted, err)
		}
	}
}

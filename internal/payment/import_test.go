package payment_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/dbtest"
	"forecourt/internal/must"
	"forecourt/internal/payment"
)

// A line that moves no money must not keep every business closed.
func TestALineWithoutMoneyDoesNotStopTheImport(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	first, second := paid(t, app), app.Order(t)
	g.add("refund", uuid.NewString(), first, "0.00", "AUD")
	g.add("capture", uuid.NewString(), app.Order(t), "0.00", "AUD")
	g.add("capture", uuid.NewString(), second, "11.00", "AUD")
	changeByHand(t, app, closed)
	done, err := app.Payments.ImportLedger(t.Context(), "test", true)
	if err != nil || done.Captures != 1 || done.Refunds != 0 || len(done.People) != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, d := range done.People {
		if d.Problem != "it moves no money" {
			t.Errorf("the problem is %q", d.Problem)
		}
	}
	if got := stored(t, app, second).Transaction.Status; got != "success" {
		t.Errorf("the payment of the other capture is %q", got)
	}
	if n := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE state = 'manual'"); n != 0 {
		t.Errorf("%d payments wait for a person", n)
	}
}

func TestThePayerOfAnImportedCaptureGetsTheReceiptOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app) // with ann@example.com
	changeByHand(t, app, forgotten+"DELETE FROM river_job;"+closed)
	for range 2 {
		if _, err := app.Payments.ImportLedger(t.Context(), "test", false); err != nil {
			t.Fatal(err)
		}
		changeByHand(t, app, closed)
	}
	want := []string{"receipt/" + id + "/customer", "receipt/" + id + "/merchant"}
	if got := letters(t, app); !slices.Equal(got, want) {
		t.Errorf("letters %q, want %q", got, want)
	}
	if n := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE consumer_email = 'ann@example.com' AND card_last_four = '1111'"); n != 1 {
		t.Error("the receipt lacks its payer")
	}
}

func TestACaptureInAnotherCurrencyBalancesOnceGivenBack(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(dollars, dollars, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	id := app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
	if err != nil || a.State != "manual" {
		t.Fatal(a.State, err)
	}
	g.add("capture", a.ID.String(), id, "99.00", "USD")
	compare := func() payment.Comparison {
		t.Helper()
		c, err := app.Payments.Reconcile(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
		must.NoError(t, err)
		return c
	}
	if c := compare(); len(c.Differences) != 1 {
		t.Errorf("before giving it back: %+v", c.Differences)
	}
	must.NoError(t, app.Payments.Decide(t.Context(), payment.Decision{Of: a.ID, End: payment.EndGivenBack, By: "Kim", Reason: "wrong currency"}))
	refund := dbtest.Value[string](t, app.Pool, "SELECT id FROM refund")
	g.add("refund", refund, id, "99.00", "USD")
	c := compare()
	if len(c.Differences) != 0 {
		t.Errorf("after giving it back: %+v", c.Differences)
	}
	if got, want := c.Totals[payment.Book{Merchant: "panezski", Currency: "USD", TestMode: true}], (payment.Total{Captures: 1, Refunds: 1, Captured: 9900, Refunded: 9900}); got != want {
		t.Errorf("the book has %+v, want %+v", got, want)
	}
	changeByHand(t, app, closed)
	if done, err := app.Payments.ImportLedger(t.Context(), "test", true); errors.Is(err, payment.ErrOpen) || len(done.People) != 0 {
		t.Errorf("an import lists %+v, %v", done.People, err)
	}
}

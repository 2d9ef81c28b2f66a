package payment_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
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
		check.Contains(t, d.Says, "it moves no money", "the problem")
	}
	check.Equal(t, stored(t, app, second).Transaction.Status, "success", "the payment of the other capture")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE state = 'manual'"), 0, "payments wait for a person")
}

func TestThePayerOfAnImportedCaptureGetsTheReceiptOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app) // with ann@example.com
	changeByHand(t, app, forgotten+"DELETE FROM river_job;"+closed)
	for range 2 {
		_, err := app.Payments.ImportLedger(t.Context(), "test", false)
		check.Must(t, err)
		changeByHand(t, app, closed)
	}
	want := []string{"receipt/" + id + "/customer", "receipt/" + id + "/merchant"}
	check.List(t, letters(t, app), want, "letters")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE consumer_email = 'ann@example.com' AND card_last_four = '1111'"), 1,
		"the receipt lacks its payer")
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
	compare := func() settlement.Comparison {
		t.Helper()
		c, err := app.Settlement.Compare(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
		check.Must(t, err)
		return c
	}
	check.Empty(t, compare().Cases, "while it waits for a person")
	check.Must(t, app.Payments.Decide(t.Context(), payment.Decision{Of: a.ID, End: payment.EndGivenBack, By: "Kim", Reason: "wrong currency"}))
	refund := dbtest.Value[string](t, app.Pool, "SELECT id FROM refund")
	g.add("refund", refund, id, "99.00", "USD")
	c := compare()
	check.Empty(t, c.Cases, "after giving it back")
	check.List(t, c.Totals, []db.LedgerTotalsRow{{
		Merchant: "panezski", Currency: "USD", TestMode: true, Captures: 1, Refunds: 1, CapturedMinor: 9900, RefundedMinor: 9900,
	}}, "the totals")
	changeByHand(t, app, closed)
	if done, err := app.Payments.ImportLedger(t.Context(), "test", true); errors.Is(err, payment.ErrOpen) || len(done.People) != 0 {
		t.Errorf("an import lists %+v, %v", done.People, err)
	}
}

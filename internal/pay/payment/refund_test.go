package payment_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// paid makes and pays an order of $11.00.
func paid(t *testing.T, app *apptest.App) string {
	t.Helper()
	id := app.Order(t)
	_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
	check.Must(t, err)
	settled(t, app, id)
	return id
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	refund := func(amount int64, again bool) error {
		r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: amount, By: "test", Again: again})
		if err == nil && r.State != "done" {
			t.Errorf("the refund is %q", r.State)
		}
		return err
	}
	for _, step := range []struct {
		name   string
		amount int64
		again  bool
		want   error
		left   int64
	}{
		{"a part", 300, false, nil, 800},
		{"the same again by mistake", 300, false, payment.ErrEqualRefund, 800},
		{"the same again on purpose", 300, true, nil, 500},
		{"more than the rest", 501, false, payment.ErrTooMuch, 500},
		{"the whole rest", 0, false, nil, 0},
		{"a refund when nothing is left", 0, false, payment.ErrTooMuch, 0},
		{"one cent more", 1, true, payment.ErrTooMuch, 0},
	} {
		check.ErrorIs(t, refund(step.amount, step.again), step.want, "%s", step.name)
		trx := stored(t, app, id).Transaction
		check.Equal(t, trx.AmountMinor-trx.RefundedMinor, step.left, "%s: … left", step.name)
	}
	var back int
	for _, entry := range app.Captures(t, id) {
		if entry.Kind == "refund" {
			back++
		}
	}
	check.Equal(t, back, 3, "the gateway refunded … times")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM order_line WHERE status <> 'cancelled'"), 0,
		"lines to make of the kitchen still")
	_, err := app.Pool.Exec(t.Context(), "UPDATE audit SET reason = ''")
	check.Error(t, err, "an audit row was changed")
}

func TestAnUnpaidTransactionIsNotRefunded(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for id, want := range map[string]error{app.Order(t): payment.ErrNotPaid, "no-such-transaction-here": payment.ErrMissing} {
		if _, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, By: "test"}); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

func TestConcurrentRefundsNeverExceedTheCapture(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			_, _ = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 400, By: "test", Again: true})
		})
	}
	wait.Wait()
	var total int64
	for _, entry := range app.Captures(t, id) {
		if entry.Kind == "refund" {
			total += 400
		}
	}
	if trx := stored(t, app, id).Transaction; total > 1100 || trx.RefundedMinor != total {
		t.Errorf("the gateway gave back %d, our books say %d of 1100", total, trx.RefundedMinor)
	}
}

func TestAnInterruptedRefundIsResumedWithItsReference(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	broken.Store(true)
	var references sync.Map
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, approved, "one", "") })
	mux.HandleFunc("POST /api/refund", func(w http.ResponseWriter, r *http.Request) {
		body := decode(t, r)
		references.Store(body["reference"], true)
		if broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	})
	app := apptest.New(t, apptest.Options{Gateway: mux})
	id := paid(t, app)
	first, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 500, By: "test"})
	if err != nil || first.State != "open" {
		t.Fatalf("refund %q, %v; want it open", first.State, err)
	}
	_, err = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.ErrorIs(t, err, payment.ErrOtherRefund, "another amount meanwhile")
	broken.Store(false)
	again, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 500, By: "test"})
	if err != nil || again.State != "done" || again.ID != first.ID {
		t.Errorf("resumed as %v %q, %v; want %v done", again.ID, again.State, err, first.ID)
	}
	count := 0
	references.Range(func(any, any) bool { count++; return true })
	check.Equal(t, count, 1, "the refund used … references")
}

func TestADeclinedRefundReleasesItsAmount(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, approved, "one", "") })
	mux.HandleFunc("POST /api/refund", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnprocessableEntity) })
	app := apptest.New(t, apptest.Options{Gateway: mux})
	id := paid(t, app)
	r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 500, By: "test"})
	if err != nil || r.State != "declined" {
		t.Fatalf("refund %q, %v", r.State, err)
	}
	check.Equal(t, stored(t, app, id).Transaction.RefundedMinor, 0, "cents stay reserved")
}

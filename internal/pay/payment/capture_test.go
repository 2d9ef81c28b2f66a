package payment_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// capturing is a gateway with one answer to payments, another to later questions and a third to refunds.
type capturing struct {
	pay, later, refund atomic.Pointer[string]
	resolved           atomic.Int64
	refunds            atomic.Pointer[map[string]any] // the last requested refund
}

func newCapturing(pay, later, refund string) *capturing {
	g := &capturing{}
	g.pay.Store(&pay)
	g.later.Store(&later)
	g.refund.Store(&refund)
	return g
}

func (g *capturing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/api/pay":
		fmt.Fprint(w, *g.pay.Load())
	case r.URL.Path == "/api/refund":
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		g.refunds.Store(&body)
		fmt.Fprint(w, *g.refund.Load())
	default:
		if strings.HasSuffix(r.URL.Path, "/resolve") {
			g.resolved.Add(1)
		}
		fmt.Fprint(w, *g.later.Load())
	}
}

const (
	sure     = `{"status":{"responsetype":"1","statuscode":"0"}}` // approved, without further fields
	dollars  = `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-5","amount":"99.00","currency":"USD"}`
	refused  = `{"status":{"responsetype":"0","statuscode":"5"}}`
	returned = `{"status":"done","refundid":"R-1"}`
)

// manual returns a payment at g that waits for a person.
func manual(t *testing.T, g http.Handler) (app *apptest.App, id string, attempt uuid.UUID) {
	t.Helper()
	app = apptest.New(t, apptest.Options{Gateway: g})
	id = app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
	check.Must(t, err)
	// Undo what the sweep has made of the payment, including a receipt, and lock in its order.
	changeByHand(t, app, "UPDATE transaction SET status = 'processing', approved_attempt = NULL, paid_at = NULL;"+
		"UPDATE attempt SET created_at = now() - interval '6 minutes', lease_until = now() + interval '1 hour', state = 'manual', settled_at = NULL;"+
		"DELETE FROM receipt")
	return app, id, a.ID
}

func TestAPersonGivesACaptureItsMissingTransactionID(t *testing.T) {
	t.Parallel()
	t.Run("when it is decided", func(t *testing.T) {
		t.Parallel()
		g := newCapturing("<html>", sure, returned)
		app, id, attempt := manual(t, g)
		d := payment.Decision{Of: attempt, End: payment.EndGivenBack, By: "Kim", Reason: "rang the bank"}
		check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrNoCaptureID, "giving back without an id")
		d.TransactionID = "T\x00"
		check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptureID, "giving back with an invalid id")
		d.TransactionID = "T-7"
		check.Must(t, app.Payments.Decide(t.Context(), d))
		if got := *g.refunds.Load(); got["transactionid"] != "T-7" || got["amount"] != "11.00" {
			t.Errorf("the gateway was asked to refund %v", got)
		}
		if trx := stored(t, app, id).Transaction; trx.RefundedMinor != 1100 || trx.Transactionid != "T-7" {
			t.Errorf("the transaction is %+v", trx)
		}
	})
	t.Run("when it is refunded", func(t *testing.T) {
		t.Parallel()
		g := newCapturing("<html>", sure, returned)
		app, id, attempt := manual(t, g)
		check.Must(t, app.Payments.Decide(t.Context(), payment.Decision{Of: attempt, End: payment.EndApproved, By: "Kim",
			Reason: "rang the bank"}))
		order := payment.RefundRequest{TransactionID: id, By: "Kim"}
		_, err := app.Payments.Refund(t.Context(), order)
		check.ErrorIs(t, err, payment.ErrNoCaptureID, "refunded without an id")
		order.CaptureID = "T-7"
		if r, err := app.Payments.Refund(t.Context(), order); err != nil || r.State != "done" {
			t.Errorf("refunded with an id: %+v, %v", r, err)
		}
		order.CaptureID, order.Again = "T-8", true
		_, err = app.Payments.Refund(t.Context(), order)
		check.ErrorIs(t, err, payment.ErrCaptureID, "refunded with another id")
	})
	t.Run("but not against the gateway's own id", func(t *testing.T) {
		t.Parallel()
		app, _, attempt := manual(t, newCapturing("<html>", fmt.Sprintf(approved, "1", ""), returned))
		d := payment.Decision{Of: attempt, End: payment.EndApproved, By: "Kim", Reason: "rang the bank", TransactionID: "T-7"}
		check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptureID, "app.Payments.Decide")
	})
}

func TestACaptureInAnotherCurrencyCanOnlyBeGivenBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		refund  string
		err     error
		attempt string
		status  string
	}{
		{returned, nil, "not_charged", "error"},
		{`{"status":"pending"}`, payment.ErrGivingBack, "manual", "processing"},
		{`{"status":"declined"}`, payment.ErrGiveBackDeclined, "manual", "processing"},
	} {
		g := newCapturing(dollars, dollars, tt.refund)
		app, id, attempt := manual(t, g)
		d := payment.Decision{Of: attempt, End: payment.EndApproved, By: "Kim", Reason: "rang the bank"}
		check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrOtherCurrency, "accepting it")
		d.End = payment.EndGivenBack
		check.ErrorIs(t, app.Payments.Decide(t.Context(), d), tt.err, "giving it back with %s", tt.refund)
		if got := *g.refunds.Load(); got["transactionid"] != "T-5" || got["amount"] != "99.00" || got["currency"] != "USD" {
			t.Errorf("the gateway was asked to refund %v", got)
		}
		checkOne := func(attempt, status string) {
			t.Helper()
			if got := stored(t, app, id); string(got.AttemptState) != attempt || string(got.Transaction.Status) != status ||
				got.Position.RefundedMinor != 0 || got.Transaction.RefundedMinor != 0 {
				t.Errorf("with %s the attempt is %s, the transaction %s, refunded %d; want %s, %s, 0", tt.refund, got.AttemptState,
					got.Transaction.Status, got.Position.RefundedMinor, attempt, status)
			}
		}
		checkOne(tt.attempt, tt.status)
		if !strings.Contains(tt.refund, "pending") {
			continue
		}
		if err := app.Payments.Decide(t.Context(), d); !errors.Is(err, payment.ErrOtherRefund) {
			t.Errorf("giving it back once more: %v", err)
		}
		later := returned
		g.refund.Store(&later)
		changeByHand(t, app, "UPDATE refund SET lease_until = now()")
		apptest.Eventually(t, "the refund is done", func() bool {
			return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM refund WHERE state = 'done'") == 1
		})
		checkOne("not_charged", "error")
		if a, err := app.Payments.PayCard(t.Context(), "panezski", id, "again", typed(t, approvable)); err == nil {
			t.Errorf("a payment succeeded without Try Again: %+v", a)
		}
	}
}

func TestAChargedPaymentIsNotClosed(t *testing.T) {
	t.Parallel()
	charged := fmt.Sprintf(approved, "1", "")
	g := newCapturing(charged, charged, returned) // so that the sweep asks for nothing
	app, id, attempt := manual(t, g)
	d := payment.Decision{Of: attempt, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank"}
	if err := app.Payments.Decide(t.Context(), d); !errors.Is(err, payment.ErrCaptured) || g.resolved.Load() != 0 {
		t.Errorf("%v, and the gateway was asked to close it %d times", err, g.resolved.Load())
	}
	check.Equal(t, stored(t, app, id).AttemptState, "manual", "the attempt")
}

func TestADecisionIsVoidOnceTheGatewayHasCharged(t *testing.T) {
	t.Parallel()
	g := newCapturing("<html>", "<html>", returned)
	app, id, attempt := manual(t, g)
	d := payment.Decision{Of: attempt, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank"}
	against := (*payment.AgainstError)(nil)
	if err := app.Payments.Decide(t.Context(), d); !errors.As(err, &against) {
		t.Fatal(err)
	}
	charged := fmt.Sprintf(approved, "1", "")
	g.later.Store(&charged)
	d.Seen = against.Says
	check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptured,
		"deciding that nothing was charged after the gateway has charged")
	check.Equal(t, stored(t, app, id).AttemptState, "manual", "the attempt")
	d.End = payment.EndApproved
	check.NoError(t, app.Payments.Decide(t.Context(), d), "approving it")
}

package payment_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

func TestOneOfManyEqualConcurrentRefundsIsMade(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	var wait sync.WaitGroup
	for range 40 {
		wait.Go(func() {
			_, _ = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
		})
	}
	wait.Wait()
	back := 0
	for _, entry := range app.Captures(t, id) {
		if entry.Kind == "refund" {
			back++
		}
	}
	if trx := stored(t, app, id).Transaction; back != 1 || trx.RefundedMinor != 100 {
		t.Errorf("the gateway refunded %d times, our books say %d cents; want one refund of 100", back, trx.RefundedMinor)
	}
}

// A command that stalls after looking for an equal refund must not make a second one when it continues.
func TestARefundOvertakenByAnotherIsNotClaimed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.Must(t, err)
	claim := func(before int64) error {
		_, err := db.New(app.Pool).RefundClaim(t.Context(), db.RefundClaimParams{
			ID: uuid.New(), TransactionID: id, AmountMinor: 100, RequestedBy: "test", LeaseSeconds: 60, RefundedMinor: before,
		})
		return err
	}
	check.ErrorIs(t, claim(0), pgx.ErrNoRows, "a claim based on the state before the other refund")
	check.NoError(t, claim(100), "a claim based on the current state")
}

// A command that runs while the gateway declines another refund must not take its reserved amount for given back.
func TestTheAmountOfADeclinedRefundCanBeRefunded(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, approved, decode(t, r)["reference"], "")
	})
	mux.HandleFunc("POST /api/refund", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnprocessableEntity) })
	app := apptest.New(t, apptest.Options{Gateway: mux})
	id := paid(t, app)
	changeByHand(t, app, fmt.Sprintf(`WITH r AS (UPDATE transaction SET refunded_minor = amount_minor WHERE id = '%s')
		INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until)
		SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'test', now() + interval '1 hour'
		FROM transaction WHERE id = '%[1]s'`, id))
	tx, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	dbtest.Exec(t, tx, "LOCK TABLE refund")
	type result struct {
		refund db.Refund
		err    error
	}
	done := make(chan result, 1)
	go func() {
		r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, By: "test"})
		done <- result{r, err}
	}()
	apptest.Eventually(t, "the command looks for other refunds", func() bool {
		var waits bool
		err := app.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND query ~ 'name: (TransactionCapture|RefundOpen)')`).Scan(&waits)
		return err == nil && waits
	})
	dbtest.Exec(t, tx, `WITH r AS (UPDATE refund SET state = 'declined', settled_at = now())
		UPDATE transaction SET refunded_minor = 0`)
	check.Must(t, tx.Commit(t.Context()))
	if got := <-done; got.err != nil || got.refund.State != "declined" {
		t.Errorf("state %q, %v; want a separate refund, also declined", got.refund.State, got.err)
	}
}

// endedMeanwhile begins a refund of a whole payment, ends it by a statement while the gateway is asked, and lets the gateway answer that the
// refund is done.
func endedMeanwhile(t *testing.T, end string) (app *apptest.App, trx string, refund db.Refund) {
	t.Helper()
	asked, answer := make(chan struct{}, 2), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, approved, decode(t, r)["reference"], "")
	})
	mux.HandleFunc("POST /api/refund", func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-answer
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	})
	app = apptest.New(t, apptest.Options{Gateway: mux})
	trx = paid(t, app)
	done := make(chan db.Refund, 1)
	go func() {
		r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
		check.NoError(t, err)
		done <- r
	}()
	<-asked
	changeByHand(t, app, end)
	close(answer)
	return app, trx, <-done
}

func TestARefundMadeAfterItWasDeclinedWaitsForAPersonAgain(t *testing.T) {
	t.Parallel()
	app, id, r := endedMeanwhile(t, `WITH r AS (UPDATE refund SET state = 'declined', settled_at = now() RETURNING transaction_id, amount_minor)
		UPDATE transaction SET refunded_minor = refunded_minor - r.amount_minor FROM r WHERE id = r.transaction_id`)
	if r.State != "manual" || r.Refundid == nil || *r.Refundid != "R-1" {
		t.Errorf("the refund is %q, %v", r.State, r.Refundid)
	}
	if reserved := dbtest.Value[bool](t, app.Pool, "SELECT refunded_minor = amount_minor FROM transaction WHERE id = $1", id); !reserved {
		t.Error("its amount is not reserved again")
	}
}

// Sending it would move the money.
func TestARefundThatWasNeverSentIsDeclinedWithoutAsking(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, approved, decode(t, r)["reference"], "")
	})
	mux.HandleFunc("POST /api/refund", func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	})
	app := apptest.New(t, apptest.Options{Gateway: mux})
	for _, sent := range []string{"NULL", "now()"} {
		id := paid(t, app)
		changeByHand(t, app, fmt.Sprintf(`WITH r AS (UPDATE transaction SET refunded_minor = amount_minor WHERE id = '%s')
			INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, error_msg, sent_at)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'test', now(), 'manual', 'disputed', %s
			FROM transaction WHERE id = '%[1]s'`, id, sent))
		refund := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM refund WHERE transaction_id = $1", id)
		err := app.Payments.DecideRefund(t.Context(), payment.Decision{Of: refund, End: payment.EndDeclined, By: "Kim", Reason: "disputed"})
		switch against := (*payment.AgainstError)(nil); {
		case sent == "NULL" && (err != nil || asked.Load() != 0):
			t.Errorf("never sent: %v, the gateway was asked %d times", err, asked.Load())
		case sent != "NULL" && (!errors.As(err, &against) || asked.Load() != 1):
			t.Errorf("sent before: %v, the gateway was asked %d times", err, asked.Load())
		}
	}
}

func TestHangingRefundsDoNotDelayPayments(t *testing.T) {
	t.Parallel()
	hang, hanging := make(chan struct{}), make(chan struct{}, 8)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, approved, decode(t, r)["reference"], "")
	})
	mux.HandleFunc("POST /api/refund", func(http.ResponseWriter, *http.Request) { hanging <- struct{}{}; <-hang })
	mux.HandleFunc("POST /api/payments/{reference}/resolve", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"state":"not_charged"}`)
	})
	app := apptest.New(t, apptest.Options{Gateway: mux, Timeout: time.Minute})
	defer close(hang)
	for range 2 {
		// As after a crash: claimed, with nobody working on it.
		changeByHand(t, app, fmt.Sprintf(`WITH r AS (UPDATE transaction SET refunded_minor = 100 WHERE id = '%s')
			INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until)
			SELECT gen_random_uuid(), id, shop_code, 100, currency, test_mode, 'test', now() FROM transaction WHERE id = '%[1]s'`, paid(t, app)))
		<-hanging
	}
	id := app.Order(t)
	changeByHand(t, app, fmt.Sprintf(`
		WITH a AS (INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now() FROM transaction WHERE id = '%s')
		UPDATE transaction SET status = 'processing' WHERE id = '%[1]s'`, id))
	check.Equal(t, settled(t, app, id).Status, "error", "the status")
}

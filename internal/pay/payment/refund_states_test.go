package payment_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/tracing"
	"forecourt/internal/shop/kitchen"
)

// refunder is a gateway that approves every payment and gives every refund the answer set last.
type refunder struct{ answer atomic.Pointer[string] }

func (g *refunder) answerWith(answer string) { g.answer.Store(&answer) }

func (g *refunder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/pay":
		fmt.Fprintf(w, approved, uuid.NewString(), "")
	case "/api/refund":
		if *g.answer.Load() == "" {
			w.WriteHeader(http.StatusBadGateway)
		}
		fmt.Fprint(w, *g.answer.Load())
	}
}

func TestTwoRefundsWithTheSameGatewayIDAreBothStored(t *testing.T) {
	t.Parallel()
	gateway := &refunder{}
	gateway.answerWith(`{"status":"done","refundid":"R-1"}`)
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	id := paid(t, app)
	for _, amount := range []int64{100, 200} {
		r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: amount, By: "test"})
		if err != nil || r.State != state.RefundDone {
			t.Errorf("the refund of %d is %q, %v", amount, r.State, err)
		}
	}
	check.Equal(t, stored(t, app, id).Transaction.RefundedMinor, 300, "cents are given back")
}

func TestEveryRefundHasAnEnd(t *testing.T) {
	t.Parallel()
	const late = "UPDATE refund SET created_at = now() - interval '6 minutes', lease_until = now() + interval '1 hour'"
	for name, tt := range map[string]struct {
		answer   string
		is       state.Refund
		byHand   string
		early    bool // a person cannot decide yet
		done     bool
		becomes  state.Refund
		refunded int64
	}{
		"pending, decided too early":                           {`{"status":"pending","refundid":""}`, state.RefundPending, late, true, true, state.RefundPending, 500},
		"pending for two days":                                 {`{"status":"pending","refundid":""}`, state.RefundPending, "UPDATE refund SET created_at = now() - interval '2 days', lease_until = now() + interval '1 hour'", false, true, state.RefundDone, 500},
		"without an answer, too early":                         {"", state.RefundOpen, "UPDATE refund SET lease_until = now() + interval '1 hour'", true, false, state.RefundOpen, 500},
		"without an answer, made":                              {"", state.RefundOpen, late, false, true, state.RefundDone, 500},
		"without an answer, not made":                          {"", state.RefundOpen, late, false, false, state.RefundDeclined, 0},
		"done without an id":                                   {`{"status":"done"}`, state.RefundOpen, late, false, true, state.RefundDone, 500},
		"an answer that cannot be stored":                      {`{"status":"done","refundid":"unstorable"}`, state.RefundManual, "SELECT 1", false, true, state.RefundDone, 500},
		"an answer that cannot be stored, decided as declined": {`{"status":"done","refundid":"unstorable"}`, state.RefundManual, "SELECT 1", false, false, state.RefundDeclined, 0},
		"done already, decided again":                          {`{"status":"done","refundid":"R"}`, state.RefundDone, "SELECT 1", true, false, state.RefundDone, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gateway := &refunder{}
			gateway.answerWith(tt.answer)
			app := apptest.New(t, apptest.Options{Gateway: gateway})
			changeByHand(t, app, "ALTER TABLE refund ADD CONSTRAINT test CHECK (refundid <> 'unstorable')")
			id := paid(t, app)
			r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 500, By: "test"})
			if err != nil || r.State != tt.is {
				t.Fatalf("the refund is %q, %v; want %q", r.State, err, tt.is)
			}
			changeByHand(t, app, tt.byHand)
			listed, err := app.Payments.UndecidedRefunds(t.Context())
			if err != nil || (len(listed) == 1) != (tt.is != state.RefundDone) || len(listed) == 1 && listed[0].Late == tt.early {
				t.Errorf("%+v are listed, %v", listed, err)
			}
			d := payment.Decision{Of: r.ID, End: payment.EndDeclined, By: "operator test", Reason: "rang the gateway"}
			if tt.done {
				d.End = payment.EndDone
			}
			// The gateway here does not confirm the person's decision.
			if against := new(payment.AgainstError); !tt.early && tt.is != state.RefundManual {
				if err := app.Payments.DecideRefund(t.Context(), d); !errors.As(err, &against) {
					t.Errorf("deciding it alone: %v", err)
				}
			}
			err = insisting(t, app.Payments.DecideRefund, d)
			if tt.early != errors.Is(err, payment.ErrRefundDecided) || !tt.early && err != nil {
				t.Errorf("deciding it: %v", err)
			}
			var is state.Refund
			var audited int
			err = app.Pool.QueryRow(t.Context(), `SELECT state, (SELECT count(*) FROM audit WHERE subject = $1::text AND actor = 'operator test' AND reason = 'rang the gateway')
				FROM refund WHERE id = $1::uuid`, r.ID.String()).Scan(&is, &audited)
			if err != nil || is != tt.becomes || (audited == 1) == tt.early {
				t.Errorf("the refund is %q with %d lines in the audit log, %v; want %q", is, audited, err, tt.becomes)
			}
			check.Equal(t, stored(t, app, id).Transaction.RefundedMinor, tt.refunded, "cents are given back or reserved")
		})
	}
}

func TestAPendingRefundIsPolledUntilItIsDone(t *testing.T) {
	t.Parallel()
	gateway := &refunder{}
	gateway.answerWith(`{"status":"pending"}`)
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	id := paid(t, app)
	if r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 500, By: "test"}); err != nil || r.State != state.RefundPending {
		t.Fatal(r.State, err)
	}
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.ErrorIs(t, err, payment.ErrOtherRefund, "another refund meanwhile")
	gateway.answerWith(`{"status":"done","refundid":"R-1"}`)
	apptest.Eventually(t, "the refund is done", func() bool {
		var done bool
		return app.Pool.QueryRow(t.Context(), "SELECT state = 'done' FROM refund").Scan(&done) == nil && done
	})
}

func TestTheLetterOfARefundThatEndsLaterBelongsToTheRequestOfTheRefund(t *testing.T) {
	t.Parallel()
	gateway := &refunder{}
	gateway.answerWith("")
	app := apptest.New(t, apptest.Options{Gateway: gateway})
	began := tracing.Origin{Request: "R7F3A", Trace: "00-01020000000000000000000000000000-0300000000000000-01"}
	r, err := app.Payments.Refund(began.Resume(t.Context()), payment.RefundRequest{TransactionID: paid(t, app), Amount: 500, By: "test"})
	if err != nil || r.State != state.RefundOpen {
		t.Fatal(r.State, err)
	}
	gateway.answerWith(`{"status":"done","refundid":"R-1"}`)
	var ended tracing.Origin
	apptest.Eventually(t, "the letter is queued", func() bool {
		return app.Pool.QueryRow(t.Context(), "SELECT coalesce(metadata -> 'origin', '{}') FROM river_job WHERE args ->> 'key' = $1", "refund/"+r.ID.String()).Scan(&ended) == nil
	})
	check.Equal(t, ended, began, "its letter belongs to")
}

func TestTheKitchenDoesNotReopenRefundedLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		amount int64
		want   string
	}{
		"all of it":    {0, "done"},
		"a part of it": {100, "open"},
		"none of it":   {-1, "open"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := paid(t, app)
			loc := dbtest.Value[string](t, app.Pool, "SELECT loc FROM order_line WHERE transaction_id = $1", id)
			k := kitchen.New(app.Pool, func(string) {}, nil)
			check.Must(t, k.Done(t.Context(), "panezski", id, loc))
			if tt.amount >= 0 {
				_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: tt.amount, By: "test"})
				check.Must(t, err)
			}
			check.Must(t, k.Undo(t.Context(), "panezski", id, loc))
			lines := dbtest.Value[string](t, app.Pool, "SELECT string_agg(DISTINCT status, ' ') FROM order_line WHERE transaction_id = $1", id)
			check.Equal(t, lines, tt.want, "the lines")
			check.Equal(t, strings.Contains(lines, "open"), stored(t, app, id).Transaction.Status == state.Success,
				"the order is %q", stored(t, app, id).Transaction.Status)
		})
	}
}

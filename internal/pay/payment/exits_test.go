package payment_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// listing is a gateway that also has entries in its ledger.
type listing struct {
	*capturing
	entries []map[string]any
}

func (g *listing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ledger" {
		_ = json.NewEncoder(w).Encode(map[string]any{"entries": g.entries, "kinds": []string{"dispute", "payout"}})
		return
	}
	g.capturing.ServeHTTP(w, r)
}

// add adds a movement of an attempt to the ledger.
func (g *listing) add(kind, reference, trx, amount, currency string) {
	g.entries = append(g.entries, map[string]any{
		"kind": kind, "reference": reference, "trxId": trx, "transactionid": "T-5", "amount": amount, "currency": currency, "at": time.Now().UTC(),
		"merchantId": "panezski", "testMode": true,
	})
}

func TestACaptureStaysListedUntilItIsGivenBack(t *testing.T) {
	t.Parallel()
	const twelve = `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-5","amount":"12.00","currency":"AUD"}`
	for name, tt := range map[string]struct {
		refund string
		err    error
		why    string // "" if nobody has to look again
	}{
		"done":       {returned, nil, ""},
		"declined":   {`{"status":"declined"}`, payment.ErrGiveBackDeclined, "giving it back was declined"},
		"pending":    {`{"status":"pending"}`, payment.ErrGivingBack, "it is being refunded"},
		"unreadable": {"<html>", payment.ErrGivingBack, "it is being refunded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newCapturing(twelve, twelve, tt.refund)
			app, id, attempt := manual(t, g)
			d := payment.Decision{Of: attempt, End: payment.EndGivenBack, By: "Kim", Reason: "the wrong amount"}
			check.ErrorIs(t, app.Payments.Decide(t.Context(), d), tt.err, "giving back")
			waiting, err := app.Payments.Undecided(t.Context())
			if err != nil || (len(waiting) == 1) != (tt.why != "") || len(waiting) == 1 && waiting[0].ErrorMsg != tt.why {
				t.Errorf("%+v are listed, %v; want %q", waiting, err, tt.why)
			}
			page, got := app.Get(t, "/pos/panezski/"+id).Body, stored(t, app, id).Transaction
			if tt.why == "" {
				if is := stored(t, app, id).Position; is.RefundedMinor != 1200 || is.CapturedMinor != 1200 ||
					!strings.Contains(page, "Payment refunded") {
					t.Errorf("given back %d of %d", is.RefundedMinor, is.CapturedMinor)
				}
				return
			}
			if got.Status != "processing" || got.RefundedMinor != 0 || strings.Contains(page, "Payment successful") {
				t.Errorf("the payment is %s with %d cents given back", got.Status, got.RefundedMinor)
			}
			if tt.err == payment.ErrGivingBack { //nolint:errorlint // compares with the table's own value
				for _, end := range []payment.End{payment.EndApproved, payment.EndGivenBack} {
					d.End = end
					check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrOtherRefund, "%s while it is being given back", end)
				}
			}
			// The gateway makes the refund after all: by itself, or because somebody asks again.
			later := returned
			g.refund.Store(&later)
			if tt.err == payment.ErrGivingBack { //nolint:errorlint // compares with the table's own value
				changeByHand(t, app, "UPDATE refund SET lease_until = now()")
			} else if err := app.Payments.Decide(t.Context(), d); err != nil {
				t.Errorf("giving back once more: %v", err)
			}
			apptest.Eventually(t, "the payment is given back", func() bool { return stored(t, app, id).Transaction.RefundedMinor == 1200 })
			check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM order_line WHERE status <> 'cancelled'"), 0, "lines of the kitchen")
		})
	}
}

func TestNothingIsGivenBackThroughAMissingGateway(t *testing.T) {
	t.Parallel()
	app, id, attempt := manual(t, newCapturing("<html>", fmt.Sprintf(approved, "1", ""), returned))
	changeByHand(t, app, "UPDATE attempt SET gateway = 'elsewhere', transactionid = 'T-1'")
	err := insisting(t, app.Payments.Decide, payment.Decision{Of: attempt, End: payment.EndGivenBack, By: "Kim", Reason: "rang the bank"})
	if got := stored(t, app, id); !errors.Is(err, payment.ErrElsewhere) || got.AttemptState != "manual" || dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action LIKE 'decide%'") != 0 {
		t.Errorf("%v, and the attempt is %s", err, got.AttemptState)
	}
}

func TestAnInvalidAmountIsNotTakenForThePrice(t *testing.T) {
	t.Parallel()
	for _, named := range []string{"0.00", "-13.00", "1e9", "13,00"} {
		t.Run(named, func(t *testing.T) {
			t.Parallel()
			answer := fmt.Sprintf(`{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-5","amount":"%s","currency":"AUD"}`, named)
			g := &listing{capturing: newCapturing(answer, answer, returned)}
			app := apptest.New(t, apptest.Options{Gateway: g})
			id := app.Order(t)
			a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
			if err != nil || a.State != "manual" {
				t.Fatal(a.State, err)
			}
			for _, end := range []payment.End{payment.EndApproved, payment.EndGivenBack} {
				err := app.Payments.Decide(t.Context(), payment.Decision{Of: a.ID, End: end, By: "Kim", Reason: "rang the bank"})
				if against := (*payment.AgainstError)(nil); !errors.As(err, &against) || against.Says != "approved, naming an amount of “"+named+"”" {
					t.Errorf("deciding %s alone: %v", end, err)
				}
			}
			g.add("capture", a.ID.String(), id, "9.00", "AUD")
			if says, err := app.Payments.Ask(t.Context(), a.ID); err != nil || says.Says() != "approved, naming an amount of “"+named+"”, but 9.00 AUD in its ledger" {
				t.Errorf("with a ledger, the gateway says %q, %v", says.Says(), err)
			}
			check.Must(t, app.Payments.Decide(t.Context(), payment.Decision{Of: a.ID, End: payment.EndApproved, By: "Kim", Reason: "rang the bank"}))
			check.Equal(t, stored(t, app, id).Position.CapturedMinor, 900, "cents are booked")
		})
	}
}

func TestATransactionIDThatTheGatewayUsedTwice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		id, want string
		end      payment.End
		err      error
	}{
		"without an id":         {"", "", payment.EndApproved, nil},
		"with the right id":     {"T-6", "T-6", payment.EndApproved, nil},
		"given back with it":    {"T-6", "T-6", payment.EndGivenBack, nil},
		"given back without it": {"", "", payment.EndGivenBack, payment.ErrNoCaptureID},
		"with the first one":    {"T-1", "", payment.EndApproved, payment.ErrOtherCapture},
		"the first given back":  {"T-1", "", payment.EndGivenBack, payment.ErrOtherCapture},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := fmt.Sprintf(approved, "1", "")
			g := newCapturing(answer, answer, returned)
			app := apptest.New(t, apptest.Options{Gateway: g})
			first := paid(t, app)
			id := app.Order(t)
			a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
			if err != nil || a.State != "manual" || a.ErrorMsg != "the gateway gave the same transaction id for another payment, "+first {
				t.Fatal(a.State, a.ErrorMsg, err)
			}
			if says, err := app.Payments.Ask(t.Context(), a.ID); err != nil || says.Says() != "approved, with the transaction id of another payment, "+first {
				t.Errorf("the gateway says %q, %v", says.Says(), err)
			}
			err = app.Payments.Decide(t.Context(), payment.Decision{Of: a.ID, End: tt.end, By: "Kim", Reason: "rang the bank", TransactionID: tt.id})
			if !errors.Is(err, tt.err) {
				t.Fatal(err)
			}
			if tt.err != nil && g.refunds.Load() != nil {
				t.Errorf("the gateway was asked to refund %v", *g.refunds.Load())
			}
			if got := stored(t, app, id); tt.err == nil && (got.AttemptState != "approved" || got.Transaction.Transactionid != tt.want) {
				t.Errorf("the attempt is %s, its id %q; want %q", got.AttemptState, got.Transaction.Transactionid, tt.want)
			}
		})
	}
}

func TestACaptureGivenBackAtTheGatewayIsNotCharged(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(dollars, dollars, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	id := app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
	if err != nil || a.State != "manual" {
		t.Fatal(a.State, err)
	}
	d := payment.Decision{Of: a.ID, End: payment.EndNotCharged, By: "Kim", Reason: "given back at the gateway"}
	g.add("capture", "an earlier attempt", id, "99.00", "USD")
	g.add("refund", "of an earlier attempt", id, "99.00", "USD")
	g.entries[0]["at"], g.entries[1]["at"] = time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)
	g.add("capture", a.ID.String(), id, "99.00", "USD")
	g.add("refund", "by hand", id, "98.00", "USD")
	check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptured, "deciding after a partial refund")
	d.Seen = "approved, 99.00 USD"
	check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptured, "deciding with its answer in sight")
	g.add("refund", "the rest", id, "1.00", "USD")
	d.Seen = ""
	check.Must(t, app.Payments.Decide(t.Context(), d))
	page := app.Get(t, "/pos/panezski/"+id).Body
	if !strings.Contains(page, "This payment did not go through. Any money taken has been refunded.") || strings.Contains(page, "No money was taken") {
		t.Error("the page does not say that the money was given back")
	}
}

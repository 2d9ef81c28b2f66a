package settlement_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/must"
	"forecourt/internal/pay/payment"
)

// generous is a gateway that makes every refund, also of a disputed charge. It lists one dispute, of 11.00, once disputed is set.
type generous struct {
	charges       string // amount of each charge
	away          atomic.Bool
	refunds       atomic.Int32
	disputed      atomic.Value // of an attempt, a string
	disputedSince time.Time
}

func (g *generous) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/ledger":
		entry := ""
		if id, ok := g.disputed.Load().(string); ok && r.URL.Query().Get("kinds") == "dispute" {
			entry = fmt.Sprintf(`{"kind":"dispute","state":"opened","reference":"%s","amount":"11.00","currency":"AUD","at":"%s"}`, id, g.disputedSince.UTC().Format(time.RFC3339))
		}
		fmt.Fprintf(w, `{"entries":[%s],"kinds":["capture","refund","open","dispute","payout"]}`, entry)
	case "/api/refund":
		if g.away.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		g.refunds.Add(1)
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	default:
		var sent struct{ Reference string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1","amount":"%s","currency":"AUD"}`, g.charges)
	}
}

// charge pays an order of $11.00 at g, which may charge another amount.
func charge(t *testing.T, app *apptest.App) (trx string, attempt uuid.UUID) {
	t.Helper()
	trx = app.Order(t)
	c, _ := payment.CardInput{Name: "Pat", Expiry: "12/39", Number: card.Type(approves), CVC: card.Type("123")}.Check(time.Now())
	a, err := app.Payments.PayCard(t.Context(), "panezski", trx, "k", c)
	must.NoError(t, err)
	return trx, a.ID
}

func TestADisputedPaymentsUnfinishedRefundWaitsForAPerson(t *testing.T) {
	t.Parallel()
	g := &generous{charges: "11.00", disputedSince: time.Now()}
	g.away.Store(true)
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx, attempt := charge(t, app)
	if r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"}); err != nil || r.State != "open" {
		t.Fatal(r.State, err)
	}
	g.disputed.Store(attempt.String())
	read(t, app)
	g.away.Store(false)
	r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"}) // resumes it, unless the sweep just did
	if err != nil || r.State != "manual" {
		t.Errorf("resumed: %q, %v", r.State, err)
	}
	err = app.Payments.DecideRefund(t.Context(), payment.Decision{Of: r.ID, End: payment.EndDeclined, By: "Kim", Reason: "disputed"})
	var against *payment.AgainstError
	if !errors.As(err, &against) || against.Says != "nothing, since it is not asked to refund a disputed payment" {
		t.Errorf("declined blindly: %v", err)
	}
	check.Equal(t, g.refunds.Load(), 0, "refunds of a disputed payment reached the gateway")
}

// The dispute of a payment that waits for a person is heard of before anybody knows that the payment was made.
func TestADisputeHoldsAPaymentThatWaitsForAPerson(t *testing.T) {
	t.Parallel()
	g := &generous{charges: "99.00", disputedSince: time.Now().Add(-30 * time.Hour)} // longer ago than disputes are read again
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx, attempt := charge(t, app)
	g.disputed.Store(attempt.String())
	read(t, app)
	decide := func(end payment.End) error {
		d := payment.Decision{Of: attempt, End: end, By: "Kim", Reason: "another amount"}
		err := app.Payments.Decide(t.Context(), d)
		if against := (*payment.AgainstError)(nil); errors.As(err, &against) {
			d.Seen = against.Says
			err = app.Payments.Decide(t.Context(), d)
		}
		return err
	}
	check.ErrorIs(t, decide(payment.EndGivenBack), payment.ErrDisputed, "given back")
	must.NoError(t, decide(payment.EndApproved))
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.ErrorIs(t, err, payment.ErrDisputed, "refunded after the approval")
	check.Equal(t, g.refunds.Load(), 0, "refunds of a disputed payment reached the gateway")
}

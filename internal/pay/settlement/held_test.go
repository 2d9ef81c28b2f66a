package settlement_test

import (
	"errors"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/pay/payment"
)

func TestADisputedPaymentsUnfinishedRefundWaitsForAPerson(t *testing.T) {
	t.Parallel()
	app, g := site(t)
	g.away.Store(true)
	trx, reference := pay(t, app, approves)
	if r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"}); err != nil || r.State != "open" {
		t.Fatal(r.State, err)
	}
	g.disputed(reference, "opened", `"11.00"`, time.Now())
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
	app, g := site(t)
	g.charges = "99.00"
	trx, attempt := charge(t, app, approves)
	g.disputed(attempt.ID.String(), "opened", `"11.00"`, time.Now().Add(-30*time.Hour)) // longer ago than disputes are read again
	read(t, app)
	decide := func(end payment.End) error {
		d := payment.Decision{Of: attempt.ID, End: end, By: "Kim", Reason: "another amount"}
		err := app.Payments.Decide(t.Context(), d)
		if against := (*payment.AgainstError)(nil); errors.As(err, &against) {
			d.Seen = against.Says
			err = app.Payments.Decide(t.Context(), d)
		}
		return err
	}
	check.ErrorIs(t, decide(payment.EndGivenBack), payment.ErrInQuestion, "given back")
	check.Must(t, decide(payment.EndApproved))
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.ErrorIs(t, err, payment.ErrDisputed, "refunded after the approval")
	check.Equal(t, g.refunds.Load(), 0, "refunds of a disputed payment reached the gateway")
}

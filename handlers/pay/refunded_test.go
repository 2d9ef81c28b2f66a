package pay_test

import (
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// refund refunds an amount of a transaction, or for 0 everything that is left, and returns the refund's state.
func refund(t *testing.T, app *apptest.App, id string, amount int64) string {
	t.Helper()
	refund, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: amount, By: "the test"})
	check.Must(t, err)
	return string(refund.State)
}

func TestARefundedOrderIsNotReady(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct {
		name, change string
		ago          time.Duration
	}{
		{"just paid", "", 0},
		{"being prepared", "", time.Hour},
		{"completed", "UPDATE order_line SET status = 'done', done_at = now() WHERE transaction_id = $1", time.Hour},
		{"without an order", "DELETE FROM order_line WHERE transaction_id = $1", time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := app.Order(t)
			path := "/pos/panezski/" + id
			app.Post(t, path, card())
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - make_interval(secs => $2) WHERE id = $1", id, tt.ago.Seconds())
			if tt.change != "" {
				dbtest.Exec(t, app.Pool, tt.change, id)
			}
			before := state(app.Visit(t, path))
			refund(t, app, id, 300)
			check.Equal(t, state(app.Visit(t, path).Has("Refunded $3.00")), before, "after a partial refund the page shows … as before")
			check.Contains(t, app.Get(t, "/api"+path).Body, `"refunded":"3.00"`, "the API says")
			refund(t, app, id, 0)
			v := app.Visit(t, path).Has("Payment refunded", "Refunded $11.00").HasNot("Enjoy", "Follow your order", "Being made")
			check.Equal(t, state(v), "refunded", "after a full refund the page shows")
			check.Lacks(t, v.Body, "data-events", "after a full refund the page shows")
			check.Contains(t, app.Get(t, "/api"+path).Body, `"refunded":"11.00"`, "the API says")
		})
	}
}

func TestAPendingRefundDoesNotCountAsGivenBack(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	path := "/pos/panezski/" + id
	app.Post(t, path, card("card", "4000000000007726"))
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET paid_at = paid_at - interval '1 hour' WHERE id = $1", id)
	refund(t, app, id, 0)
	check.Equal(t, state(app.Visit(t, path).HasNot("efunded")), "status", "while the refund is pending the page shows")
	check.Contains(t, app.Get(t, "/api"+path).Body, `"refunded":"0.00"`, "the API says")
	apptest.Eventually(t, "the page says that it was refunded", func() bool { return state(app.Visit(t, path)) == "refunded" })
}

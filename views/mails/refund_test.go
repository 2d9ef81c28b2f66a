package mails_test

import (
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

func TestAPayerGetsOneLetterForEachRefund(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	pay := func(email string) string {
		id := app.Order(t)
		app.Post(t, "/pos/panezski/"+id, url.Values{"name": {"Pat"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email}})
		apptest.Eventually(t, "paid", func() bool {
			n := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM transaction WHERE id = $1 AND approved_attempt IS NOT NULL", id)
			return n == 1
		})
		return id
	}
	refund := func(id string, amount int64) {
		t.Helper()
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: amount, By: "test"})
		check.Must(t, err)
	}
	id := pay("pat@example.com")
	app.Mails(t, "pat@example.com", 1) // the receipt
	refund(id, 300)
	first := app.Mails(t, "pat@example.com", 2)[1:]
	refund(id, 0)
	all := app.Mails(t, "pat@example.com", 3)[1:]
	if len(first) != 1 || len(all) != 2 {
		t.Fatalf("%d letters about the first refund, %d about both", len(first), len(all))
	}
	for i, amount := range []string{"$3.00", "$8.00"} {
		check.Equal(t, all[i].Subject, "Refund of "+amount+" from Panezski", "the subject")
		check.Equal(t, all[i].Bcc, "books@forecourt.test", "the copy goes to")
		for _, want := range []string{"TEST MODE", amount, "You paid: $11.00", "Reference: " + id, "Business: Panezski"} {
			check.Contains(t, all[i].Plain, want, "the letter does not say")
		}
		check.Contains(t, all[i].HTML, "Panezski</td>", "the letter")
		check.Lacks(t, all[i].HTML, "1111", "the letter")
	}
	// The gateway may know an address that the payer did not type here.
	named := pay("")
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET consumer_email = 'sam@example.com' WHERE transaction_id = $1", named)
	refund(named, 200)
	app.Mails(t, "sam@example.com", 1)
	// A payer of whom nobody knows an address gets no letter, and nothing fails.
	silent := pay("")
	refund(silent, 0)
	apptest.Eventually(t, "the order of the letter is done", func() bool {
		waiting := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE kind = 'mail' AND state <> 'completed'")
		return waiting == 0
	})
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM mail WHERE kind = 'refund'"), 3, "letters")
}

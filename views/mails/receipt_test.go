package mails_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/paylink"
)

func payAs(t *testing.T, app *apptest.App, id, email string) {
	t.Helper()
	answer := app.Post(t, "/pos/panezski/"+id, url.Values{"name": {"Pat"}, "card": {"4111111111111111"}, "exp": {"11/33"}, "cvc": {"123"}, "email": {email}})
	answer.Must(t, http.StatusSeeOther, "paying")
}

func TestReceiptsGoToTheBusinessTheCustomerAndThePayersAddress(t *testing.T) {
	t.Parallel()
	gateway := http.NewServeMux()
	gateway.HandleFunc("POST /api/pay", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-1","code":"00",
			"billing":{"authresponse":{"banktransactionno":"B-77","gatewayreference":"G-88"}},"consumer":{"firstname":"Bo","email":"bo@example.com"}}`)
	})
	app := apptest.New(t, apptest.Options{Jobs: true, Gateway: gateway})
	id := app.Order(t)
	payAs(t, app, id, "pat@example.com")
	for _, tt := range []struct{ name, address, subject, bcc string }{
		{"the business (RCPT-01)", "orders@panezski.example", "Payment of $11.00 received", ""},
		{"the customer (RCPT-02)", "bo@example.com", "Tax invoice for $11.00 from Panezski", "books@forecourt.test"},
		{"the address that was typed (RCPT-03)", "pat@example.com", "Tax invoice for $11.00 from Panezski", "books@forecourt.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := app.Mails(t, tt.address, 1)
			if len(got) != 1 || got[0].Subject != tt.subject || got[0].Bcc != tt.bcc {
				t.Fatalf("%d letters, the first %+v", len(got), got[0])
			}
			for _, want := range []string{ // RCPT-05 RCPT-06
				"TEST MODE", "Tax invoice", "ABN 80 000 000 001", "Butter Croissant", "$11.00", "GST of $1.00", "Visa ending in 1111", "Pat", "LAT*panezski", id, "T-1", "B-77", "G-88",
			} {
				check.Contains(t, got[0].Plain, want, "the letter to %s", tt.address)
				check.Contains(t, got[0].HTML, want, "the letter to %s", tt.address)
			}
			check.Lacks(t, got[0].Plain+got[0].HTML, "41111111", "the letter shows the card's number")
			check.Equal(t, app.Visit(t, app.Link(t, got[0])).Status, http.StatusOK, "the letter's link gets")
			if merchant := tt.bcc == ""; strings.Contains(got[0].Plain, "bo@example.com") != merchant || strings.Contains(got[0].Plain, "Merchant: panezski") != merchant {
				t.Errorf("the letter names the customer's address although it should not, or lacks it:\n%s", got[0].Plain)
			}
		})
	}
	// RCPT-04: a letter carries from, to, bcc, subject, plain, html, test_mode and its own headers.
	whole := dbtest.Value[string](t, app.Pool, `SELECT count(*) FILTER (WHERE sender = 'no-reply@forecourt.test' AND recipient <> '' AND subject <> ''
		AND plain <> '' AND html <> '' AND test_mode AND message_id LIKE '%@forecourt.test') || ' of ' || count(*) FROM mail`)
	check.Equal(t, whole, "3 of 3", "whole letters (RCPT-04)")
	held := dbtest.Value[string](t, app.Pool, "SELECT string_agg(recipient, ' ' ORDER BY recipient) FROM mail WHERE held <> ''")
	check.Equal(t, held, "bo@example.com orders@panezski.example pat@example.com",
		"in test mode only the team gets its letter (RCPT-04); held are those to")
}

func TestAPayLinksReceiptGoesWhereTheLinkSays(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET pl_merchant_email = 'links@panezski.example'")
	made, err := paylink.Create(t.Context(), app.Pool, []paylink.Wanted{{Shop: "panezski", Amount: 2200, Reference: "INV-9", Description: "Cake"}})
	check.Must(t, err)
	payAs(t, app, made[0].ID, "")
	got := app.Mails(t, "links@panezski.example", 1)
	for _, want := range []string{"Panezski Bakery & Bar", "INV-9", "Cake", "$22.00", "GST of $2.00"} {
		check.Contains(t, got[0].Plain, want, "RCPT-09 PAY-53 DOC-09 the letter does not say")
	}
	payAs(t, app, app.Order(t), "")
	check.Equal(t, len(app.Mails(t, "orders@panezski.example", 1)), 1,
		"the receipt of an order goes to the shop's own address (RCPT-09 DOC-05)")
}

func TestAReceiptThatCannotBeSentDoesNotAffectThePayment(t *testing.T) {
	t.Parallel()
	server, err := mail.ParseServer("smtp://127.0.0.1:1") // nobody listens there
	check.Must(t, err)
	app := apptest.New(t, apptest.Options{Jobs: true, MailServer: server})
	if _, err := app.Pool.Exec(t.Context(), "UPDATE shop SET live = true WHERE code = 'panezski'"); err != nil {
		t.Fatal(err) // in test mode the payer's letter is held back
	}
	id := app.Order(t)
	payAs(t, app, id, "pat@example.com")
	t.Run("letters that failed wait for another try (RCPT-08)", func(t *testing.T) {
		apptest.Eventually(t, "both letters failed, and wait for another try", func() bool {
			return dbtest.Value[int](t, app.Pool,
				"SELECT count(*) FROM river_job WHERE kind = 'mail' AND cardinality(errors) > 0 AND state IN ('retryable', 'available', 'running')") == 2
		})
	})
	app.Visit(t, "/pos/panezski/"+id).Has("Panezski").HasNot("went wrong", "problem")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT status FROM transaction WHERE id = $1", id), "success",
		"the payment is not affected (RCPT-08)")
}

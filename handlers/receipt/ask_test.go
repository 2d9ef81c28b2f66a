package receipt_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestAReceiptIsMailedToOneAddress(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	dbtest.Exec(t, app.Pool, "INSERT INTO kitchen_screen (shop_code) VALUES ('panezski')") // or the owner is told that nobody sees the order
	id, path := app.Receipt(t, "")
	app.Mails(t, "orders@panezski.example", 1)
	v := app.Visit(t, path).HasNot("Send again")
	for _, wrong := range []string{"", "ann", "Ann <ann@example.com>", "a@b.co,c@d.co", "ann@example.com\r\nBcc: eve@example.com"} {
		if got := app.Post(t, path+"/send", url.Values{"email": {wrong}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "Enter an email address") {
			t.Errorf("%q: %d", wrong, got.Status)
		}
	}
	v.Type("email", " ann@example.com ").Press("Send it").Has("We are sending a copy to a•••@e•••.com.", "Send again to a•••@e•••.com").HasNot("Email this receipt to")
	letters := app.Mails(t, "ann@example.com", 1)
	if len(letters) != 1 || !strings.Contains(letters[0].Subject, "Tax invoice for $11.00") {
		t.Fatalf("%+v", letters)
	}
	// A second address gets nothing, no matter who asks.
	app.Post(t, path+"/send", url.Values{"email": {"eve@example.com"}}).Leads(t, path, "a second address")
	app.Visit(t, path).Has("Send again to a•••@e•••.com").HasNot("Email this receipt to")
	app.WorkQueue(t)
	to := dbtest.Value[string](t, app.Pool, "SELECT string_agg(recipient, ' ' ORDER BY recipient) FROM mail")
	check.Equal(t, to, "ann@example.com orders@panezski.example", "letters went to")
	app.Visit(t, path).Follow("Back to your order").Has("Butter Croissant", "Receipt", id)
}

func TestOnlyOneOfManyAddressesGetsTheReceipt(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := app.Receipt(t, "")
	var sent atomic.Int64
	var wait sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		wait.Go(func() {
			if got := app.Post(t, path+"/send", url.Values{"email": {name + "@example.com"}}); strings.HasSuffix(got.Location, "?sent=customer") {
				sent.Add(1)
			}
		})
	}
	wait.Wait()
	letters := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args::text LIKE '%/customer/asked%'")
	if letters != 1 || sent.Load() != 1 {
		t.Errorf("%d letters, %d requests accepted", letters, sent.Load())
	}
}

func TestStrangersAreNotMailedFromReceipts(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true})
	statuses := map[int]int{}
	for range 7 {
		_, path := app.Receipt(t, "")
		statuses[app.Post(t, path+"/send", url.Values{"email": {"eve@example.com"}}).Status]++
	}
	check.Equal(t, statuses[http.StatusSeeOther], 5, "seven requests for one address")
	check.Equal(t, statuses[http.StatusTooManyRequests], 2, "seven requests for one address")
	var reached int
	apptest.Eventually(t, "the letters are written", func() bool {
		var all int
		err := app.Pool.QueryRow(t.Context(),
			"SELECT count(*), count(*) FILTER (WHERE held = '') FROM mail WHERE recipient = 'eve@example.com'").Scan(&all, &reached)
		return err == nil && all == 5
	})
	check.Equal(t, reached, 0, "letters about test money reach a stranger")
}

func TestAPayerWhoLeftAnAddressCannotNameAnother(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	_, path := app.Receipt(t, "ann@example.com")
	app.Visit(t, path).HasNot("Email this receipt to")
	app.Post(t, path+"/send", url.Values{"email": {"eve@example.com"}})
	app.Visit(t, path).Has("Send again to a•••@e•••.com").HasNot("Send again to e")
}

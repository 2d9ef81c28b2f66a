package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// pay pays a transaction of panezski by card; more changes the body, or gives an Idempotency-Key.
func pay(t *testing.T, app *apptest.App, id string, more m) apptest.Answer {
	t.Helper()
	body := m{"merchantId": "panezski", "trxId": id, "currency": "AUD", "cardholder": "Pat Payer", "pan": "4111111111111111", "exp": "12/34", "cvc": "987", "testMode": true, "cEmail": "pat@example.com"}
	var header []string
	for name, value := range more {
		if name == "Idempotency-Key" {
			header = append(header, name, value.(string))
			continue
		}
		body[name] = value
	}
	return app.PostJSON(t, "/api/pay", body, header...)
}

type response struct {
	Status struct{ ResponseType, StatusCode, ErrorDesc string }

	TransactionID, Code string
	TransactionDateUTC  string `json:"transactiondate_utc"`
	Billing             struct{ Card struct{ PAN string } }
	Consumer            struct{ FirstName, LastName, Email string }
	Redirect, State     string
}

// secretKey has the length of 128 bits in base64, the least of a key that nobody guesses.
const secretKey = "bWhAGmkSuIYGNtfLWkwcYw"

func TestAGuessedKeyNamesNoPayer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, key := range []string{"1", "order-1", secretKey[1:]} {
		id := app.Order(t)
		pay(t, app, id, m{"Idempotency-Key": key}).Want(t, http.StatusOK, "the payment", "Pat", "pat@example.com")
		thief := app.NewPerson(t)
		for _, pan := range []string{"x", "4111111111111111"} {
			got := pay(t, thief, id, m{"pan": pan, "Idempotency-Key": key})
			got.Want(t, http.StatusOK, "with the key again", `"statuscode":"0"`)
			for _, secret := range []string{"Pat", "Payer", "pat@example.com", "1111"} {
				check.Lacks(t, got.Body, secret, "key %q, card %q", key, pan)
			}
		}
		thief.Post(t, "/pos/panezski/"+id, url.Values{
			"name": {"Eve"}, "card": {"4111111111111111"}, "exp": {"12/34"}, "cvc": {"123"}, "key": {key},
		})
		check.Lacks(t, thief.Get(t, "/pos/panezski/"+id).Body, "pat@example.com", "key %q: the page", key)
		check.Equal(t, len(app.Captures(t, id)), 1, "payments")
	}
}

func TestPayingByCard(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	answer := pay(t, app, id, m{"amount": "0.01", "currency": "USD", "testMode": false, "Idempotency-Key": secretKey})
	answer.Must(t, http.StatusOK, "a card payment is answered in JSON (API-03)")
	check.MustEqual(t, answer.Header.Get("Content-Type"), "application/json", "a card payment is answered in JSON (API-03)")
	res := apptest.JSON[response](t, answer)
	if res.Status.ResponseType != "1" || res.Status.StatusCode != "0" || res.TransactionID == "" || res.TransactionDateUTC == "" || res.Consumer.FirstName != "Pat" ||
		res.Consumer.LastName != "Payer" || res.Consumer.Email != "pat@example.com" {
		t.Errorf("PAY-28 PAY-50 %s", answer.Body)
	}
	check.Equal(t, res.Billing.Card.PAN, "1111", "the card reads")
	if strings.Contains(answer.Body, "411111") || strings.Contains(answer.Body, "cvc") || strings.Contains(answer.Body, "12/34") {
		t.Errorf("the answer repeats the card: %s", answer.Body)
	}
	captures := app.Captures(t, id)
	if len(captures) != 1 || captures[0].Amount != "11.00" || captures[0].Currency != "AUD" {
		t.Fatalf("amount and currency are the transaction's, never the request's: %+v", captures)
	}
	if again := pay(t, app, id, m{"pan": "5555555555554444", "Idempotency-Key": secretKey}); again.Status != http.StatusOK || again.Body != answer.Body {
		t.Errorf("a paid transaction returns its stored answer to the key that paid it; got %d %s", again.Status, again.Body)
	}
	check.Equal(t, len(app.Captures(t, id)), 1, "charged twice")
}

func TestNobodyLearnsAboutAnotherPayer(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, first := range []string{"card", "wallet"} {
		id := app.Order(t)
		by := func(method, key string) apptest.Answer {
			if method == "card" {
				return pay(t, app, id, m{"Idempotency-Key": key})
			}
			return byWallet(t, app, id, m{"Idempotency-Key": key})
		}
		mine := by(first, secretKey)
		mine.Must(t, http.StatusOK, first)
		for _, second := range []string{"card", "wallet"} {
			other := by(second, "other "+second)
			var told m
			if err := json.Unmarshal([]byte(other.Body), &told); err != nil || other.Status != http.StatusOK {
				t.Fatalf("%s after %s: %d %s", second, first, other.Status, other.Body)
			}
			at, err := time.Parse(time.RFC3339, fmt.Sprint(told["at"]))
			if err != nil || time.Since(at) > time.Minute {
				t.Errorf("%s after %s: the time of payment is %v", second, first, told["at"])
			}
			delete(told, "at")
			if want := (m{"state": "paid", "amount": "11.00", "currency": "AUD"}); !reflect.DeepEqual(told, want) {
				t.Errorf("%s after %s: another key gets %v, want %v and the time", second, first, told, want)
			}
		}
		if again := by(first, secretKey); again.Body != mine.Body || len(app.Captures(t, id)) != 1 {
			t.Errorf("%s: the key that paid gets %d %s", first, again.Status, again.Body)
		}
	}
}

func TestADeclineByTheAPI(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	answer := pay(t, app, id, m{"pan": "4000000000000002", "Idempotency-Key": secretKey})
	res := apptest.JSON[response](t, answer)
	if answer.Status != http.StatusOK || res.Status.StatusCode == "0" && res.Status.ResponseType == "1" || res.Status.ErrorDesc != "Do not honour" {
		t.Errorf("PAY-30 PAY-31 %d %s", answer.Status, answer.Body)
	}
	again := pay(t, app, id, m{"pan": "4111111111111111", "Idempotency-Key": secretKey})
	check.Equal(t, again.Body, answer.Body, "the same key again: %d", again.Status)
	refused(t, pay(t, app, id, m{}), http.StatusConflict, "Try Again")
	check.Empty(t, app.Captures(t, id), "charged")
}

func TestAPaymentWithAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	silent := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
		http.Error(w, "no", http.StatusBadGateway)
	})
	app := apptest.New(t, apptest.Options{Gateway: silent, Timeout: 20 * time.Second})
	t.Cleanup(func() { close(release) })
	id := app.Order(t)
	answer := pay(t, app, id, m{"Idempotency-Key": secretKey})
	if answer.Status != http.StatusAccepted || apptest.JSON[response](t, answer).State != "processing" {
		t.Errorf("%d %s, want 202 processing", answer.Status, answer.Body)
	}
	pay(t, app, id, m{"Idempotency-Key": secretKey}).Want(t, http.StatusAccepted, "the same key")
	refused(t, pay(t, app, id, m{"Idempotency-Key": "two"}), http.StatusConflict)
	if v := app.Visit(t, "/pos/panezski/"+id); v.Find("section", "data-state=waiting") == nil {
		t.Error("the page does not show that it waits")
	} else {
		v.Has("Please do not pay again").HasNot("Pay $", "Try Again")
	}
}

func TestThreeDSecureByTheAPI(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	answer := pay(t, app, app.Order(t), m{"pan": "4000000000003220"})
	res := apptest.JSON[response](t, answer)
	if answer.Status != http.StatusAccepted || res.State != "processing" || !strings.HasPrefix(res.Redirect, app.URL+"/sandbox/") {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

func TestADeadGatewayIsAnErrorInJSON(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: http.NotFoundHandler()})
	id := app.Order(t)
	app.StopGateway()
	answer := pay(t, app, id, m{})
	refused(t, answer, http.StatusServiceUnavailable, "Nothing was charged")
	app.Visit(t, "/pos/panezski/"+id).Has("Payment Unsuccessful").Press("Try Again?").Has("Pay $11.00") // API-06 PAY-34
}

func TestPaymentsTheAPIRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		status       int
		words        string
	}{
		{"an expired order", "UPDATE transaction SET status = 'expired'", http.StatusGone, "not paid in time"},
		{"an overdue order", "UPDATE transaction SET expires_at = now()", http.StatusGone, "not paid in time"},
		{"a test order of a merchant that went live", "UPDATE shop SET live = true", http.StatusGone, "switched between test and live payments since. Nothing was charged"},
		{"an item that has sold out since", "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'", http.StatusConflict, "Butter Croissant"},
		{"one that a restore closed", "INSERT INTO restore (backup_at) VALUES (now())", http.StatusServiceUnavailable, "cannot be paid right now, and nothing was charged"},
		{"an unknown state", "UPDATE transaction SET status = 'refunded'", http.StatusConflict, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := app.Order(t)
			dbtest.Exec(t, app.Pool, tt.change)
			refused(t, pay(t, app, id, m{}), tt.status, tt.words)
			check.Empty(t, app.Captures(t, id), "charged")
		})
	}
}

// The page's form and the call have one rule for a card; TestFormProblems goes through its mistakes.
func TestCardsTheAPIRefuses(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	wrong := m{"cardholder": "Pat 45391488/03436467", "pan": "4111x11111111111", "exp": "13/34", "cvc": "98765", "cEmail": "x"}
	answer := pay(t, app, id, wrong)
	refused(t, answer, http.StatusUnprocessableEntity)
	fields := apptest.JSON[struct{ Fields map[string]string }](t, answer).Fields
	check.List(t, slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(wrong)), "fields with a problem (PAY-18 PAY-22 PAY-23 PAY-24)")
	check.Lacks(t, answer.Body, "4111", "the answer repeats the card")
	check.Lacks(t, answer.Body, "987", "the answer repeats the card")
	check.Empty(t, app.Captures(t, id), "charged")
}

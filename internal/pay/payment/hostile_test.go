package payment_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// gatewayStub answers payments and resolutions as a test needs.
func gatewayStub(pay, resolve func(w http.ResponseWriter, reference string)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) { pay(w, "") })
	mux.HandleFunc("POST /api/payments/{reference}/resolve", func(w http.ResponseWriter, r *http.Request) {
		resolve(w, r.PathValue("reference"))
	})
	return mux
}

const approved = `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"T-%s"%s}`

func TestAnUnexpectedAnswerIsNeverASuccess(t *testing.T) {
	t.Parallel()
	notCharged := func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"state":"not_charged"}`) }
	for _, tt := range []struct {
		name, body string
		code       int
		state      state.Attempt
	}{
		{"another amount needs a person", fmt.Sprintf(approved, "1", `,"amount":"99.00"`), 200, "manual"},
		{"another currency needs a person", fmt.Sprintf(approved, "1", `,"currency":"USD"`), 200, "manual"},
		{"another reference needs a person", fmt.Sprintf(approved, "1", `,"reference":"somebody else's"`), 200, "manual"},
		{"an answer that is not JSON is resolved", "<html>", 200, "not_charged"},
		{"an overlong answer is resolved", `{"x":"` + strings.Repeat("x", 100<<10) + `"}`, 200, "not_charged"},
		{"approved with a 500 is resolved", fmt.Sprintf(approved, "1", ""), 500, "not_charged"},
		{"declined with a 502 is resolved, not declined", `{"status":{"responsetype":"0","statuscode":"5"}}`, 502, "not_charged"},
		{"no status code is resolved", `{"status":{"responsetype":"1"}}`, 200, "not_charged"},
		{"gone for ever is not charged", ``, 410, "not_charged"},
		{"a redirect to an unlisted host is resolved", `{"status":{"responsetype":"2","statuscode":"2"},"redirect":"https://evil.example/"}`, 200, "not_charged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Gateway: gatewayStub(func(w http.ResponseWriter, _ string) {
				w.WriteHeader(tt.code)
				fmt.Fprint(w, tt.body)
			}, notCharged)})
			id := app.Order(t)
			_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
			check.Must(t, err)
			apptest.Eventually(t, "the attempt is "+string(tt.state), func() bool { return stored(t, app, id).AttemptState == tt.state })
			if trx := stored(t, app, id).Transaction; trx.ApprovedAttempt != nil {
				t.Errorf("the transaction is %q", trx.Status)
			}
		})
	}
}

func TestTheSameGatewayTransactionTwiceNeedsAPerson(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: gatewayStub(func(w http.ResponseWriter, _ string) {
		fmt.Fprintf(w, approved, "same", "")
	}, nil)})
	first, second := app.Order(t), app.Order(t)
	for _, id := range []string{first, second} {
		_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
		check.Must(t, err)
	}
	check.Equal(t, stored(t, app, second).AttemptState, "manual", "the second attempt")
	check.Equal(t, stored(t, app, second).Transaction.Status, "processing", "the second transaction")
}

func TestAContradictingLateAnswerRaisesAnAlarm(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var asked atomic.Bool
	app := apptest.New(t, apptest.Options{Gateway: gatewayStub(func(w http.ResponseWriter, _ string) {
		asked.Store(true)
		<-release
		fmt.Fprintf(w, approved, "late", "")
	}, func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"state":"not_charged"}`) })})
	id := app.Order(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
	}()
	apptest.Eventually(t, "the payment was sent", asked.Load)
	// As after a crash: the lease has expired, and the sweep resolves the payment while the sender still waits.
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET lease_until = now()")
	apptest.Eventually(t, "the sweep settled it", func() bool { return stored(t, app, id).AttemptState == "not_charged" })
	close(release)
	<-done
	apptest.Eventually(t, "the contradiction is stored", func() bool {
		var says string
		err := app.Pool.QueryRow(t.Context(), "SELECT differences -> 0 ->> 'says' FROM transaction").Scan(&says)
		return err == nil && says == "the gateway later said: approved"
	})
	check.Equal(t, stored(t, app, id).Transaction.Status, "error", "the settled transaction changed to")
}

func TestTheSweepSettlesPaymentsLeftByACrash(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Timeout: time.Second})
	id := app.Order(t)
	// A process claimed the payment and died before sending it, so the gateway never heard of it.
	dbtest.Exec(t, app.Pool, `
		WITH a AS (INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until)
			SELECT gen_random_uuid(), id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now() FROM transaction WHERE id = $1)
		UPDATE transaction SET status = 'processing' WHERE id = $1`, id)
	check.Equal(t, settled(t, app, id).Status, "error", "the status")
}

package payment_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// typed returns a filled-in card form with a card number.
func typed(t *testing.T, number string) payment.Card {
	t.Helper()
	checked, problems := payment.CardInput{Name: "Ann Lee", Number: card.Type(number), Expiry: "12/34", CVC: card.Type("123"), Email: "ann@example.com"}.Check(time.Now())
	check.MustEqual(t, len(problems), 0, "Check, %v", problems)
	return checked
}

func stored(t *testing.T, app *apptest.App, id string) db.TransactionGetRow {
	t.Helper()
	row, err := db.New(app.Pool).TransactionGet(t.Context(), id, "panezski")
	check.Must(t, err)
	return row
}

// settled waits until the transaction is no longer processing.
func settled(t *testing.T, app *apptest.App, id string) db.Transaction {
	t.Helper()
	apptest.Eventually(t, "the payment is settled", func() bool { return stored(t, app, id).Transaction.Status != "processing" })
	return stored(t, app, id).Transaction
}

func TestEachAnswerOfTheGatewayEndsInTheRightState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, card string
		status     state.Transaction
		attempt    state.Attempt
		message    string
		captures   int
	}{
		{"approved (PAY-28)", "4111111111111111", "success", "approved", "", 1},
		{"declined with the bank's words (PAY-30 PAY-31)", "4000000000000002", "error", "declined", "Do not honour", 0},
		{"insufficient funds (PAY-31)", "4000000000009995", "error", "declined", "Insufficient funds", 0},
		{"a 500 that charged nothing is proven not charged", "4000000000000119", "error", "not_charged", "", 0},
		{"a 500 after charging is discovered and counts as paid", "4000000000000127", "success", "approved", "", 1},
		{"silence after charging is discovered and counts as paid", "4000000000000259", "success", "approved", "", 1},
		{"a slow answer counts", "4000000000000341", "success", "approved", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Timeout: 3 * time.Second})
			id := app.Order(t)
			_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, tt.card))
			check.Must(t, err)
			trx := settled(t, app, id)
			if trx.Status != tt.status || trx.ErrorMsg != tt.message {
				t.Errorf("status %q, message %q, want %q, %q", trx.Status, trx.ErrorMsg, tt.status, tt.message)
			}
			check.Equal(t, stored(t, app, id).AttemptState, tt.attempt, "attempt")
			captures := app.Captures(t, id)
			check.MustEqual(t, len(captures), tt.captures, "the gateway charged … times")
			if tt.captures == 1 && (captures[0].Amount != "11.00" || captures[0].Arrivals != 1 || captures[0].TransactionID != trx.Transactionid) {
				t.Errorf("ledger entry %+v does not match transaction %q", captures[0], trx.Transactionid)
			}
		})
	}
}

func TestOnePaymentForATransaction(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	var wait sync.WaitGroup
	for i := range 12 {
		key := []string{"first form", "second form", "third form"}[i%3]
		wait.Go(func() {
			attempt, err := app.Payments.PayCard(t.Context(), "panezski", id, key, typed(t, "4111111111111111"))
			if paid := new(payment.PaidError); err != nil && !errors.Is(err, payment.ErrHeld) && !errors.As(err, &paid) {
				t.Error(err)
			}
			if err == nil && attempt.State != "approved" && attempt.State != "submitting" {
				t.Errorf("attempt %q", attempt.State)
			}
		})
	}
	wait.Wait()
	settled(t, app, id)
	check.Equal(t, len(app.Captures(t, id)), 1, "charged … times")
	again, err := app.Payments.PayCard(t.Context(), "panezski", id, "a fourth form", typed(t, "5555555555554444"))
	var paid *payment.PaidError
	if !errors.As(err, &paid) || paid.Amount != 1100 || paid.Currency != "AUD" || time.Since(paid.At) > time.Minute || again.PayerName != "" {
		t.Errorf("paying again returned %+v, %v; want the amount and time of the payment", again, err)
	}
}

// A browser drops the first click's request when a form is sent twice.
func TestAPaymentIsSentThoughItsPayerLeavesDuringTheClaim(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	held, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = held.Rollback(t.Context()) }()
	dbtest.Exec(t, held, "SELECT FROM transaction WHERE id = $1 FOR UPDATE", id)
	request, leave := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := app.Payments.PayCard(request, "panezski", id, "k", typed(t, "4111111111111111"))
		done <- err
	}()
	apptest.Eventually(t, "the claim waits for the transaction", func() bool {
		var waits bool
		err := app.Pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND query ~ 'name: AttemptClaim')`).Scan(&waits)
		return err == nil && waits
	})
	leave()
	check.Must(t, held.Rollback(t.Context()))
	check.NoError(t, <-done, "paying")
	check.Equal(t, settled(t, app, id).Status, "success", "the transaction")
	check.Equal(t, len(app.Captures(t, id)), 1, "charged … times")
}

func TestADeclineNeedsTryAgain(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	pay := func(key, number string) error {
		_, err := app.Payments.PayCard(t.Context(), "panezski", id, key, typed(t, number))
		return err
	}
	check.Must(t, pay("one", "4000000000000002"))
	check.ErrorIs(t, pay("two", "4111111111111111"), payment.ErrDeclined, "a late second click")
	check.Must(t, app.Payments.Retry(t.Context(), "panezski", id), "PAY-34")
	check.Equal(t, stored(t, app, id).Transaction.Status, "new", "PAY-34 PAY-56 status … after Try Again")
	check.NoError(t, app.Payments.Retry(t.Context(), "panezski", id), "a second tap on Try Again")
	check.Must(t, pay("three", "4111111111111111"))
	check.Equal(t, settled(t, app, id).Status, "success", "the status")
	check.ErrorIs(t, app.Payments.Retry(t.Context(), "panezski", id), payment.ErrHeld, "Try Again for a paid transaction")
}

func TestUnpayableTransactionsAreRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, change string
		want         error
	}{
		{"an order of two hours ago", "UPDATE transaction SET expires_at = now()", payment.ErrExpired},
		{"an expired order", "UPDATE transaction SET status = 'expired'", payment.ErrExpired},
		{"a test order of a merchant that went live", "UPDATE shop SET live = true", payment.ErrExpired},
		{"a transaction in a newer program's state", "UPDATE transaction SET status = 'refunded'", payment.ErrHeld},
		{"another merchant's transaction", "UPDATE shop SET code = 'moved' WHERE false", payment.ErrMissing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id, shop := app.Order(t), "panezski"
			dbtest.Exec(t, app.Pool, tt.change)
			if errors.Is(tt.want, payment.ErrMissing) {
				shop = "moollar"
			}
			_, err := app.Payments.PayCard(t.Context(), shop, id, "k", typed(t, "4111111111111111"))
			check.ErrorIs(t, err, tt.want, "app.Payments.PayCard")
			check.Empty(t, app.Captures(t, id), "the refused payment was charged")
		})
	}
	t.Run("an item that has sold out", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		id := app.Order(t)
		dbtest.Exec(t, app.Pool, "UPDATE item SET sold_out = true WHERE name = 'Butter Croissant'")
		_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
		var soldOut *payment.SoldOutError
		if !errors.As(err, &soldOut) || len(soldOut.Names) != 1 || soldOut.Names[0] != "Butter Croissant" {
			t.Errorf("got %v, want the item's name", err)
		}
		check.Equal(t, stored(t, app, id).Transaction.Status, "new", "the status")
	})
}

func TestAnUnreachableGatewayChargesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: http.NotFoundHandler(), Timeout: 300 * time.Millisecond})
	id := app.Order(t)
	app.StopGateway()
	attempt, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
	if err != nil || attempt.State != "not_charged" {
		t.Fatalf("attempt %q, %v; want not_charged at once, since nothing was sent", attempt.State, err)
	}
	check.Equal(t, stored(t, app, id).Transaction.Status, "error", "the status")
}

func TestAStopRefusesNewPaymentsAndSettlesOpenOnes(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4000000000000341"))
	check.Must(t, err)
	check.Must(t, app.Payments.Close(t.Context()))
	check.Equal(t, stored(t, app, id).Transaction.Status, "success", "status … after the stop")
	other := app.Order(t)
	_, err = app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111"))
	check.Error(t, err, "a stopping program accepted a payment")
}

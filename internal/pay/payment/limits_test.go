package payment_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// liveOrder makes an order at tahbella, which is live.
func liveOrder(t *testing.T, app *apptest.App) string {
	t.Helper()
	answer := app.PostJSON(t, "/api/pos", map[string]any{"merchantId": "tahbella", "order": []map[string]any{{"name": "Lemon Sorbet", "qty": 1}}})
	return apptest.JSON[struct{ TrxID string }](t, answer).TrxID
}

// declines pays with a card that is declined and returns the refusal, if any.
func declines(t *testing.T, app *apptest.App, shop, id, number, address string) error {
	t.Helper()
	card := typed(t, number)
	card.From = netip.MustParseAddr(address)
	_, err := app.Payments.PayCard(t.Context(), shop, id, time.Now().String(), card)
	if err == nil {
		err = app.Payments.Retry(t.Context(), shop, id)
	}
	return err
}

// anHourLater moves all declines an hour into the past.
func anHourLater(t *testing.T, app *apptest.App) {
	t.Helper()
	for _, statement := range []string{
		"UPDATE attempt SET settled_at = settled_at - interval '61 minutes'",
		"UPDATE limit_address SET since = since - interval '61 minutes' WHERE secret IS NULL",
	} {
		dbtest.Exec(t, app.Pool, statement)
	}
}

const (
	declined   = "4000000000000002"
	noFunds    = "4000000000009995"
	expired    = "4000000000000069"
	approvable = "4111111111111111"
	home       = "203.0.113.7"
	elsewhere  = "198.51.100.1"
)

func TestLimitsAgainstCardTesting(t *testing.T) {
	t.Parallel()
	var limit *payment.LimitError
	t.Run("a challenge that is given up counts as a decline", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		id := liveOrder(t, app)
		for i := range 3 {
			check.Must(t, declines(t, app, "tahbella", id, "4000000000003220", home), "challenge %d", i+1)
		}
		if err := declines(t, app, "tahbella", liveOrder(t, app), "4000000000003220", home); !errors.As(err, &limit) || !limit.Card {
			t.Errorf("the fourth with that card: %v, want a limit", err)
		}
		for i := range 2 {
			check.Must(t, declines(t, app, "tahbella", id, "4000000000003220", fmt.Sprintf("192.0.2.%d", i)), "elsewhere, challenge %d", i+1)
		}
		if err := declines(t, app, "tahbella", id, "4000000000003220", elsewhere); !errors.As(err, &limit) || limit.Card {
			t.Errorf("the sixth of that order: %v, want a limit", err)
		}
	})
	t.Run("a card at an address has three declines an hour", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		for range 3 {
			check.Must(t, declines(t, app, "tahbella", liveOrder(t, app), declined, home))
		}
		id := liveOrder(t, app)
		if err := declines(t, app, "tahbella", id, declined, home); !errors.As(err, &limit) || limit.After < 50*time.Minute || limit.After > time.Hour {
			t.Fatalf("the fourth try: %v, want a wait of nearly an hour", err)
		}
		// Two cards of a thousand are taken for one, since ten bits of a card are kept.
		another := declines(t, app, "tahbella", id, noFunds, home)
		if third := declines(t, app, "tahbella", id, expired, home); another != nil && third != nil {
			t.Errorf("other cards at the address: %v, %v", another, third)
		}
		check.NoError(t, declines(t, app, "tahbella", id, declined, elsewhere), "the card at another address")
		anHourLater(t, app)
		check.NoError(t, declines(t, app, "tahbella", id, declined, home), "after an hour")
	})
	t.Run("a transaction has five declines an hour", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		id := liveOrder(t, app)
		for i := range 5 {
			check.Must(t, declines(t, app, "tahbella", id, declined, fmt.Sprintf("198.51.100.%d", i)))
		}
		card := typed(t, approvable)
		if _, err := app.Payments.PayCard(t.Context(), "tahbella", id, "six", card); !errors.As(err, &limit) || limit.After < 50*time.Minute || limit.After > time.Hour {
			t.Errorf("the sixth try: %v, want a wait of nearly an hour", err)
		}
		anHourLater(t, app)
		if attempt, err := app.Payments.PayCard(t.Context(), "tahbella", id, "seven", card); err != nil || attempt.State != state.AttemptApproved {
			t.Errorf("after an hour: %q, %v", attempt.State, err)
		}
	})
	t.Run("an address has thirty declines an hour", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{Limits: payment.Limits{Address: 1, Card: 1000, Transaction: 1000, Merchant: 1000}})
		id := liveOrder(t, app)
		for i := range payment.MinAddressLimit {
			check.Must(t, declines(t, app, "tahbella", id, declined, home), "decline %d", i+1)
		}
		if err := declines(t, app, "tahbella", id, noFunds, home); !errors.As(err, &limit) {
			t.Errorf("the 31st decline: %v, want a limit", err)
		}
		check.NoError(t, declines(t, app, "tahbella", id, noFunds, elsewhere), "a decline at another address")
	})
	t.Run("a business with mostly declined payments limits only addresses that had a decline there", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{Limits: payment.Limits{Merchant: 4, Transaction: 1000}})
		id := liveOrder(t, app)
		for i := range 4 {
			check.Must(t, declines(t, app, "tahbella", id, declined, fmt.Sprintf("198.51.100.%d", i)))
		}
		if err := declines(t, app, "tahbella", id, noFunds, "198.51.100.2"); !errors.As(err, &limit) {
			t.Errorf("an address with a decline: %v", err)
		}
		card := typed(t, approvable)
		card.From = netip.MustParseAddr(home)
		if attempt, err := app.Payments.PayCard(t.Context(), "tahbella", id, "honest", card); err != nil || attempt.State != "approved" {
			t.Errorf("a guest without declines: %q, %v", attempt.State, err)
		}
	})
	t.Run("in test mode a hundred declines of one transaction an hour count, and nothing else", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		id := app.Order(t)
		for i := range 100 {
			check.Must(t, declines(t, app, "panezski", id, declined, home), "decline %d", i+1)
		}
		if err := declines(t, app, "panezski", id, declined, elsewhere); !errors.As(err, &limit) || limit.After < 50*time.Minute {
			t.Errorf("the 101st decline: %v, want a wait of nearly an hour", err)
		}
		check.NoError(t, declines(t, app, "panezski", app.Order(t), declined, home), "another transaction")
	})
	t.Run("the page and the JSON answer tell the payer to wait", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{Limits: payment.Limits{Transaction: 1}})
		id := liveOrder(t, app)
		check.Must(t, declines(t, app, "tahbella", id, declined, home))
		answer := app.PostJSON(t, "/api/pay", map[string]any{
			"merchantId": "tahbella", "trxId": id, "cardholder": "Ann Lee", "pan": approvable, "exp": "12/34", "cvc": "123",
		})
		if answer.Status != 429 || answer.Header.Get("Retry-After") == "" {
			t.Errorf("JSON: %d, Retry-After %q", answer.Status, answer.Header.Get("Retry-After"))
		}
		page := app.Post(t, "/pos/tahbella/"+id, map[string][]string{
			"name": {"Ann Lee"}, "card": {approvable}, "exp": {"12/34"}, "cvc": {"123"}, "key": {"x"},
		})
		if page.Status != 303 || !strings.HasPrefix(page.Location, "/pos/tahbella/"+id+"?minutes=") {
			t.Errorf("page: %d to %q", page.Status, page.Location)
		}
		app.Visit(t, page.Location).Has("Too many payments were declined. Nothing was charged. Please try again in", "minutes.").HasNot("another card")
	})
	t.Run("a payer whose card has to wait may use another", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{Limits: payment.Limits{Card: 1}})
		pay := func(number string) (id string, answer apptest.Answer) {
			id = liveOrder(t, app)
			return id, app.PostJSON(t, "/api/pay", map[string]any{
				"merchantId": "tahbella", "trxId": id, "cardholder": "Ann Lee", "pan": number, "exp": "12/34", "cvc": "123",
			})
		}
		const words = "This card was declined too often. Nothing was charged. Please pay with another card, or try this one again in "
		pay(declined)
		id, answer := pay(declined)
		answer.Want(t, 429, "JSON", words)
		page := app.Post(t, "/pos/tahbella/"+id, map[string][]string{
			"name": {"Ann Lee"}, "card": {declined}, "exp": {"12/34"}, "cvc": {"123"}, "key": {"x"},
		})
		app.Visit(t, page.Location).Has(words)
		_, other := pay(approvable)
		other.Want(t, 200, "another card")
	})
}

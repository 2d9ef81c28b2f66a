package payment_test

import (
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// atOnce pays with a card for each transaction at the same moment from home and returns how many payments had to wait.
func atOnce(t *testing.T, app *apptest.App, number string, trx []string) (waited int) {
	t.Helper()
	var all sync.WaitGroup
	var refused atomic.Int64
	card := typed(t, number)
	card.From = netip.MustParseAddr(home)
	for _, id := range trx {
		all.Go(func() {
			_, err := app.Payments.PayCard(t.Context(), "tahbella", id, "crowd", card)
			if limit := new(payment.LimitError); errors.As(err, &limit) {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return int(refused.Load())
}

func liveOrders(t *testing.T, app *apptest.App, n int) []string {
	t.Helper()
	all := make([]string, n)
	for i := range all {
		all[i] = liveOrder(t, app)
	}
	return all
}

// TestLimitsHoldAgainstACrowd uses a gateway that answers only once all payments have arrived, so that a limit that counts only answers
// has nothing to count yet.
func TestLimitsHoldAgainstACrowd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		limits payment.Limits
		sent   int64
	}{
		{"one card", payment.Limits{}, 3},
		{"one address", payment.Limits{Card: 1000}, 30},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			release := make(chan struct{})
			app := apptest.New(t, apptest.Options{Limits: tt.limits, Gateway: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				sent.Add(1)
				<-release
				_, _ = w.Write([]byte(`{"status":{"responsetype":"0","statuscode":"1","errordesc":"Do not honour"}}`))
			})})
			const crowd = 120
			orders := liveOrders(t, app, crowd)
			var waited int
			done := make(chan struct{})
			go func() { defer close(done); waited = atOnce(t, app, declined, orders) }()
			apptest.Eventually(t, "the allowed payments are at the gateway", func() bool {
				return sent.Load() >= tt.sent
			})
			close(release)
			<-done
			if got := sent.Load(); got != tt.sent || int64(waited) != crowd-tt.sent {
				t.Errorf("%d of %d concurrent payments were sent, %d had to wait; want %d sent", got, crowd, waited, tt.sent)
			}
		})
	}
}

func TestLimitsSparePayingGuests(t *testing.T) {
	t.Parallel()
	var limit *payment.LimitError
	pay := func(t *testing.T, app *apptest.App, number string) error {
		card := typed(t, number)
		card.From = netip.MustParseAddr(home)
		_, err := app.Payments.PayCard(t.Context(), "tahbella", liveOrder(t, app), "k", card)
		return err
	}
	t.Run("an address whose payments are mostly approved", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{Limits: payment.Limits{Card: 1000, Merchant: 1000}})
		for i := range 31 {
			check.Must(t, pay(t, app, approvable), "guest %d", i+1)
		}
		for i := range 31 {
			check.Must(t, pay(t, app, declined), "decline %d of 31, with 31 approved payments", i+1)
		}
		check.Must(t, pay(t, app, declined), "31 declines are only half of 62 payments")
		if err := pay(t, app, approvable); !errors.As(err, &limit) {
			t.Errorf("32 declines of 63 payments: %v, want a wait", err)
		}
	})
	t.Run("payments that are approved or proven not charged count no longer", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		for _, number := range []string{approvable, approvable, approvable, approvable, "4000000000000119", "4000000000000119", "4000000000000119", "4000000000000119"} {
			check.Must(t, pay(t, app, number), "%s", number)
			// HTTP 500 and not charged: the sweep settles the payment.
			apptest.Eventually(t, "the payment is settled", func() bool {
				open := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM limit_try")
				return open == 0
			})
		}
		var open, declines, approved, cards int
		check.Must(t, app.Pool.QueryRow(t.Context(),
			"SELECT open, declined, approved, cardinality(cards) FROM limit_address WHERE secret IS NULL").Scan(&open, &declines, &approved, &cards))
		if open != 0 || declines != 0 || approved != 4 || cards != 0 {
			t.Errorf("%d open, %d declined, %d approved, %d cards; want 0, 0, 4, 0", open, declines, approved, cards)
		}
	})
	t.Run("counts left by a dead program are released", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		// One program died before its claim, another between an approval and releasing its count.
		check.Must(t, pay(t, app, approvable))
		changeByHand(t, app, `INSERT INTO limit_try (attempt, address, card, since)
			SELECT a, l.address, -1, now() - interval '3 minutes' FROM limit_address l, (SELECT gen_random_uuid() AS a UNION ALL SELECT id FROM attempt) died WHERE l.secret IS NULL`)
		changeByHand(t, app, "UPDATE limit_address SET open = 2, cards = '{-1,-1}', since = since - interval '3 minutes' WHERE secret IS NULL")
		for _, want := range []int64{2, 0} {
			if rows, err := db.New(app.Pool).LimitSettleLeft(t.Context(), 100); err != nil || rows != want {
				t.Errorf("settled %d, %v; want %d", rows, err, want)
			}
		}
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT open + cardinality(cards) FROM limit_address WHERE secret IS NULL"), 0,
			"payments still count")
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT approved FROM limit_address WHERE secret IS NULL"), 2, "approved")
	})
	t.Run("a crash that empties the counts stops no payment", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		order := liveOrder(t, app)
		card := typed(t, "4000000000000259") // charges and never answers
		_, err := app.Payments.PayCard(t.Context(), "tahbella", order, "k", card)
		check.Must(t, err)
		dbtest.Exec(t, app.Owner(t), "TRUNCATE limit_address, limit_try")
		apptest.Eventually(t, "the payment is approved anyway", func() bool {
			attempt, err := app.Payments.PayCard(t.Context(), "tahbella", order, "k", card)
			return err == nil && attempt.State == state.AttemptApproved
		})
		check.NoError(t, pay(t, app, approvable))
	})
}

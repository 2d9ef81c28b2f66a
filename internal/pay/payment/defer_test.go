package payment_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestThePauseBetweenLooksGrowsWithAgeNotWithFailures(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct {
		state  string
		age    time.Duration
		checks int
		want   time.Duration
	}{
		{"unknown", 0, 1, time.Second},
		{"unknown", 3 * time.Second, 9, time.Second},
		{"submitting", 20 * time.Second, 9, 5 * time.Second},
		{"unknown", 20 * time.Second, 1, 5 * time.Second},
		{"unknown", time.Minute, 1, 15 * time.Second},
		{"unknown", 24 * time.Hour, 1000, 15 * time.Second},
		{"redirected", time.Second, 1, 5 * time.Second},
		{"redirected", 9 * time.Minute, 100, 5 * time.Second},
	} {
		t.Run(fmt.Sprintf("%s for %s after %d looks", tt.state, tt.age, tt.checks), func(t *testing.T) {
			t.Parallel()
			id, attempt := app.Order(t), uuid.New()
			tx, err := app.Pool.Begin(t.Context())
			check.Must(t, err)
			defer func() { _ = tx.Rollback(t.Context()) }()
			dbtest.Exec(t, tx, `
				INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, created_at, checks)
				SELECT $1, id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now(), $3, now() - $4::interval, $5
				FROM transaction WHERE id = $2`, attempt, id, tt.state, tt.age, tt.checks)
			check.Must(t, db.New(tx).AttemptDefer(t.Context(), attempt))
			pause := dbtest.Value[time.Duration](t, tx, "SELECT lease_until - now() FROM attempt WHERE id = $1", attempt)
			check.Equal(t, pause, tt.want, "the pause")
		})
	}
}

package payment_test

import (
	"errors"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/paylink"
)

func TestAPayLinkIgnoresTheKitchensHours(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	link := func(expires time.Time) string {
		made, err := paylink.Create(t.Context(), app.Pool, []paylink.Wanted{{Shop: "panezski", Amount: 12500, Reference: "INV-2041", Expires: paylink.ExpiresAt(expires)}})
		check.Must(t, err)
		return made[0].ID
	}
	for _, tt := range []struct {
		name, trx string
		want      error
	}{
		{"an order", app.Order(t), payment.ErrPaused},
		{"a link", link(time.Time{}), nil},
		{"a link that expires", link(time.Now().Add(24 * time.Hour)), nil},
		{"a link that has expired", link(time.Now().Add(24 * time.Hour)), payment.ErrExpired},
	} {
		if errors.Is(tt.want, payment.ErrExpired) {
			dbtest.Exec(t, app.Pool, "UPDATE transaction SET expires_at = now() WHERE id = $1", tt.trx)
		}
		dbtest.Exec(t, app.Pool, "UPDATE shop SET needs_kitchen = true WHERE code = 'panezski'")
		_, err := app.Payments.PayCard(t.Context(), "panezski", tt.trx, "k", typed(t, "4111111111111111"))
		check.ErrorIs(t, err, tt.want, "%s, after the kitchen's hours", tt.name)
	}
}

func TestFiveDeclinesBlockAPayLinkForAnHour(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Limits: payment.Limits{Card: 1000, Merchant: 1000}})
	made, err := paylink.Create(t.Context(), app.Pool, []paylink.Wanted{{Shop: "tahbella", Amount: 12500, Reference: "INV-2041"}})
	check.Must(t, err)
	id := made[0].ID
	for i := range 5 {
		check.Must(t, declines(t, app, "tahbella", id, declined, home), "decline %d", i+1)
	}
	limit := new(payment.LimitError)
	if _, err := app.Payments.PayCard(t.Context(), "tahbella", id, "six", typed(t, approvable)); !errors.As(err, &limit) || limit.After > time.Hour {
		t.Errorf("the sixth try: %v, want a wait of at most an hour", err)
	}
	anHourLater(t, app)
	if a, err := app.Payments.PayCard(t.Context(), "tahbella", id, "seven", typed(t, approvable)); err != nil || a.State != "approved" {
		t.Errorf("after an hour: %q, %v", a.State, err)
	}
}

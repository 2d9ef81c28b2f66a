package payment_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// undecided is a gateway that gives payments one answer and later questions another.
type undecided struct{ pay, later atomic.Pointer[string] }

func (g *undecided) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := g.later.Load()
	if r.URL.Path == "/api/pay" {
		answer = g.pay.Load()
	}
	if *answer == "" {
		w.WriteHeader(http.StatusAccepted)
	}
	fmt.Fprint(w, *answer)
}

// TestUndecidedPaymentsDoNotBlockAnAddress makes thirty payments in one café, an address's limit of declines.
func TestUndecidedPaymentsDoNotBlockAnAddress(t *testing.T) {
	t.Parallel()
	const (
		bank     = `{"status":{"responsetype":"2","statuscode":"2"},"redirect":"BANK/bank"}`
		declines = `{"status":{"responsetype":"0","statuscode":"5"}}`
		minute   = "UPDATE attempt SET created_at = now() - interval '61 seconds', lease_until = now()"
	)
	for name, tt := range map[string]struct {
		pay, later string
		held       bool // until a minute has passed
		byDeclines bool // once they are declined
	}{
		"customers at their banks":               {bank, "", false, true},
		"another amount, which a person decides": {another, "", false, false},
		"no answer yet":                          {"", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &undecided{}
			app := apptest.New(t, apptest.Options{Gateway: g, Limits: payment.Limits{Card: 1000, Merchant: 1000}})
			first := strings.Replace(tt.pay, "BANK", app.URL, 1)
			g.pay.Store(&first)
			g.later.Store(&tt.later)
			pay := func() error {
				card := typed(t, approvable)
				card.From = netip.MustParseAddr(home)
				_, err := app.Payments.PayCard(t.Context(), "tahbella", liveOrder(t, app), "k", card)
				return err
			}
			open := func() (n int) {
				return dbtest.Value[int](t, app.Pool, "SELECT coalesce(sum(open + declined), 0) FROM limit_address")
			}
			for i := range 30 {
				check.Must(t, pay(), "payment %d", i+1)
			}
			limit := new(payment.LimitError)
			if err := pay(); errors.As(err, &limit) != tt.held || tt.held && !limit.Checking {
				t.Errorf("the 31st payment: %v, with %d counted; want it held: %t", err, open(), tt.held)
			}
			changeByHand(t, app, minute)
			apptest.Eventually(t, "no payment counts any longer", func() bool { return open() == 0 })
			check.NoError(t, pay(), "a payment after a minute")
			if !tt.byDeclines {
				return
			}
			refused := declines
			g.later.Store(&refused)
			changeByHand(t, app, "UPDATE attempt SET lease_until = now()")
			apptest.Eventually(t, "the declines count", func() bool {
				return dbtest.Value[int](t, app.Pool, "SELECT coalesce(sum(declined), 0) FROM limit_address") >= 30
			})
			if err := pay(); !errors.As(err, &limit) || limit.Checking {
				t.Errorf("a payment after 30 declines: %v", err)
			}
		})
	}
}

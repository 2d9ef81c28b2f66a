package payment_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/payment"
)

// slowing is a gateway that takes payments and decides none, until its ledger lists the first one.
type slowing struct {
	listing
	payments atomic.Int64
}

func (g *slowing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/ledger":
		g.listing.ServeHTTP(w, r)
		return
	case "/api/pay":
		g.payments.Add(1)
	}
	w.WriteHeader(http.StatusAccepted)
}

// endedUnconfirmed returns a transaction that a person has ended as not charged although its gateway has not decided.
func endedUnconfirmed(t *testing.T) (app *apptest.App, g *slowing, id string, attempt uuid.UUID) {
	t.Helper()
	g = &slowing{}
	app = apptest.New(t, apptest.Options{Gateway: g})
	id = app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, approvable))
	if err != nil || a.State != "unknown" {
		t.Fatal(a.State, err)
	}
	changeByHand(t, app, "UPDATE attempt SET created_at = now() - interval '6 minutes'")
	d := payment.Decision{Of: a.ID, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank", Seen: "not decided yet"}
	check.Must(t, app.Payments.Decide(t.Context(), d))
	return app, g, id, a.ID
}

func TestAPaymentThatEndedUnconfirmedIsNeverPaidTwice(t *testing.T) {
	t.Parallel()
	app, g, id, attempt := endedUnconfirmed(t)
	page := "/pos/panezski/" + id
	refused := func(want error) {
		t.Helper()
		_, err := app.Payments.Free(t.Context(), "panezski", id)
		check.NoError(t, err)
		for _, key := range []string{"another", "k"} {
			a, err := app.Payments.PayCard(t.Context(), "panezski", id, key, typed(t, approvable))
			if key == "another" && !errors.Is(err, want) || err == nil && a.ID != attempt {
				t.Errorf("paid again with the key %s: %s, %v; want %v", key, a.State, err, want)
			}
		}
	}
	app.Visit(t, page).Has("This payment could not be confirmed", "You can make a new order.", "you get the money back", id).
		HasNot("Try Again", "No money was taken", "Nothing was charged")
	refused(payment.ErrUnconfirmed)

	// The acquirer has charged it after all. Its ledger shows that within minutes.
	g.add("capture", attempt.String(), id, "11.00", "AUD")
	g.entries[0]["at"] = time.Now().Add(-2 * time.Minute).UTC()
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	app.Visit(t, page).Has("Please do not pay again")
	refused(payment.ErrHeld)
	app.AcceptDifferences(t)
	app.Visit(t, page).Has("This payment could not be confirmed")
	refused(payment.ErrUnconfirmed)
	check.Equal(t, g.payments.Load(), 1, "payments reached the gateway")
}

func TestALinkThatEndedUnconfirmedSaysSo(t *testing.T) {
	t.Parallel()
	app, _, id, _ := endedUnconfirmed(t)
	changeByHand(t, app, "DELETE FROM order_line; UPDATE transaction SET kind = 'link', expires_at = NULL;"+
		"INSERT INTO paylink (transaction_id, shop_code, pl_name, pl_merchant_email) SELECT id, shop_code, 'Panezski', '' FROM transaction")
	app.Visit(t, "/pos/panezski/"+id).Has("Please ask Panezski to send you a new link.").HasNot("new order")
	app.SignIn(t)
	app.Visit(t, "/desk/panezski/links/"+id).Has("Not confirmed", "Make a new link to ask again").HasNot("End the link")
}

func TestTheGatewaysOwnWordLetsThePayerTryAgain(t *testing.T) {
	t.Parallel()
	tombstone := `{"state":"not_charged"}`
	app, id, attempt := manual(t, newCapturing("<html>", tombstone, returned))
	d := payment.Decision{Of: attempt, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank"}
	check.Must(t, app.Payments.Decide(t.Context(), d))
	check.Contains(t, app.Get(t, "/pos/panezski/"+id).Body, "Try Again", "the payer cannot try again")
}

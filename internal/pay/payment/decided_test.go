package payment_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// saying is a gateway with one answer to payments and another to later questions. It makes every refund and lists a capture for each
// payment in its ledger.
type saying struct {
	pay, later string
	refunded   atomic.Pointer[string]
	entries    atomic.Pointer[[]map[string]any]
}

func (g *saying) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	switch {
	case r.URL.Path == "/api/pay":
		g.entries.Store(&[]map[string]any{{
			"kind": "capture", "reference": body["reference"], "trxId": body["trxId"], "merchantId": "panezski", "testMode": true, "amount": "99.00",
			"currency": "AUD", "at": time.Now().UTC(),
		}})
		fmt.Fprint(w, g.pay)
	case r.URL.Path == "/api/refund":
		amount := body["amount"].(string) + " of " + body["transactionid"].(string)
		g.refunded.Store(&amount)
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	case r.URL.Path == "/ledger":
		_ = json.NewEncoder(w).Encode(map[string]any{"entries": *g.entries.Load()})
	default:
		fmt.Fprint(w, g.later)
	}
}

// insisting decides and, if the gateway does not confirm the decision, decides again with its answer in sight.
func insisting(t *testing.T, decide func(context.Context, payment.Decision) error, d payment.Decision) error {
	t.Helper()
	err := decide(t.Context(), d)
	if against := (*payment.AgainstError)(nil); errors.As(err, &against) {
		d.Seen = against.Says
		return decide(t.Context(), d)
	}
	return err
}

// another is an approval with another amount.
var another = fmt.Sprintf(approved, "99", `,"amount":"99.00","currency":"AUD","code":"C7"`)

// decided returns a site with a payment that waits for a person.
func decided(t *testing.T, g *saying) (app *apptest.App, id string, attempt uuid.UUID) {
	t.Helper()
	app = apptest.New(t, apptest.Options{Gateway: g})
	id = app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
	if err != nil || a.State != "manual" {
		t.Fatal(a.State, err)
	}
	if a.Transactionid == nil || *a.Transactionid != "T-99" || a.Code != "C7" || a.ToldMinor == nil || *a.ToldMinor != 9900 || a.ToldCurrency != "AUD" {
		t.Errorf("stored from the answer: %+v", a)
	}
	return app, id, a.ID
}

func TestACaptureIsAcceptedOrGivenBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		end                  payment.End
		refunds              string // before anybody asks for one
		captured, refunded   int64
		refund, afterwards   string
		differences, letters int
	}{
		{payment.EndApproved, "", 9900, 0, "99.00 of T-99", "Payment refunded", 0, 2},
		{payment.EndGivenBack, "99.00 of T-99", 9900, 9900, "99.00 of T-99", "Payment refunded", 1, 3},
	} {
		t.Run(string(tt.end), func(t *testing.T) {
			t.Parallel()
			g := &saying{pay: another, later: another}
			app, id, attempt := decided(t, g)
			// The payment's age does not matter: the comparison covers what was decided today.
			changeByHand(t, app, "UPDATE attempt SET created_at = now() - interval '40 days'")
			(*g.entries.Load())[0]["at"] = time.Now().Add(-40 * 24 * time.Hour).UTC()
			check.Must(t, app.Payments.Decide(t.Context(), payment.Decision{Of: attempt, End: tt.end, By: "Kim", Reason: "rang the bank"}))
			if got := stored(t, app, id); got.Position.Amount() != tt.captured || got.Transaction.RefundedMinor != tt.refunded {
				t.Errorf("captured %d, given back %d", got.Position.Amount(), got.Transaction.RefundedMinor)
			}
			if got := g.refunded.Load(); (got == nil) != (tt.refunds == "") || got != nil && *got != tt.refunds {
				t.Errorf("the gateway gave back %v, want %q", got, tt.refunds)
			}
			changeByHand(t, app, "UPDATE refund SET created_at = now() - interval '30 hours', settled_at = now() - interval '30 hours'")
			c, err := app.Settlement.Compare(t.Context(), time.Now().AddDate(0, 0, -50), time.Now().Add(time.Hour))
			if err != nil || c.Totals[0].Captures != 1 || len(c.Cases) != tt.differences { // the refund is not in this gateway's ledger
				t.Errorf("%+v, %v", c, err)
			}
			got := letters(t, app)
			check.Equal(t, len(got), tt.letters, "letters %q", got)
			if tt.end == payment.EndApproved {
				check.Contains(t, app.Get(t, "/pos/panezski/"+id).Body, "99.00", "the page does not show the captured amount")
				if r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, By: "Kim"}); err != nil || r.AmountMinor != 9900 {
					t.Errorf("the refund is %+v, %v", r, err)
				}
			}
			if got := g.refunded.Load(); got == nil || *got != tt.refund {
				t.Errorf("the gateway gave back %v, want %q", got, tt.refund)
			}
			check.Contains(t, app.Get(t, "/pos/panezski/"+id).Body, tt.afterwards, "the page lacks")
		})
	}
}

func TestADecisionAgainstTheGatewayNeedsItsAnswerInSight(t *testing.T) {
	t.Parallel()
	declined := `{"status":{"responsetype":"0","statuscode":"5"}}`
	for _, tt := range []struct {
		name, later string
		end         payment.End
		says        string // "" if the gateway confirms the decision
	}{
		{"approved, as the gateway says", another, payment.EndApproved, ""},
		{"approved, but the gateway says declined", declined, payment.EndApproved, "declined"},
		{"given back, but the gateway says declined", declined, payment.EndGivenBack, "declined"},
		{"not charged, and the gateway says declined", declined, payment.EndNotCharged, ""},
		{"not charged, as the gateway says", `{"state":"not_charged"}`, payment.EndNotCharged, ""},
		{"not charged, but the gateway's answer is unreadable", "<html>", payment.EndNotCharged, "nothing that can be understood, or it cannot be asked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app, id, attempt := decided(t, &saying{pay: another, later: tt.later})
			d := payment.Decision{Of: attempt, End: tt.end, By: "Kim", Reason: "rang the bank"}
			err := app.Payments.Decide(t.Context(), d)
			if tt.says == "" {
				check.NoError(t, err)
				return
			}
			if against := (*payment.AgainstError)(nil); !errors.As(err, &against) || against.Says != tt.says {
				t.Errorf("deciding blindly: %v", err)
			}
			check.Equal(t, stored(t, app, id).AttemptState, "manual", "the attempt")
			d.Seen = "something else"
			if err := app.Payments.Decide(t.Context(), d); !errors.As(err, new(*payment.AgainstError)) {
				t.Errorf("deciding with another answer in sight: %v", err)
			}
			d.Seen = tt.says
			check.NoError(t, app.Payments.Decide(t.Context(), d))
			check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE actor = 'Kim' AND reason = 'The gateway says: "+tt.says+"'"), 1,
				"lines of the audit log say what the gateway said")
			told := "SELECT count(*) FROM river_job WHERE args->'data' @> '{\"To\": \"staff@forecourt.test\", \"By\": \"Kim\", \"Overruled\": true}'"
			check.Equal(t, dbtest.Value[int](t, app.Pool, told), 1, "staff get … letters")
		})
	}
}

func TestAnyOpenPaymentCanBeDecidedAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })})
	id := app.Order(t)
	a, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
	if err != nil || a.State != "unknown" {
		t.Fatal(a.State, err)
	}
	d := payment.Decision{Of: a.ID, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank", Seen: "not decided yet"}
	check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrNotManual, "deciding within 5 minutes")
	changeByHand(t, app, "UPDATE attempt SET created_at = now() - interval '6 minutes'")
	if waiting, err := app.Payments.Undecided(t.Context()); err != nil || len(waiting) != 1 || waiting[0].ID != a.ID {
		t.Errorf("%+v are listed, %v", waiting, err)
	}
	check.NoError(t, app.Payments.Decide(t.Context(), d))
	if got := stored(t, app, id); got.Transaction.Status != "expired" || got.AttemptState != "not_charged" {
		t.Errorf("the transaction is %s, its attempt %s", got.Transaction.Status, got.AttemptState)
	}
}

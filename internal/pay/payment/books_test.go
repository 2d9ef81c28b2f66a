package payment_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

func decode(t *testing.T, r *http.Request) map[string]any {
	t.Helper()
	var body map[string]any
	check.NoError(t, json.NewDecoder(r.Body).Decode(&body))
	return body
}

func TestTheBooksAreComparedWithTheLedger(t *testing.T) {
	t.Parallel()
	const longAgo = "UPDATE attempt SET created_at = now() - interval '30 hours', settled_at = now() - interval '30 hours';"
	for _, tt := range []struct{ name, byHand, want string }{
		{"books that agree", "SELECT 1", ""},
		{"a charge that we do not know", "UPDATE attempt SET id = gen_random_uuid()", "charged 11.00 AUD, which we did not send"},
		{"a charge that the gateway does not know", longAgo + "UPDATE attempt SET id = gen_random_uuid()",
			"the gateway does not list the charge of 11.00 AUD"},
		{"one that it may still list", "UPDATE attempt SET id = gen_random_uuid()", "charged 11.00 AUD, which we did not send"},
		{"another amount", "UPDATE attempt SET captured_minor = 9900", "capture of 11.00 AUD there, 99.00 AUD here"},
		{"a charge of a declined payment", "UPDATE attempt SET state = 'declined'", "charged 11.00 AUD, and it is declined here"},
		{"a refund that we do not know", "DELETE FROM refund", "refunded 1.00 AUD, which we did not send"},
		{"a refund that was declined here", "UPDATE refund SET state = 'declined'", "refunded 1.00 AUD, and it is declined here"},
		{"a charge of another business", "UPDATE attempt SET shop_code = 'sabona'", "capture: it is of panezski there"},
		{"a live payment that the gateway tested", "UPDATE attempt SET test_mode = false",
			"capture: one side has it in test mode, the other live"},
		{"a refund requested long ago", "UPDATE refund SET created_at = now() - interval '40 days'", ""},
		{"an old refund that is still open", `UPDATE refund SET created_at = now() - interval '40 days', state = 'open', settled_at = NULL,
			refundid = NULL, lease_until = now() + interval '1 hour'`, ""},
		{"a payment begun long ago", "UPDATE attempt SET created_at = now() - interval '40 days'", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := paid(t, app)
			paid(t, app)
			if _, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"}); err != nil {
				t.Fatal(err)
			}
			changeByHand(t, app, tt.byHand)
			for range 2 { // reading again adds nothing
				c, err := app.Settlement.Compare(t.Context(), time.Now().Add(-40*time.Hour), time.Now().Add(time.Minute))
				check.Must(t, err)
				var told []string
				for _, d := range c.Cases {
					told = append(told, d.Says)
				}
				if tt.want == "" && len(told) > 0 || !strings.Contains(strings.Join(told, "\n"), tt.want) {
					t.Errorf("the differences are %q, want %q", told, tt.want)
				}
				want := []db.LedgerTotalsRow{{
					Merchant: "panezski", Currency: "AUD", TestMode: true, Captures: 2, Refunds: 1, CapturedMinor: 2200, RefundedMinor: 100,
				}}
				check.List(t, c.Totals, want, "the totals")
			}
		})
	}
}

// changeByHand changes the database as an operator can and the program cannot.
func changeByHand(t *testing.T, app *apptest.App, statement string) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), app.Owner(t), func(tx pgx.Tx) error {
		dbtest.Exec(t, tx, "SET LOCAL session_replication_role = replica")
		dbtest.Exec(t, tx, statement)
		return nil
	})
	check.Must(t, err)
}

func TestAPersonDecidesWhatOnlyAPersonCanJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		end    payment.End
		status state.Transaction
	}{
		{"approved", payment.EndApproved, "success"},
		{"not charged", payment.EndNotCharged, "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Gateway: gatewayStub(func(w http.ResponseWriter, _ string) {
				fmt.Fprintf(w, approved, "1", `,"amount":"99.00"`)
			}, func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"state":"not_charged"}`) })})
			id := app.Order(t)
			attempt, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
			if err != nil || attempt.State != "manual" {
				t.Fatal(attempt.State, err)
			}
			waiting, err := app.Payments.Undecided(t.Context())
			if err != nil || len(waiting) != 1 || waiting[0].TransactionID != id || !strings.Contains(waiting[0].ErrorMsg, "99.00 instead of 11.00") {
				t.Fatalf("%+v, %v", waiting, err)
			}
			check.Contains(t, app.Get(t, "/pos/panezski/"+id).Body, "orders@panezski.example", "the payer is not told whom to contact")
			check.Must(t, insisting(t, app.Payments.Decide, payment.Decision{Of: attempt.ID, End: tt.end, By: "operator test",
				Reason: "rang the bank"}))
			check.Equal(t, stored(t, app, id).Transaction.Status, tt.status, "the status")
			check.ErrorIs(t, app.Payments.Decide(t.Context(), payment.Decision{Of: attempt.ID, End: tt.end, By: "x", Reason: "x"}), payment.ErrNotManual,
				"deciding again")
			var actor, reason string
			err = app.Pool.QueryRow(t.Context(), "SELECT actor, reason FROM audit WHERE subject = $1 ORDER BY id DESC LIMIT 1", attempt.ID.String()).Scan(&actor, &reason)
			if err != nil || actor != "operator test" || reason != "rang the bank" {
				t.Errorf("the audit log names %q with the reason %q, %v", actor, reason, err)
			}
		})
	}
	t.Run("no other payment can be decided", func(t *testing.T) {
		t.Parallel()
		app := apptest.New(t, apptest.Options{})
		paid(t, app)
		attempt := dbtest.Value[uuid.UUID](t, app.Pool, "SELECT id FROM attempt")
		check.ErrorIs(t, app.Payments.Decide(t.Context(), payment.Decision{Of: attempt, End: payment.EndNotCharged, By: "x", Reason: "x"}), payment.ErrNotManual,
			"an approved attempt was decided")
	})
}

func TestReferencesInTheLedgerMatchInAnyCase(t *testing.T) {
	t.Parallel()
	var sent map[string]any
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		sent = decode(t, r)
		fmt.Fprintf(w, approved, "one", "")
	})
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"entries":[{"kind":"capture","reference":"%s","trxId":"%s","merchantId":"panezski","testMode":true,"amount":"11.00","currency":"aud","arrivals":1,"at":"%s"}]}`,
			strings.ToUpper(sent["reference"].(string)), sent["trxId"], time.Now().UTC().Format(time.RFC3339Nano))
	})
	app := apptest.New(t, apptest.Options{Gateway: mux})
	paid(t, app)
	c, err := app.Settlement.Compare(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Minute))
	if err != nil || len(c.Cases) != 0 || len(c.Totals) != 1 || c.Totals[0].Captures != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

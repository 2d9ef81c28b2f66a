package payment_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestASecondChargeIsFoundWithinMinutes(t *testing.T) {
	t.Parallel()
	entry := func(reference any, trx any, ago time.Duration) string {
		return fmt.Sprintf(`{"kind":"capture","reference":"%s","trxId":"%s","transactionid":"T","amount":"11.00","currency":"AUD","arrivals":1,"at":"%s"}`,
			reference, trx, time.Now().Add(-ago).UTC().Format(time.RFC3339))
	}
	for name, tt := range map[string]struct {
		second func(reference, trx any) string
		want   string
	}{
		"the same reference twice": {func(r, trx any) string { return entry(r, trx, 2*time.Minute) }, "the gateway moved money twice for one reference"},
		"another reference":        {func(_, trx any) string { return entry("a4a8b38c-3f9f-4a7d-9a41-5b7a0c1d2e3f", trx, 2*time.Minute) }, "we do not know it"},
		"a charge of this moment":  {func(_, trx any) string { return entry("a4a8b38c-3f9f-4a7d-9a41-5b7a0c1d2e3f", trx, time.Second) }, ""},
		"a charge of long ago":     {func(_, trx any) string { return entry("a4a8b38c-3f9f-4a7d-9a41-5b7a0c1d2e3f", trx, 2*time.Hour) }, ""},
		"none":                     {func(_, _ any) string { return "" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var listed atomic.Pointer[string]
			mux := http.NewServeMux()
			mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
				var sent map[string]any
				check.NoError(t, json.NewDecoder(r.Body).Decode(&sent))
				all := strings.TrimSuffix(entry(sent["reference"], sent["trxId"], 3*time.Minute)+","+tt.second(sent["reference"], sent["trxId"]), ",")
				listed.Store(&all)
				fmt.Fprintf(w, approved, "one", "")
			})
			mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"entries":[%s]}`, *listed.Load()) })
			app := apptest.New(t, apptest.Options{Gateway: mux})
			paid(t, app)
			changeByHand(t, app, "UPDATE attempt SET settled_at = now() - interval '3 minutes'")
			for again, want := range []int{min(len(tt.want), 1), 0} {
				found, err := app.Payments.CompareLately(t.Context())
				if err != nil || found != want {
					t.Errorf("look %d found %d, %v; want %d", again, found, err, want)
				}
			}
			problem := dbtest.Value[string](t, app.Pool, "SELECT coalesce(string_agg(problem, '; '), '') FROM unmatched_movement")
			check.Equal(t, problem, tt.want, "stored")
		})
	}
}

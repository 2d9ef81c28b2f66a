package payment_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
)

// forgetful is a gateway with one payment that stays undecided until it is closed; it declines all others it is asked about.
type forgetful struct {
	mu       sync.Mutex
	open     string   // the payment's reference
	resolved []string // references
	looked   []string
}

func (g *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	reference, resolves := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/api/payments/"), "/resolve")
	switch {
	case r.URL.Path == "/ledger":
		entries := []map[string]any{}
		if r.URL.Query().Get("kinds") == "open" && len(g.resolved) == 0 {
			entries = append(entries, map[string]any{"kind": "open", "reference": g.open, "trxId": "x", "merchantId": "panezski", "amount": "11.00", "currency": "AUD"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"entries": entries, "kinds": []string{"open"}})
	case resolves:
		g.resolved = append(g.resolved, reference)
		fmt.Fprint(w, `{"state":"not_charged"}`)
	default:
		g.looked = append(g.looked, reference)
		fmt.Fprint(w, refused)
	}
}

func TestEachGatewayIsAskedOnlyAboutItsOwnPayments(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	first, second := &forgetful{open: uuid.NewString()}, &forgetful{open: uuid.NewString()}
	client := func(name string, g http.Handler) *gateway.Client {
		server := httptest.NewServer(g)
		t.Cleanup(server.Close)
		return gateway.New(gateway.Config{ID: name, URL: server.URL})
	}
	both := payment.New(app.Pool, client("second", second), payment.Config{Previous: client("first", first)}, slog.New(slog.DiscardHandler))

	changeByHand(t, app, closed)
	if done, err := both.ImportLedger(t.Context(), "test", false); err != nil || len(done.Waiting)+len(done.Undecided) != 0 || done.Held {
		t.Fatalf("the import: %+v, %v", done, err)
	}
	for name, g := range map[string]*forgetful{"first": first, "second": second} {
		if len(g.resolved) != 1 || g.resolved[0] != g.open {
			t.Errorf("the %s gateway closed %q, want %q", name, g.resolved, g.open)
		}
	}

	for gateway, g := range map[string]*forgetful{"first": first, "second": second} {
		id, attempt := app.Order(t), uuid.New()
		changeByHand(t, app, fmt.Sprintf(`WITH a AS (
			INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, lease_until, state, gateway)
			SELECT '%s', id, shop_code, amount_minor, currency, test_mode, 'card', 'k', now() + interval '1 hour', 'manual', '%s' FROM transaction WHERE id = '%s')
			UPDATE transaction SET status = 'processing' WHERE id = '%[3]s'`, attempt, gateway, id))
		err := both.Decide(t.Context(), payment.Decision{Of: attempt, End: payment.EndNotCharged, By: "Kim", Reason: "rang the bank"})
		if err != nil || len(g.looked) != 1 || g.looked[0] != attempt.String() {
			t.Errorf("deciding a payment of the %s gateway: %v; it was asked about %q, want %s", gateway, err, g.looked, attempt)
		}
	}
}

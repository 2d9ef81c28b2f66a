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
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/settlement"
)

// house is one of several gateways: it leaves a payment undecided until it is resolved, then approves it.
type house struct {
	mu      sync.Mutex
	asked   []string // references it was asked about
	refunds []string // transaction ids it refunded
	entries []map[string]any
	paid    map[string]map[string]any
}

func (a *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var body map[string]any
	if r.Method == http.MethodPost {
		_ = json.NewDecoder(r.Body).Decode(&body)
	}
	enter := func(kind, reference string, of map[string]any) {
		a.entries = append(a.entries, map[string]any{
			"kind": kind, "reference": reference, "trxId": of["trxId"], "amount": of["amount"], "currency": of["currency"],
			"arrivals": 1, "at": time.Now().UTC(), "merchantId": "panezski", "testMode": true,
		})
	}
	switch reference, resolves := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/api/payments/"), "/resolve"); {
	case r.URL.Path == "/api/pay":
		a.paid[body["reference"].(string)] = body
		w.WriteHeader(http.StatusBadGateway)
	case resolves:
		a.asked = append(a.asked, reference)
		of := a.paid[reference]
		if of == nil {
			fmt.Fprint(w, `{"state":"not_charged"}`)
			return
		}
		enter("capture", reference, of)
		fmt.Fprintf(w, approved, "1", "")
	case r.URL.Path == "/api/refund":
		a.refunds = append(a.refunds, body["transactionid"].(string))
		for _, of := range a.paid {
			body["trxId"] = of["trxId"]
		}
		enter("refund", body["reference"].(string), body)
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"entries": a.entries})
	}
}

func (a *house) calls() (asked, refunds string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.asked, " "), strings.Join(a.refunds, " ")
}

func TestAnAttemptIsLookedUpAtItsOwnGateway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	heard := &output{}
	houses, clients := map[string]*house{}, map[string]*gateway.Client{}
	for _, name := range []string{"first", "second"} {
		houses[name] = &house{paid: map[string]map[string]any{}}
		server := httptest.NewServer(houses[name])
		t.Cleanup(server.Close)
		clients[name] = gateway.New(gateway.Config{ID: name, URL: server.URL})
	}
	program := func(previous *gateway.Client, name string) *payment.Payments {
		return payment.New(app.Pool, clients[name], payment.Config{
			Previous: previous, Timeout: 10 * time.Second,
			Descriptor: func(string) string { return "" }, ReturnURL: func(string, string) string { return "" },
		}, slog.New(slog.NewTextHandler(heard, nil)))
	}
	before, switched, both := program(nil, "first"), program(nil, "second"), program(clients["first"], "second")

	old, own := app.Order(t), app.Order(t)
	for id, p := range map[string]*payment.Payments{old: before, own: switched} {
		_, err := p.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
		check.Must(t, err)
	}
	// The sweep that ends this payment has also seen the other one.
	go switched.Sweep(t.Context())
	settled(t, app, own)
	if got := stored(t, app, old); got.Transaction.Status != "processing" || got.AttemptState != "unknown" {
		t.Errorf("with another gateway the payment is %s, its attempt %s", got.Transaction.Status, got.AttemptState)
	}
	asked, _ := houses["second"].calls()
	check.Lacks(t, asked, " ", "the second gateway was asked about, not only about its own payment")
	waiting, err := switched.Undecided(t.Context())
	if err != nil || len(waiting) != 1 || waiting[0].TransactionID != old ||
		switched.Why(waiting[0].Gateway, waiting[0].ErrorMsg, waiting[0].CreatedAt) != "sent to first, which is not set up" {
		t.Errorf("%+v are listed, %v", waiting, err)
	}
	if err := payment.NewWatch(switched).Look(t.Context()); err != nil || !strings.Contains(strings.Join(heard.alarms(), "\n"), "a gateway that is not set up") {
		t.Errorf("the alarms are %q, %v", heard.alarms(), err)
	}

	go both.Sweep(t.Context())
	check.Equal(t, settled(t, app, old).Status, "success", "with the earlier gateway set up again, the payment")
	asked, _ = houses["second"].calls()
	check.Lacks(t, asked, " ", "the second gateway was asked about, not only about its own payment")

	order := payment.RefundRequest{TransactionID: old, By: "test"}
	_, err = switched.Refund(t.Context(), order)
	check.ErrorIs(t, err, payment.ErrElsewhere, "a refund without the payment's gateway")
	if r, err := both.Refund(t.Context(), order); err != nil || r.State != "done" || r.Gateway == nil || *r.Gateway != "first" {
		t.Errorf("a refund at the earlier gateway: %+v, %v", r, err)
	}
	_, atFirst := houses["first"].calls()
	if _, atSecond := houses["second"].calls(); atFirst != "T-1" || atSecond != "" {
		t.Errorf("refunds: %q at the first gateway, %q at the second", atFirst, atSecond)
	}

	ledgers := settlement.New(settlement.Config{
		Pool: app.Pool, Gateway: clients["second"], Previous: clients["first"], Days: 5, Log: slog.New(slog.NewTextHandler(heard, nil)),
	})
	c, err := ledgers.Compare(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	if err != nil || len(c.Totals) != 1 || c.Totals[0].Captures != 2 || c.Totals[0].Refunds != 1 || len(c.Cases) != 0 {
		t.Errorf("both ledgers: %+v, %v", c, err)
	}
}

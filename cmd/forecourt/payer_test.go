//go:build long

package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// outcomes records what payers were told, by transaction.
type outcomes struct {
	mu             sync.Mutex
	paid, declined []string
	last           time.Time
	gap            time.Duration // the longest time in which no payer was told of a payment
}

func (b *outcomes) add(id string, paid bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !paid {
		b.declined = append(b.declined, id)
		return
	}
	b.paid = append(b.paid, id)
	b.gap, b.last = max(b.gap, time.Since(b.last)), time.Now()
}

// count is how many payments were acknowledged.
func (b *outcomes) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.paid)
}

// since forgets the gaps so far and returns a function that reports the longest one since then.
func (b *outcomes) since() (longestGap func() time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gap = 0
	return func() time.Duration {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.gap
	}
}

// payerPatience is how long a payer keeps trying one payment.
const payerPatience = time.Minute

// payer orders and pays, and retries whenever something fails.
type payer struct {
	site string
	told *outcomes
}

// cards lists the cards that a payer uses in turn. Most are approved at once.
var cards = []string{approves, approves, approves, chargedNumber, approves, declinedNumber}

// pay makes an order and tries to pay until it gets the outcome.
func (p *payer) pay(t *testing.T, n int) error {
	end := time.Now().Add(payerPatience)
	body := map[string]any{"merchantId": "panezski", "order": []any{map[string]any{"name": "Butter Croissant", "qty": 1}}, "table": "4"}
	var made struct{ TrxID string }
	key := rand.Text()
	for made.TrxID == "" {
		p.call(t, http.MethodPost, "/api/pos", key, body, &made)
		if time.Now().After(end) {
			return fmt.Errorf("no order after %s", payerPatience)
		}
	}
	card := map[string]any{
		"merchantId": "panezski", "trxId": made.TrxID, "cardholder": "Pat Payer", "pan": cards[n%len(cards)], "exp": "11/33", "cvc": "123",
		"cEmail": "pat@example.com",
	}
	for key := rand.Text(); time.Now().Before(end); {
		var answer struct {
			Status struct{ ResponseType, StatusCode string }
		}
		if p.call(t, http.MethodPost, "/api/pay", key, card, &answer) == http.StatusOK && answer.Status.ResponseType != "" {
			p.told.add(made.TrxID, answer.Status.ResponseType == "1" && answer.Status.StatusCode == "0")
			return nil
		}
		var trx struct{ Status string }
		if p.call(t, http.MethodGet, "/api/pos/panezski/"+made.TrxID, "", nil, &trx) == http.StatusNotFound {
			return fmt.Errorf("the order %s was acknowledged but is gone", made.TrxID)
		}
		switch trx.Status {
		case "success":
			p.told.add(made.TrxID, true)
			return nil
		case "error":
			p.told.add(made.TrxID, false)
			return nil
		}
	}
	return fmt.Errorf("%s has no outcome after %s", made.TrxID, payerPatience)
}

// call returns the status of an answer, or 0 if there was none. It decodes a successful answer and pauses after any other.
func (p *payer) call(t *testing.T, method, path, key string, body, answer any) int {
	text, err := json.Marshal(body)
	if err != nil {
		return 0
	}
	req, err := http.NewRequestWithContext(t.Context(), method, p.site+path, bytes.NewReader(text))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	status := 0
	if res, err := http.DefaultClient.Do(req); err == nil {
		defer func() { _ = res.Body.Close() }()
		status = res.StatusCode
		if status < http.StatusAccepted && json.NewDecoder(res.Body).Decode(answer) == nil {
			return status
		}
	}
	select {
	case <-time.After(100 * time.Millisecond): // as people do before they try again
	case <-t.Context().Done():
	}
	return status
}

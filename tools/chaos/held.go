package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// heldPayment is a payment that the gateway has accepted but not yet passed on.
type heldPayment struct {
	asked
	body []byte
	at   time.Time
}

// holdBack answers 202 to a payment that has to wait, and to requests about it.
func (f *front) holdBack(w http.ResponseWriter, r *http.Request, ask asked, body []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	reference, about := strings.CutPrefix(r.URL.Path, "/api/payments/")
	switch {
	case about:
		if f.held[strings.TrimSuffix(reference, "/resolve")] == nil {
			return false
		}
	case f.holds && r.URL.Path == "/api/pay" && ask.PAN == chargedLate:
		f.held[ask.Reference] = &heldPayment{ask, body, time.Now().UTC()}
	default:
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"state":"pending"}`)
	return true
}

// withHeld lists the held payments among the open ones, on the first page.
func (f *front) withHeld(query url.Values, body []byte) []byte {
	if query.Get("cursor") != "" || !slices.Contains(strings.Split(query.Get("kinds"), ","), "open") {
		return body
	}
	return edit(body, func(page map[string]any) {
		entries, _ := page["entries"].([]any)
		for reference, h := range f.held {
			entries = append(entries, map[string]any{
				"kind": "open", "reference": reference, "trxId": h.TrxID, "transactionid": "", "merchantId": h.MerchantID,
				"testMode": h.TestMode, "amount": h.Amount, "currency": h.Currency, "arrivals": 1, "at": h.at,
			})
		}
		page["entries"] = entries
	})
}

// release charges everything that was held back, and holds nothing back from then on.
func (f *front) release(ctx context.Context) error {
	f.mu.Lock()
	held := f.held
	f.held, f.holds = map[string]*heldPayment{}, false
	f.mu.Unlock()
	for _, h := range held {
		body := strings.Replace(string(h.body), chargedLate, approves, 1)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.sandbox+"/api/pay", strings.NewReader(body))
		if err != nil {
			return err
		}
		req.GetBody = nil // so that nothing sends it twice
		req.Header.Set("Authorization", "Bearer "+f.key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("a payment that was held back is answered with HTTP %d", res.StatusCode)
		}
	}
	return nil
}

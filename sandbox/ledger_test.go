package sandbox_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestLedgerIsPagedAndFilteredByTime(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	const all = 501
	type result struct{ status int }
	results := make(chan result, all)
	for i := range all {
		go func() {
			status, _ := f.pay(fmt.Sprintf("ref-%d", i), "4111111111111111")
			results <- result{status}
		}()
	}
	for range all {
		check.MustEqual(t, (<-results).status, 200, "a payment")
	}
	seen, cursor, pages := map[any]bool{}, "", 0
	for {
		_, body := f.call("GET", "/ledger?cursor="+cursor, nil)
		for _, e := range body["entries"].([]any) {
			seen[at(e.(map[string]any), "reference")] = true
		}
		pages++
		if cursor = body["next"].(string); cursor == "" {
			break
		}
	}
	if len(seen) != all || pages != 2 {
		t.Errorf("%d entries on %d pages, want %d on 2", len(seen), pages, all)
	}
	f.clock.Advance(time.Minute)
	f.pay("later", "4111111111111111")
	for query, want := range map[string]int{
		"?from=" + url.QueryEscape("2029-05-06T07:09:09Z"):      1,
		"?from=" + url.QueryEscape("2029-05-06T17:09:09+10:00"): 1,
		"?from=2029-05-07": 0,
		"?to=2029-05-06":   0,
		"?to=" + url.QueryEscape("2029-05-06T07:08:09Z"):          0,
		"?from=2029-05-06T07:08:10Z&to=2030-01-01T00:00:00Z":      1,
		"?from=2029-05-06T07:08:10Z&to=2029-05-06T07:09:09Z":      0,
		"?from=2029-05-06T07:08:10Z&to=2029-05-06T07:09:09.0001Z": 1,
	} {
		check.Equal(t, len(f.ledger(query)), want, "ledger%s holds … entries", query)
	}
	for _, query := range []string{"?from=yesterday", "?to=9999-01-01", "?cursor=xyz", "?cursor=00"} {
		status, _ := f.call("GET", "/ledger"+query, nil)
		check.Equal(t, status, 400, "ledger%s answers", query)
	}
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, paid := f.pay("ref-1", "4111111111111111")
	ask := func(reference, amount string, change map[string]any) (int, map[string]any) {
		body := map[string]any{"transactionid": paid["transactionid"], "amount": amount, "currency": "AUD", "reference": reference, "merchantId": "panezski", "testMode": true}
		for name, value := range change {
			body[name] = value
		}
		return f.call("POST", "/api/refund", body)
	}
	status, once := ask("back-1", "10.00", nil)
	if status != 200 || once["status"] != "done" || once["refundid"] == "" {
		t.Errorf("answered %d %v", status, once)
	}
	f.stop()
	f = restart(t, f.path, f.clock, nil)
	if status, again := ask("back-1", "10.00", nil); status != 200 || again["refundid"] != once["refundid"] {
		t.Errorf("repeating the reference was answered with %d %v, the first time with %v", status, again, once)
	}
	for _, tt := range []struct {
		name, reference, amount string
		change                  map[string]any
		status                  int
	}{
		{"more than is left", "back-2", "2.51", nil, 422},
		{"another currency", "back-2", "1.00", map[string]any{"currency": "NZD"}, 422},
		{"another merchant", "back-2", "1.00", map[string]any{"merchantId": "sabona"}, 422},
		{"an unknown charge", "back-2", "1.00", map[string]any{"transactionid": "sbx-nothing"}, 422},
		{"a live refund", "back-2", "1.00", map[string]any{"testMode": false}, 422},
		{"nothing", "back-2", "0.00", nil, 422},
		{"no reference", "", "1.00", nil, 422},
		{"exactly what is left", "back-2", "2.50", nil, 200},
		{"one cent more", "back-3", "0.01", nil, 422},
	} {
		status, body := ask(tt.reference, tt.amount, tt.change)
		check.Equal(t, status, tt.status, "%s: answered %v", tt.name, body)
	}
	lines := f.ledger("")
	if len(lines) != 3 || lines[1]["kind"] != "refund" || lines[1]["amount"] != "10.00" || lines[1]["arrivals"] != 2.0 || lines[2]["trxId"] != "trx-ref-1" {
		t.Errorf("the ledger holds %v", lines)
	}
}

func TestWallets(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, issued := f.call("POST", "/wallet/key", map[string]any{"merchantId": "panezski", "amount": "12.50", "currency": "AUD", "reference": "r", "testMode": true})
	if issued["status"] != "00" || issued["result"] == "" {
		t.Fatalf("the key call answered %v", issued)
	}
	for _, tt := range []struct {
		name             string
		change           map[string]any
		statuscode, kind any
		charged          int
	}{
		{"gpay", map[string]any{"token": "tok"}, "0", nil, 1},
		{"apple", map[string]any{"merchantId": nil, "merchantid": "panezski", "paymentData": map[string]any{"data": "tok"}}, "0", nil, 1},
		{"declined", map[string]any{"token": "DECLINE-me"}, "05", nil, 0},
		{"redirect", map[string]any{"paymentData": map[string]any{"data": "redirect"}}, "2", "2", 0},
		{"live", map[string]any{"token": "tok", "transactionkey": "live-0"}, "57", nil, 0},
	} {
		before := len(f.ledger(""))
		body := map[string]any{
			"wallet": "gpay", "merchantId": "panezski", "transid": "trx-1", "tRef": "trx-1", "reference": "ref-" + tt.name, "amount": 12.50,
			"currency": "AUD", "transactionkey": issued["result"], "returnUrl": "https://shop.test/pos",
		}
		for name, value := range tt.change {
			body[name] = value
		}
		status, got := f.call("POST", "/api/wallet", body)
		if status != 200 || at(got, "status.statuscode") != tt.statuscode || at(got, "status.responsetype") != tt.kind || len(f.ledger(""))-before != tt.charged {
			t.Errorf("%s: answered %d %v", tt.name, status, got)
		}
		if tt.charged == 1 && (got["transactionid"] == "" || at(got, "authresponse.banktransactionno") == "") {
			t.Errorf("%s: the answer lacks a transaction number: %v", tt.name, got)
		}
	}
	status, session := f.call("POST", "/wallet/validate", map[string]any{"validationURL": "https://apple-pay-gateway.apple.com/x", "merchantId": "m", "currency": "AUD"})
	if status != 200 || session["merchantSessionIdentifier"] == "" {
		t.Errorf("validate answered %d %v", status, session)
	}
	status, _ = f.call("POST", "/wallet/validate", map[string]any{"validationURL": "http://x"})
	check.Equal(t, status, 400, "a validation address without https was answered")
	if _, live := f.call("POST", "/wallet/key", map[string]any{"testMode": false}); live["status"] == "00" {
		t.Error("a key was made for a live payment")
	}
}

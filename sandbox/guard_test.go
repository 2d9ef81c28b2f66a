package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/sandbox"
)

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	for _, tt := range []struct {
		name   string
		change map[string]any
		status int
	}{
		{"no reference", map[string]any{"reference": ""}, 400},
		{"a path as reference", map[string]any{"reference": "../x"}, 400},
		{"no amount", map[string]any{"amount": ""}, 400},
		{"a zero amount", map[string]any{"amount": "0.00"}, 400},
		{"a negative amount", map[string]any{"amount": "-1.00"}, 400},
		{"three decimals", map[string]any{"amount": "10.005"}, 400},
		{"a currency without cents", map[string]any{"currency": "JPY"}, 400},
		{"a currency of nobody", map[string]any{"currency": "XXX"}, 400},
		{"a word as currency", map[string]any{"currency": "dollars"}, 400},
		{"no transaction", map[string]any{"trxId": ""}, 400},
		{"a script as return address", map[string]any{"returnUrl": "javascript:alert(1)"}, 400},
		{"3-D Secure without a way back", map[string]any{"returnUrl": "", "pan": "4000000000003220"}, 400},
		{"a card number that is not a string", map[string]any{"pan": 4111111111111111}, 400},
		{"an endless body", map[string]any{"descriptor": strings.Repeat("x", 20<<10)}, 413},
	} {
		status, body := f.call("POST", "/api/pay", payment("ref-1", "4111111111111111", tt.change))
		if status != tt.status || body["error"] == "" || strings.Contains(fmt.Sprint(body), "4111") {
			t.Errorf("%s: answered %d %v", tt.name, status, body)
		}
	}
	status, _ := f.look("ref-1")
	check.Equal(t, status, 404, "after the refused requests, look answered")
}

func TestLiveTransactionsNeedAllowLive(t *testing.T) {
	t.Parallel()
	live := map[string]any{"testMode": false}
	f := start(t, nil)
	_, body := f.call("POST", "/api/pay", payment("ref-1", "4111111111111111", live))
	check.Equal(t, at(body, "status.statuscode"), "57", "a live payment was answered with")
	check.Equal(t, len(f.ledger("")), 0, "a live payment was answered with")
	f = start(t, func(o *sandbox.Options) { o.AllowLive = true })
	_, body = f.call("POST", "/api/pay", payment("ref-1", "4111111111111111", live))
	check.Equal(t, at(body, "status.statuscode"), "0", "with AllowLive it was answered with")
}

func TestCallsNeedTheBearerKey(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	for _, header := range []string{"", key, "Bearer", "Bearer ", "Bearer " + key + "x", "Basic " + key} {
		req, err := http.NewRequest(http.MethodGet, f.api+"/ledger", nil)
		check.Must(t, err)
		req.Header.Set("Authorization", header)
		res, err := http.DefaultClient.Do(req)
		check.Must(t, err)
		res.Body.Close()
		check.Equal(t, res.StatusCode, http.StatusUnauthorized, "Authorization %q was answered", header)
	}
	status, _ := f.call("GET", "/nowhere", nil)
	check.Equal(t, status, 404, "an unknown address was answered")
	_, err := sandbox.Open(sandbox.Options{Path: t.TempDir() + "/x"})
	check.Error(t, err, "a sandbox without a key was opened")
}

func TestOpeningALedgerInUseFails(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	if _, err := sandbox.Open(sandbox.Options{Path: f.path, Key: key}); !errors.Is(err, sandbox.ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
}

func TestNoCardNumberIsStored(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	for i, pan := range []string{"4000056655665556", "4000056655665557", "4000 0566 5566 5556"} {
		f.call("POST", "/api/pay", payment(fmt.Sprintf("ref-%d", i), pan, map[string]any{"cvc": "8642"}))
	}
	f.stop()
	raw, err := os.ReadFile(f.path)
	check.Must(t, err)
	for _, leak := range []string{"40000566", "4000 0566", `"8642"`} {
		if bytes.Contains(raw, []byte(leak)) {
			t.Errorf("the file contains %q", leak)
		}
	}
	if !bytes.Contains(raw, []byte(`"lastFour":"5556"`)) {
		t.Error("the file lacks the last four digits, so the search above proves nothing")
	}
}

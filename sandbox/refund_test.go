package sandbox_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestTheCardDecidesTheOutcomeOfARefund(t *testing.T) {
	t.Parallel()
	type outcome struct {
		status int
		word   any // "status" of the answer
		moved  int // refunds in the ledger
	}
	for _, tt := range []struct {
		name, pan           string
		first, again, later outcome // later is 3 s after the first
	}{
		{"done", "4111111111111111", outcome{200, "done", 1}, outcome{200, "done", 1}, outcome{200, "done", 1}},
		{"declined", "4000000000005126", outcome{200, "declined", 0}, outcome{200, "declined", 0}, outcome{200, "declined", 0}},
		{"pending", "4000000000007726", outcome{200, "pending", 0}, outcome{200, "pending", 0}, outcome{200, "done", 1}},
		{"done without a word", "4000000000000507", outcome{500, nil, 1}, outcome{200, "done", 1}, outcome{200, "done", 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := start(t, nil)
			_, paid := f.pay("ref-1", tt.pan)
			check.MustEqual(t, at(paid, "status.statuscode"), "0", "the payment was answered with")
			ask := func(when, reference, amount string, want outcome) {
				t.Helper()
				status, body := f.call("POST", "/api/refund", map[string]any{
					"transactionid": paid["transactionid"], "amount": amount, "currency": "AUD", "reference": reference, "merchantId": "panezski", "testMode": true,
				})
				if moved := len(f.ledger("")) - 1; status != want.status || body["status"] != want.word || moved != want.moved {
					t.Errorf("%s: answered %d %v with %d refunds in the ledger, want %+v", when, status, body, moved, want)
				}
			}
			ask("at first", "back-1", "10.00", tt.first)
			ask("again", "back-1", "10.00", tt.again)
			if tt.first.word != "declined" {
				ask("more than is left", "back-2", "2.51", outcome{422, nil, tt.again.moved})
			}
			f.clock.Advance(3 * time.Second)
			ask("later", "back-1", "10.00", tt.later)
		})
	}
}

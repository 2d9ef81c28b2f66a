package main

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// final reports whether, in the wire format's tables for cards and wallets, a response type and a status code end a payment.
func final(kind, code string) bool {
	approved := code == "0" && (kind == "1" || kind == "")
	declined := code != "" && code != "0" && (kind == "" || kind == "0" || kind == "1")
	return approved || declined
}

func TestRubbishDecidesNothing(t *testing.T) {
	t.Parallel()
	const approval = `{"status":{"responsetype":"1","statuscode":"0"},"transactionid":"sbx-1","redirect":"http://bank.test/"}`
	r := rand.New(rand.NewPCG(1, 2))
	cut, kinds := 0, map[string]int{}
	for range 5000 {
		got := rubbish(r, "/api/pay", []byte(approval))
		if got.cut {
			cut++
			continue
		}
		if got.status == http.StatusGone || got.status == http.StatusUnprocessableEntity {
			t.Fatalf("HTTP %d decides the payment", got.status)
		}
		var answer struct {
			Status   struct{ ResponseType, StatusCode string }
			Redirect string
			State    string
		}
		if got.status != http.StatusOK || json.Unmarshal(got.body, &answer) != nil {
			kinds["unreadable"]++
			continue
		}
		kind, code := answer.Status.ResponseType, answer.Status.StatusCode
		kinds[kind+" "+code]++
		if final(kind, code) || answer.Redirect != "" || answer.State != "" {
			t.Fatalf("%s ends the payment", got.body)
		}
	}
	if cut == 0 || len(kinds) < len(pairs)+1 {
		t.Errorf("%d answers are cut off, the others are %v", cut, kinds)
	}
	for range 1000 {
		got := rubbish(r, "/api/refund", []byte(`{"status":"done","refundid":"r1"}`))
		if text := string(got.body); got.status == http.StatusOK && !got.cut && strings.Contains(text, `"done"`) && strings.Contains(text, "r1") {
			t.Fatalf("%s ends the payment", text)
		}
	}
}

func TestAllRefundsOfAChargeShareOneID(t *testing.T) {
	t.Parallel()
	one, two := oneRefundID([]byte(`{"status":"done","refundid":"a"}`), "c"), oneRefundID([]byte(`{"status":"done","refundid":"b"}`), "c")
	if string(one) != string(two) || !strings.Contains(string(one), `"done"`) {
		t.Errorf("%s and %s", one, two)
	}
	if got := string(oneRefundID([]byte(`{"status":"declined","refundid":""}`), "c")); strings.Contains(got, "refunds of") {
		t.Errorf("a declined refund has an id: %s", got)
	}
}

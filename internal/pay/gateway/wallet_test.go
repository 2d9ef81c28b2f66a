package gateway

import (
	"testing"

	"forecourt/internal/kit/check"
)

func TestReadWallet(t *testing.T) {
	t.Parallel()
	want := want1250
	want.Wallet = true
	const fixture = `{"status":{"statuscode":"0","errordesc":"Approved"},"transactionid":"T-1","code":"123456","redirect":"",
		"authresponse":{"banktransactionno":"B-1","gatewayreference":"G-1"},"amount":"12.50","currency":"AUD"}`
	a := ReadAnswer(200, []byte(fixture), want)
	t.Run("the answer has both references (WALLET-13)", func(t *testing.T) {
		if a.Outcome != Approved || a.TransactionID != "T-1" || a.Code != "123456" || a.BankTransactionNo != "B-1" || a.GatewayReference != "G-1" {
			t.Errorf("%+v", a)
		}
	})
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   Outcome
	}{
		{"the status code alone (PAY-29)", 200, `{"status":{"statuscode":"0"}}`, Approved},
		{"as a number (PAY-29)", 200, `{"status":{"statuscode":0}}`, Approved},
		{"with a response type of 1 (PAY-29)", 200, `{"status":{"responsetype":"1","statuscode":"0"}}`, Approved},
		{"a response type of 0 contradicts it", 200, `{"status":{"responsetype":"0","statuscode":"0"}}`, Unknown},
		{"3-D Secure without an address", 200, `{"status":{"responsetype":"2","statuscode":"0"}}`, Unknown},
		{"another code", 200, `{"status":{"statuscode":"05"}}`, Declined},
		{"00 is not 0", 200, `{"status":{"statuscode":"00"}}`, Declined},
		{"3-D Secure", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"https://bank.test/3ds"}`, Redirected},
		{"3-D Secure with a script as address", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"javascript:x"}`, Unknown},
		{"a success with a redirect", 200, `{"status":{"statuscode":"0"},"redirect":"https://shop.test"}`, Approved},
		{"no status code", 200, `{"status":{"responsetype":"1"}}`, Unknown},
		{"an empty status code", 200, `{"status":{"statuscode":""}}`, Unknown},
		{"another amount", 200, `{"status":{"statuscode":"0"},"amount":"12.51"}`, Mismatch},
		{"another reference", 200, `{"status":{"statuscode":"0"},"reference":"x"}`, Mismatch},
		{"202", 202, fixture, Pending},
		{"410", 410, ``, NotCharged},
		{"500 with an approval inside", 500, fixture, Unknown},
		{"a page", 200, `<html>`, Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ReadAnswer(tt.status, []byte(tt.body), want)
			check.Equal(t, got.Outcome, tt.want, "outcome, (%v)", got.Err)
			check.Equal(t, readLook(tt.status, []byte(tt.body), want).Outcome, tt.want, "look")
			check.Equal(t, readResolve(tt.status, []byte(tt.body), want).Outcome, tt.want, "resolve")
		})
	}
	check.Equal(t, ReadAnswer(200, []byte(fixture), want1250).Outcome, Unknown, "without a wallet, the wallet's answer")
}

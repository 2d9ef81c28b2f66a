package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

func TestAnswerFields(t *testing.T) {
	t.Parallel()
	a := ReadAnswer(200, []byte(fixture), want1250)
	for name, pair := range map[string][2]string{
		"transaction":    {a.TransactionID, "T-1"},
		"code":           {a.Code, "123456"},
		"description":    {a.Description, "Approved"},
		"redirect":       {a.Redirect, "https://shop.test/thanks"},
		"bank":           {a.BankTransactionNo, "B-1"},
		"gateway":        {a.GatewayReference, "G-1"},
		"card":           {a.CardLastFour, "1111"},
		"email (PAY-50)": {string(a.Response.Consumer.Email), "ada@example.test"},
		"date (PAY-50)":  {string(a.Response.TransactionDateUTC), "2029-05-06T07:08:09Z"},
		"pan (PAY-50)":   {string(a.Response.Billing.Card.PAN), "1111"},
	} {
		t.Run(name, func(t *testing.T) {
			check.Equal(t, pair[0], pair[1], "pair")
		})
	}
	stored, err := json.Marshal(a.Response)
	check.Must(t, err)
	var again CardResponse
	if err := json.Unmarshal(stored, &again); err != nil || again != *a.Response {
		t.Errorf("the stored response was read back as %+v, %v", again, err)
	}
	numbers := ReadAnswer(200, []byte(`{"status":{"responsetype":1,"statuscode":0},"transactionid":98765432109876543210,"code":7}`), want1250)
	if numbers.TransactionID != "98765432109876543210" || numbers.Code != "7" {
		t.Errorf("numbers became %q and %q", numbers.TransactionID, numbers.Code)
	}
}

func TestAnswersAreCleanedForStorage(t *testing.T) {
	t.Parallel()
	body := `{"status":{"responsetype":"1","statuscode":"4000056655665556","errordesc":"Card 4000 0566 5566 5556 \u0000refused\r\nX: y ` + strings.Repeat("z", 400) + `"},
		"transactionid":"T\u00001","billing":{"card":{"pan":4000056655665556}},"transactiondate_utc":"4000056655665556","code":"40000566/55665556","consumer":{"lastname":"4000056655665556"},"amount":"4000056655665556"}`
	a := ReadAnswer(200, []byte(body), Want{})
	if !strings.HasPrefix(a.Description, "Card [redacted] refused X: y z") || len(a.Description) > 220 || a.TransactionID != "T1" || a.CardLastFour != "5556" {
		t.Errorf("got %q, %q, %q", a.Description, a.TransactionID, a.CardLastFour)
	}
	kept, err := json.Marshal(a)
	check.Must(t, err)
	check.Lacks(t, string(kept), "4000056", "the stored answer holds a card number: %s", kept)
	approved := strings.Replace(body, `"statuscode":"4000056655665556"`, `"statuscode":"0"`, 1)
	if err := ReadAnswer(200, []byte(approved), want1250).Err; err == nil || strings.Contains(err.Error(), "40000566") {
		t.Errorf("the error quotes the answer: %v", err)
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(200, fixture)
	f.Add(200, `{"status":{"responsetype":2},"redirect":"https://bank.test"}`)
	f.Add(410, ``)
	f.Fuzz(func(t *testing.T, status int, body string) {
		a := ReadAnswer(status, []byte(body), want1250)
		final := a.Outcome == Approved || a.Outcome == Declined || a.Outcome == Redirected
		if final && (status != 200 || a.Response == nil) || a.Outcome == "" || (a.Err == nil) != final {
			t.Fatalf("HTTP %d %q became %s, %v", status, body, a.Outcome, a.Err)
		}
		if a.Outcome == Declined && (a.Response.Status.StatusCode == "" || a.Response.Status.ResponseType == "") {
			t.Fatalf("%q was taken for a decline", body)
		}
	})
}

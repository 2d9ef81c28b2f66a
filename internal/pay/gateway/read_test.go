package gateway

import (
	"testing"

	"forecourt/internal/kit/check"
)

const fixture = `{
	"status": {"responsetype": "1", "statuscode": "0", "errordesc": "Approved"},
	"transactionid": "T-1", "code": "123456", "redirect": "https://shop.test/thanks", "transactiondate_utc": "2029-05-06T07:08:09Z",
	"billing": {"authresponse": {"banktransactionno": "B-1", "gatewayreference": "G-1"}, "card": {"pan": "411111******1111"}},
	"consumer": {"firstname": "Ada", "lastname": "Lovelace", "email": "ada@example.test"}
}`

var want1250 = Want{Reference: "0197a3b2-aaaa-7bbb-8ccc-1234567890ab", Amount: 1250, Currency: "AUD"}

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	const ok = `"status":{"responsetype":"1","statuscode":"0"}`
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   Outcome
	}{
		{"the specification's response (PAY-50)", 200, fixture, Approved},
		{"1/0 as strings (PAY-28)", 200, `{` + ok + `}`, Approved},
		{"1/0 as numbers (PAY-28)", 200, `{"status":{"responsetype":1,"statuscode":0}}`, Approved},
		{"1/0 mixed (PAY-28)", 200, `{"status":{"responsetype":1,"statuscode":"0"}}`, Approved},
		{"1/0 as numbers with a zero fraction", 200, `{"status":{"responsetype":1.0,"statuscode":0.00}}`, Approved},
		{"1/5 (PAY-28)", 200, `{"status":{"responsetype":"1","statuscode":"5"}}`, Declined},
		{"2/0 without a redirect (PAY-28)", 200, `{"status":{"responsetype":"2","statuscode":"0"}}`, Unknown},
		{"0/0", 200, `{"status":{"responsetype":"0","statuscode":"0"}}`, Unknown},
		{"a status code of 00 is not 0", 200, `{"status":{"responsetype":"1","statuscode":"00"}}`, Declined},
		{"a decline in numbers", 200, `{"status":{"responsetype":1,"statuscode":51}}`, Declined},
		{"unknown fields are ignored", 200, `{` + ok + `,"extra":[1,{"a":null}]}`, Approved},

		{"3-D Secure", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"https://bank.test/3ds"}`, Redirected},
		{"3-D Secure as a number without a status code", 200, `{"status":{"responsetype":2},"redirect":"https://bank.test/3ds"}`, Redirected},
		{"3-D Secure by script", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"javascript:alert(1)"}`, Unknown},
		{"3-D Secure with user info", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"https://bank.test@evil.test/"}`, Unknown},
		{"3-D Secure with a relative address", 200, `{"status":{"responsetype":"2","statuscode":"0"},"redirect":"/3ds"}`, Unknown},
		{"a success may have a redirect", 200, `{` + ok + `,"redirect":"https://shop.test"}`, Approved},
		{"a success with a script as redirect is a success", 200, `{` + ok + `,"redirect":"javascript:alert(1)"}`, Approved},

		{"the same amount, currency and reference", 200, `{` + ok + `,"amount":"12.50","currency":"AUD","reference":"0197a3b2-aaaa-7bbb-8ccc-1234567890ab"}`, Approved},
		{"the same amount as a number", 200, `{` + ok + `,"amount":12.5}`, Approved},
		{"the same in another case", 200, `{` + ok + `,"currency":"aud","reference":"0197A3B2-AAAA-7BBB-8CCC-1234567890AB"}`, Approved},
		{"empty values count as absent", 200, `{` + ok + `,"amount":"","currency":null,"reference":""}`, Approved},
		{"another amount", 200, `{` + ok + `,"amount":"12.51"}`, Mismatch},
		{"another amount as a number", 200, `{` + ok + `,"amount":1250}`, Mismatch},
		{"a zero amount", 200, `{` + ok + `,"amount":"0.00"}`, Mismatch},
		{"an amount in words", 200, `{` + ok + `,"amount":"twelve"}`, Mismatch},
		{"another currency", 200, `{` + ok + `,"currency":"NZD"}`, Mismatch},
		{"another reference", 200, `{` + ok + `,"reference":"somebody"}`, Mismatch},
		{"a decline of another amount", 200, `{"status":{"responsetype":"1","statuscode":"5"},"amount":"1.00"}`, Declined},
		{"a decline of a zero amount", 200, `{"status":{"responsetype":"1","statuscode":"5"},"amount":"0.00"}`, Declined},
		{"a decline of another currency", 200, `{"status":{"responsetype":"0","statuscode":"5"},"currency":"NZD"}`, Declined},
		{"a decline of another reference", 200, `{"status":{"responsetype":"1","statuscode":"5"},"reference":"somebody"}`, Unknown},
		{"a challenge of another amount", 200, `{"status":{"responsetype":"2"},"redirect":"https://bank.test","amount":"1.00"}`, Mismatch},
		{"another reference without a status", 200, `{"reference":"somebody"}`, Unknown},
		{"410 about another reference", 410, `{"reference":"somebody"}`, Mismatch},

		{"202", 202, `{"state":"pending"}`, Pending},
		{"202 with a response inside", 202, fixture, Pending},
		{"202 with nothing", 202, ``, Pending},
		{"410", 410, `{"error":"closed"}`, NotCharged},
		{"410 with a page", 410, `<html>`, NotCharged},

		{"an empty status code", 200, `{"status":{"responsetype":"1","statuscode":""}}`, Unknown},
		{"a status code that nobody sees", 200, `{"status":{"responsetype":"1","statuscode":"\u200b"}}`, Unknown},
		{"a blank status code", 200, `{"status":{"responsetype":"1","statuscode":" "}}`, Unknown},
		{"no status code", 200, `{"status":{"responsetype":"1"}}`, Unknown},
		{"a null status code", 200, `{"status":{"responsetype":"1","statuscode":null}}`, Unknown},
		{"no response type", 200, `{"status":{"statuscode":"0"}}`, Unknown},
		{"a decline without a response type", 200, `{"status":{"statuscode":"5"}}`, Unknown},
		{"a status code that is a boolean", 200, `{"status":{"responsetype":"1","statuscode":false}}`, Unknown},
		{"a status code that is an object", 200, `{"status":{"responsetype":"1","statuscode":{}}}`, Unknown},
		{"a status code that is a list", 200, `{"status":{"responsetype":"1","statuscode":["0"]}}`, Unknown},
		{"a status in words", 200, `{"status":"approved"}`, Unknown},
		{"no status", 200, `{}`, Unknown},
		{"not_charged does not answer a payment", 200, `{"state":"not_charged"}`, Unknown},
		{"null", 200, `null`, Unknown},
		{"a list", 200, `[` + fixture + `]`, Unknown},
		{"nothing", 200, ``, Unknown},
		{"a page", 200, `<html>Approved</html>`, Unknown},
		{"half an answer", 200, fixture[:len(fixture)-2], Unknown},
		{"two answers", 200, fixture + fixture, Unknown},
		{"a pan that is an object", 200, `{` + ok + `,"billing":{"card":{"pan":{}}}}`, Unknown},

		{"201", 201, fixture, Unknown},
		{"204", 204, ``, Unknown},
		{"302", 302, fixture, Unknown},
		{"400", 400, fixture, Unknown},
		{"401", 401, ``, Unknown},
		{"404", 404, ``, Unknown},
		{"409", 409, fixture, Unknown},
		{"422", 422, fixture, Unknown},
		{"429", 429, ``, Unknown},
		{"500 with an approval inside", 500, fixture, Unknown},
		{"502", 502, `<html>`, Unknown},
		{"503", 503, ``, Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ReadAnswer(tt.status, []byte(tt.body), want1250)
			check.Equal(t, got.Outcome, tt.want, "outcome, (%v)", got.Err)
			final := got.Outcome == Approved || got.Outcome == Declined || got.Outcome == Redirected
			check.Equal(t, got.Err == nil, final, "%s comes with the error %v", got.Outcome, got.Err)
		})
	}
}

func TestAnAnswerAboutAnotherReferenceIsDiscarded(t *testing.T) {
	t.Parallel()
	const theirs = `,"reference":"somebody","transactionid":"T-1","code":"7","amount":"12.50","currency":"AUD"}`
	for status, want := range map[string]Outcome{
		`{"status":{"responsetype":"1","statuscode":"0"}`:                                Mismatch,
		`{"status":{"responsetype":"2","statuscode":"0"},"redirect":"https://bank.test"`: Mismatch,
		`{"status":{"responsetype":"1","statuscode":"5"}`:                                Unknown,
		`{"status":{"responsetype":"0","statuscode":"0"}`:                                Unknown,
	} {
		got := ReadAnswer(200, []byte(status+theirs), want1250)
		if got.Outcome != want || got.Err == nil {
			t.Errorf("%s: got %s, %v, want %s", status, got.Outcome, got.Err, want)
		}
		if got.Outcome, got.Err = "", nil; got != (Answer{}) {
			t.Errorf("%s: the answer holds %+v", status, got)
		}
	}
}

func TestReadLookAndResolve(t *testing.T) {
	t.Parallel()
	const closed = `{"state":"not_charged"}`
	for _, tt := range []struct {
		name          string
		status        int
		body          string
		look, resolve Outcome
	}{
		{"not charged", 200, closed, NotCharged, NotCharged},
		{"not charged, of another reference", 200, `{"state":"not_charged","reference":"somebody"}`, Mismatch, Mismatch},
		{"an approval wins over not charged", 200, `{"state":"not_charged","status":{"responsetype":"1","statuscode":"0"}}`, Approved, Approved},
		{"another state", 200, `{"state":"lost"}`, Unknown, Unknown},
		{"410", 410, ``, NotCharged, NotCharged},
		{"the payment's answer", 200, fixture, Approved, Approved},
		{"undecided", 202, closed, Pending, Pending},
		{"never arrived", 404, ``, NeverArrived, Unknown},
		{"500", 500, closed, Unknown, Unknown},
	} {
		check.Equal(t, readLook(tt.status, []byte(tt.body), want1250).Outcome, tt.look, "look, %s", tt.name)
		check.Equal(t, readResolve(tt.status, []byte(tt.body), want1250).Outcome, tt.resolve, "resolve, %s", tt.name)
	}
}

package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestCardOutcomes(t *testing.T) {
	t.Parallel()
	const listed = "Approved (no test outcome is listed for this card number)"
	for _, tt := range []struct {
		name, pan, exp             string
		status                     int
		responsetype, code, reason any
		charged                    bool
		lookStatus                 int
	}{
		{"4111 approves", "4111111111111111", "12/30", 200, "1", "0", "Approved", true, 200},
		{"5555 approves", "5555555555554444", "12/30", 200, "1", "0", "Approved", true, 200},
		{"spaces in the number do not matter", "4111 1111 1111 1111", "12/30", 200, "1", "0", "Approved", true, 200},
		{"an unlisted number approves and says so", "4242424242424242", "12/30", 200, "1", "0", listed, true, 200},
		{"0002 declines", "4000000000000002", "12/30", 200, "1", "05", "Do not honour", false, 200},
		{"9995 declines", "4000000000009995", "12/30", 200, "1", "51", "Insufficient funds", false, 200},
		{"0069 declines", "4000000000000069", "12/30", 200, "1", "54", "Expired card", false, 200},
		{"a past expiry declines", "4111111111111111", "04/29", 200, "1", "54", "Expired card", false, 200},
		{"the current month is not a past expiry", "4111111111111111", "05/29", 200, "1", "0", "Approved", true, 200},
		{"a wrong check digit declines", "4111111111111112", "12/30", 200, "1", "14", "Invalid card number", false, 200},
		{"no expiry declines", "4111111111111111", "soon", 200, "1", "54", "Invalid expiry", false, 200},
		{"3220 asks for 3-D Secure", "4000000000003220", "12/30", 200, "2", "0", "3-D Secure needed", false, 202},
		{"0119 breaks and charges nothing", "4000000000000119", "12/30", 500, nil, nil, nil, false, 202},
		{"0127 breaks after charging", "4000000000000127", "12/30", 500, nil, nil, nil, true, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := start(t, nil)
			status, body := f.call("POST", "/api/pay", payment("ref-1", tt.pan, map[string]any{"exp": tt.exp}))
			if status != tt.status || at(body, "status.responsetype") != tt.responsetype || at(body, "status.statuscode") != tt.code || at(body, "status.errordesc") != tt.reason {
				t.Errorf("answered %d %v", status, body)
			}
			lines := f.ledger("")
			if (len(lines) == 1) != tt.charged || len(lines) > 1 {
				t.Errorf("the ledger holds %v", lines)
			}
			if lookStatus, looked := f.look("ref-1"); lookStatus != tt.lookStatus {
				t.Errorf("look answered %d %v", lookStatus, looked)
			} else if tt.status == 200 && lookStatus == 200 && at(looked, "transactionid") != at(body, "transactionid") {
				t.Errorf("look answered %v after %v", looked, body)
			}
		})
	}
}

func TestTheAnswerHasTheSpecificationsCardResponse(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, body := f.pay("ref-1", "4111111111111111")
	for path, want := range map[string]any{
		"status.responsetype": "1", "status.statuscode": "0", "status.errordesc": "Approved", "redirect": "",
		"transactiondate_utc": "2029-05-06T07:08:09Z", "billing.card.pan": "************1111",
		"consumer.firstname": "Ada", "consumer.lastname": "Lovelace Byron", "consumer.email": "ada@example.test",
		"amount": "12.50", "currency": "AUD", "reference": "ref-1",
	} {
		if got := at(body, path); got != want {
			t.Errorf("PAY-50 %s = %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{"transactionid", "code", "billing.authresponse.banktransactionno", "billing.authresponse.gatewayreference"} {
		if got, ok := at(body, path).(string); !ok || got == "" {
			t.Errorf("PAY-50 %s is missing", path)
		}
	}
	line := f.ledger("")[0]
	for name, want := range map[string]any{
		"kind": "capture", "reference": "ref-1", "trxId": "trx-ref-1", "transactionid": body["transactionid"], "amount": "12.50",
		"currency": "AUD", "arrivals": 1.0, "at": "2029-05-06T07:08:09Z",
	} {
		check.Equal(t, line[name], want, "ledger's %s", name)
	}
}

func TestASlowAnswerIsChargedAtOnce(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	answered := make(chan map[string]any)
	go func() {
		_, body := f.pay("ref-1", "4000000000000341")
		answered <- body
	}()
	check.Equal(t, <-f.clock.waiting, 8*time.Second, "the answer waits")
	if status, _ := f.look("ref-1"); status != 200 || len(f.ledger("")) != 1 {
		t.Error("the charge is not in the ledger while the answer waits")
	}
	f.clock.Advance(8 * time.Second)
	check.Equal(t, at(<-answered, "status.statuscode"), "0", "answered")
}

func TestALateChargeIsUndecidedUntilItIsMade(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	ctx, giveUp := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() { gone <- send(ctx, f, payment("ref-1", "4000000000000358", nil)) }()
	check.Equal(t, <-f.clock.waiting, 12*time.Second, "the charge waits")
	giveUp() // as a gateway client does after 10 s
	check.Error(t, <-gone, "the sandbox answered after the client gave up")
	for _, status := range []int{first(f.look("ref-1")), first(f.resolve("ref-1"))} {
		check.Equal(t, status, 202, "before the charge, look answers")
	}
	for _, query := range []string{"", "?to=2031-01-01"} {
		check.Empty(t, f.ledger(query), "before the charge, the ledger holds")
	}

	f.stop()
	f = restart(t, f.path, f.clock, nil)
	f.clock.Advance(11 * time.Second)
	status, _ := f.resolve("ref-1")
	check.Equal(t, status, 202, "after a restart and before the charge, resolve answers")
	f.clock.Advance(time.Second)
	status, body := f.resolve("ref-1")
	if status != 200 || at(body, "status.statuscode") != "0" || len(f.ledger("")) != 1 {
		t.Errorf("after the charge, it answers %d %v and the ledger holds %v", status, body, f.ledger(""))
	}
}

func TestAnUnansweredCallEndsWithItsCallerOrTheSandbox(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	done := make(chan error)
	for _, reference := range []string{"gone", "closed"} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() { done <- send(ctx, f, payment(reference, "4000000000000259", nil)) }()
		for status := 404; status != 200; {
			status, _ = f.look(reference)
		}
		if reference == "gone" {
			cancel()
		} else {
			f.stop()
		}
		check.Error(t, <-done, "the sandbox answered")
	}
	f = restart(t, f.path, f.clock, nil)
	lines := f.ledger("")
	check.Equal(t, len(lines), 2, "the ledger holds %v, want both charges", lines)
}

// send posts a payment whose answer does not matter and returns the error of the connection.
func send(ctx context.Context, f *fixture, body map[string]any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.api+"/api/pay", bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func first(status int, _ map[string]any) int { return status }

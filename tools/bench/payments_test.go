package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/internal/gateway"
)

func TestParseTPS(t *testing.T) {
	t.Parallel()
	const out = "number of transactions actually processed: 8123\nnumber of failed transactions: 0 (0.000%)\n" +
		"latency average = 7.8 ms\ninitial connection time = 31.2 ms\ntps = 2047.5 (without initial connection time)\n"
	if got, err := parseTPS(out); err != nil || got != 2047.5 {
		t.Errorf("%v, %v", got, err)
	}
	for name, wrong := range map[string]string{
		"no rate":              "latency average = 7.8 ms\n",
		"a failed transaction": strings.Replace(out, "failed transactions: 0", "failed transactions: 3", 1),
	} {
		if _, err := parseTPS(wrong); err == nil {
			t.Errorf("no error for %s", name)
		}
	}
}

func TestAStatementIsWrittenOutForPgbench(t *testing.T) {
	t.Parallel()
	s := statement{"INSERT\n\t\tINTO x VALUES ($1, $2, $3, $4, $5, $10)", []any{
		scriptID, "Chef's", []int64{1, 2}, []byte{0xab, 1}, true, 6, 7, 8, 9, int64(10),
	}}
	const want = `INSERT INTO x VALUES (lpad(:n::text, 26, '0'), 'Chef''s', '{1,2}', '\xab01', true, 10)`
	if got := s.script(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestTheAcquirersAnswerIsAnApproval(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	approve(w, httptest.NewRequest(http.MethodPost, "/api/pay", strings.NewReader(`{"reference":"r-1"}`)))
	answer := gateway.ReadAnswer(w.Code, w.Body.Bytes(), gateway.Want{Reference: "r-1", Amount: 1250, Currency: "AUD"})
	if answer.Outcome != gateway.Approved || answer.TransactionID != "r-1" {
		t.Errorf("%+v", answer)
	}
}

func TestTheShareComparesAlternatingTurns(t *testing.T) {
	t.Parallel()
	var order strings.Builder
	slow := 1.0
	side := func(name string, rate float64) func() (float64, error) {
		return func() (float64, error) {
			order.WriteString(name)
			slow++ // the machine gets slower and slower
			return rate / slow, nil
		}
	}
	r, err := turns(side("a", 100), side("b", 100))
	if err != nil || r.share < 0.9 || r.share > 1.1 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := order.String(); got != "abbaabbaabbaabba" {
		t.Errorf("the order was %s", got)
	}
}

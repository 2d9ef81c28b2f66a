package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
)

// reply is an answer on its way to the program. If cut is set, it breaks off.
type reply struct {
	status int
	body   []byte
	cut    bool
}

// errCut cuts the connection in the middle of an answer.
var errCut = errors.New("cut")

func (a reply) write(res *http.Response) {
	res.StatusCode, res.Status = a.status, ""
	res.ContentLength = int64(len(a.body))
	res.Header.Set("Content-Length", strconv.Itoa(len(a.body)))
	res.Body = io.NopCloser(bytes.NewReader(a.body))
	if a.cut {
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(a.body[:len(a.body)/2]), brokenReader{}))
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errCut }

// pairs lists response types and status codes that, without a redirect, decide nothing for a card or a wallet.
var pairs = [][2]string{{"0", "0"}, {"3", "0"}, {"3", "05"}, {"2", "0"}, {"2", "05"}, {"1", ""}, {"0", ""}, {"yes", "0"}, {"yes", "1A"}}

// rubbish returns an answer that replaces a sandbox's. By the wire format it decides nothing.
func rubbish(r *rand.Rand, path string, body []byte) reply {
	const ok = http.StatusOK
	some := []reply{
		{ok, []byte("Service temporarily unavailable"), false},
		{ok, nil, false},
		{ok, []byte("null"), false},
		{ok, []byte("{}"), false},
		{ok, []byte("[]"), false},
		{ok, []byte(`{"error":"busy"}`), false},
		{ok, []byte(`{"status":"00"}`), false},
		{ok, body, true},
		{ok, body[:len(body)/2], false},
		{http.StatusNoContent, nil, false},
		{http.StatusFound, nil, false},
		{http.StatusNotFound, []byte(`{"error":"no such address"}`), false},
		{http.StatusServiceUnavailable, []byte("<html>busy</html>"), false},
	}
	switch n := r.IntN(2 * len(some)); {
	case n < len(some):
		return some[n]
	case path == "/api/refund":
		states := []string{`{"status":"maybe","refundid":"x"}`, `{"status":"done"}`, `{"status":"done","refundid":""}`, `{"refundid":"x"}`}
		return reply{ok, []byte(states[r.IntN(len(states))]), false}
	case path == "/ledger", path == "/wallet/key":
		return some[r.IntN(len(some))]
	default:
		pair := pairs[r.IntN(len(pairs))]
		return reply{ok, withPair(body, pair[0], pair[1]), false}
	}
}

// withPair replaces the response type and status code of an answer, and removes its redirect.
func withPair(body []byte, kind, code string) []byte {
	return edit(body, func(answer map[string]any) {
		status, _ := answer["status"].(map[string]any)
		if status == nil {
			status = map[string]any{}
		}
		status["responsetype"], status["statuscode"] = kind, code
		answer["status"], answer["redirect"] = status, ""
	})
}

// oneRefundID gives each refund of a charge the same id, as a gateway may.
func oneRefundID(body []byte, charge string) []byte {
	return edit(body, func(answer map[string]any) {
		if id, _ := answer["refundid"].(string); id != "" {
			answer["refundid"] = "refunds of " + charge
		}
	})
}

// otherAmount adds a dollar to the amount.
func otherAmount(body []byte) []byte {
	return edit(body, func(answer map[string]any) {
		if amount, _ := answer["amount"].(string); amount != "" {
			answer["amount"] = decimal(cents(amount) + 100)
		}
	})
}

// edit changes an answer that is an object, and returns others unchanged.
func edit(body []byte, change func(map[string]any)) []byte {
	var answer map[string]any
	if json.Unmarshal(body, &answer) != nil || answer == nil {
		return body
	}
	change(answer)
	edited, err := json.Marshal(answer)
	if err != nil {
		return body
	}
	return edited
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// front is a proxy of a sandbox. It does what the wire format allows a gateway to do, and what no gateway should do: it answers with
// rubbish and names a wrong amount.
type front struct {
	lies    string // the last digits of the card whose charge is reported with a wrong amount; "" for none
	address string // host:port
	server  *http.Server

	mu      sync.Mutex
	rand    *rand.Rand
	share   float64 // the share of rubbish among the answers
	spoils  int     // how many of the ledger's next answers will be rubbish
	mangled int     // how many answers were rubbish
}

func newFront(share float64, seed uint64) *front {
	return &front{share: share, rand: rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // no secret
}

func (f *front) start(ctx context.Context, sandbox string) error {
	target, err := url.Parse(sandbox)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	f.address = listener.Addr().String()
	quiet := log.New(io.Discard, "", 0)
	f.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, ErrorLog: quiet, Handler: &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:      &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		ModifyResponse: f.change,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:       quiet,
	}}
	go func() { _ = f.server.Serve(listener) }()
	return nil
}

// spoil makes the ledger's next answer rubbish.
func (f *front) spoil() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoils++
}

// change replaces the sandbox's answer.
func (f *front) change(res *http.Response) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	path := res.Request.URL.Path
	f.mu.Lock()
	defer f.mu.Unlock()
	if path == "/api/pay" && f.lies != "" && bytes.Contains(body, []byte("*"+f.lies+`"`)) {
		body = edit(body, func(answer map[string]any) { answer["amount"] = "999.00" })
	}
	status, text := res.StatusCode, io.Reader(bytes.NewReader(body))
	length := len(body)
	switch {
	case f.spoils > 0 && path == "/ledger" && !res.Request.URL.Query().Has("kinds"):
		f.spoils--
		f.mangled++
		text, length = strings.NewReader("{}"), 2
	case !strings.HasPrefix(path, "/sandbox/") && f.rand.Float64() < f.share:
		f.mangled++
		status, text, length = rubbish(f.rand, path, body)
	}
	res.StatusCode, res.Status, res.ContentLength = status, "", int64(length)
	res.Header.Set("Content-Length", strconv.Itoa(length))
	res.Body = io.NopCloser(text)
	return nil
}

// rubbish returns an answer that, by the wire format, decides nothing: a text or a half answer, or, for a payment or a refund, one
// whose outcome is in no table.
func rubbish(r *rand.Rand, path string, body []byte) (status int, text io.Reader, length int) {
	const ok = http.StatusOK
	whole := func(status int, text string) (int, io.Reader, int) { return status, strings.NewReader(text), len(text) }
	half := string(body[:len(body)/2])
	texts := []string{"Service temporarily unavailable", "", "null", "{}", "[]", `{"error":"busy"}`, `{"status":"00"}`, half}
	switch n := r.IntN(2 * len(texts)); {
	case n < len(texts):
		return whole(ok, texts[n])
	case n == len(texts):
		return ok, strings.NewReader(half), len(body) // and the connection breaks
	case n == len(texts)+1:
		return whole(http.StatusServiceUnavailable, "<html>busy</html>")
	case n == len(texts)+2, path == "/ledger", path == "/wallet/key":
		return whole(http.StatusNotFound, `{"error":"no such address"}`)
	case path == "/api/refund":
		answers := []string{`{"status":"maybe","refundid":"x"}`, `{"status":"done"}`, `{"status":"done","refundid":""}`, `{"refundid":"x"}`}
		return whole(ok, answers[r.IntN(len(answers))])
	}
	// Pairs that decide nothing for a card or a wallet.
	pairs := [][2]string{{"0", "0"}, {"3", "0"}, {"3", "05"}, {"2", "0"}, {"2", "05"}, {"1", ""}, {"0", ""}, {"yes", "0"}, {"yes", "1A"}}
	pair := pairs[r.IntN(len(pairs))]
	return whole(ok, string(edit(body, func(answer map[string]any) {
		answer["status"], answer["redirect"] = map[string]any{"responsetype": pair[0], "statuscode": pair[1]}, ""
	})))
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

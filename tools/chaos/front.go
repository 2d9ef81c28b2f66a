package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// front is a proxy of a sandbox. It does what the wire format allows a gateway to do, and what no gateway should do: it answers with
// rubbish, holds payments back and names a wrong amount.
type front struct {
	address string // host:port
	server  *http.Server

	mu      sync.Mutex
	rand    *rand.Rand
	share   float64 // the share of rubbish among the answers
	spoils  int     // how many of the ledger's next answers will be rubbish
	lies    string  // the card whose charge is reported with a wrong amount
	mangled int     // how many answers were rubbish
	holds   bool    // payments with the card chargedLate are accepted and wait until they are released
	held    map[string]heldPayment
}

// heldPayment is a payment that the gateway has accepted but not yet passed on.
type heldPayment struct {
	asked
	body json.RawMessage
	at   time.Time
}

// asked holds the fields of a request that the front reads.
type asked struct {
	MerchantID, TrxID, Reference, PAN, Amount, Currency string
	TestMode                                            bool
}

// askedKey is the context key of a request's card.
type askedKey struct{}

func newFront(ctx context.Context, sandbox string, share float64, seed uint64) (*front, error) {
	target, err := url.Parse(sandbox)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &front{
		address: listener.Addr().String(), share: share, held: map[string]heldPayment{},
		rand: rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // no secret
	}
	quiet := log.New(io.Discard, "", 0)
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:      &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		ModifyResponse: f.change,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:       quiet,
	}
	f.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, ErrorLog: quiet, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { f.pass(w, r, proxy) },
	)}
	go func() { _ = f.server.Serve(listener) }()
	return f, nil
}

func (f *front) pass(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		return // the caller is gone
	}
	var ask asked
	_ = json.Unmarshal(body, &ask) // a wallet's token may be an object, which the front does not need
	if f.holdBack(r.URL.Path, ask, body) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"state":"pending"}`)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askedKey{}, ask.PAN)))
}

// holdBack reports whether a request is a payment that has to wait, or is about one.
func (f *front) holdBack(path string, ask asked, body []byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if reference, about := strings.CutPrefix(path, "/api/payments/"); about {
		_, waits := f.held[strings.TrimSuffix(reference, "/resolve")]
		return waits
	}
	if !f.holds || path != "/api/pay" || ask.PAN != chargedLate {
		return false
	}
	f.held[ask.Reference] = heldPayment{ask, body, time.Now().UTC()}
	return true
}

// release charges everything that was held back, and holds nothing back from then on.
func (g *gateway) release(ctx context.Context) error {
	f := g.front
	f.mu.Lock()
	held := f.held
	f.held, f.holds = map[string]heldPayment{}, false
	f.mu.Unlock()
	for _, h := range held {
		body := json.RawMessage(strings.Replace(string(h.body), chargedLate, approves, 1))
		if status, err := g.call(ctx, http.MethodPost, "/api/pay", body, nil); err != nil || status != http.StatusOK {
			return fmt.Errorf("a payment that was held back is answered with HTTP %d, %w", status, err)
		}
	}
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
	path, card := res.Request.URL.Path, res.Request.Context().Value(askedKey{})
	f.mu.Lock()
	defer f.mu.Unlock()
	if path == "/ledger" {
		body = f.withHeld(res.Request.URL.Query(), body)
	}
	if path == "/api/pay" && card != "" && card == f.lies {
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

// withHeld lists the held payments among the open ones, on the first page.
func (f *front) withHeld(query url.Values, body []byte) []byte {
	if query.Get("cursor") != "" || !slices.Contains(strings.Split(query.Get("kinds"), ","), "open") {
		return body
	}
	return edit(body, func(page map[string]any) {
		entries, _ := page["entries"].([]any)
		for reference, h := range f.held {
			entries = append(entries, map[string]any{
				"kind": "open", "reference": reference, "trxId": h.TrxID, "transactionid": "", "merchantId": h.MerchantID,
				"testMode": h.TestMode, "amount": h.Amount, "currency": h.Currency, "arrivals": 1, "at": h.at,
			})
		}
		page["entries"] = entries
	})
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

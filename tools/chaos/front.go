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
	"strings"
	"sync"
	"time"
)

// front is a proxy of a sandbox. It does what the wire format allows a gateway to do, and what no gateway should do: it answers with rubbish,
// gives all refunds of a charge one id, holds payments back and names a wrong amount.
type front struct {
	address string // host:port
	sandbox string // URL
	key     string
	server  *http.Server

	mu      sync.Mutex
	rand    *rand.Rand
	share   float64 // the share of rubbish among the answers
	spoils  int     // how many of the ledger's next answers will be rubbish
	lies    string  // the card whose charge is reported with a wrong amount
	mangled int     // how many answers were rubbish
	holds   bool    // payments with the card chargedLate are accepted and wait until they are released
	held    map[string]*heldPayment
}

// newFront starts a front. share is the share of rubbish among its answers.
func newFront(ctx context.Context, sandbox, key string, share float64, seed uint64) (*front, error) {
	target, err := url.Parse(sandbox)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &front{
		address: listener.Addr().String(), sandbox: sandbox, key: key, share: share, held: map[string]*heldPayment{},
		rand: rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // no secret
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:      &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		ModifyResponse: f.change,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:       log.New(io.Discard, "", 0),
	}
	f.server = &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.pass(w, r, proxy) }),
		ReadHeaderTimeout: 5 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = f.server.Serve(listener) }()
	return f, nil
}

func (f *front) close() { _ = f.server.Close() }

// count returns how many answers were rubbish.
func (f *front) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mangled
}

// spoil makes the ledger's next answer rubbish.
func (f *front) spoil() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoils++
}

// askedKey is the context key of a request's body.
type askedKey struct{}

// asked holds the fields of a request that the front reads.
type asked struct {
	MerchantID, TrxID, Reference, TransactionID string
	PAN, Amount, Currency                       string
	TestMode                                    bool
}

func (f *front) pass(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		return // the caller is gone
	}
	var ask asked
	_ = json.Unmarshal(body, &ask) // a wallet's token may be an object, which the front does not need
	if f.holdBack(w, r, ask, body) {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askedKey{}, ask)))
}

// change returns the answer that replaces the sandbox's.
func (f *front) change(res *http.Response) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	path, ask := res.Request.URL.Path, res.Request.Context().Value(askedKey{}).(asked)
	f.mu.Lock()
	defer f.mu.Unlock()
	if path == "/ledger" {
		body = f.withHeld(res.Request.URL.Query(), body)
	}
	if path == "/api/refund" {
		body = oneRefundID(body, ask.TransactionID)
	}
	if path == "/api/pay" && ask.PAN != "" && ask.PAN == f.lies {
		body = otherAmount(body)
	}
	told := reply{res.StatusCode, body, false}
	switch {
	case f.spoils > 0 && path == "/ledger" && !res.Request.URL.Query().Has("kinds"):
		f.spoils--
		f.mangled++
		told = reply{http.StatusOK, []byte("{}"), false}
	case !strings.HasPrefix(path, "/sandbox/") && f.rand.Float64() < f.share:
		f.mangled++
		told = rubbish(f.rand, path, body)
	}
	told.write(res)
	return nil
}

package sandbox_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/sandbox"
)

const key = "sandbox-test-key"

// fixture is a sandbox over real HTTP with a clock that only the test moves.
type fixture struct {
	*sandbox.Sandbox
	t     *testing.T
	api   string
	bank  string
	path  string
	clock *clock
	stop  func()
}

func start(t *testing.T, change func(*sandbox.Options)) *fixture {
	t.Helper()
	return restart(t, filepath.Join(t.TempDir(), "ledger"), newClock(), change)
}

func restart(t *testing.T, path string, c *clock, change func(*sandbox.Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, path: path, clock: c}
	options := sandbox.Options{Path: path, Key: key, PublicURL: func() string { return f.bank + "/sandbox" }, Now: c.Now, After: c.After}
	if change != nil {
		change(&options)
	}
	s, err := sandbox.Open(options)
	check.Must(t, err)
	f.Sandbox = s
	api := httptest.NewServer(s.Handler())
	bank := httptest.NewServer(http.StripPrefix("/sandbox", s.Public()))
	f.api, f.bank = api.URL, bank.URL
	f.stop = sync.OnceFunc(func() {
		check.NoError(t, s.Close())
		api.Close()
		bank.Close()
	})
	t.Cleanup(f.stop)
	return f
}

// call returns the status and the decoded body of one API call.
func (f *fixture) call(method, path string, body map[string]any) (int, map[string]any) {
	f.t.Helper()
	raw, err := json.Marshal(body)
	check.Must(f.t, err)
	req, err := http.NewRequest(method, f.api+path, bytes.NewReader(raw))
	check.Must(f.t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	check.Must(f.t, err)
	defer res.Body.Close()
	var got map[string]any
	check.Must(f.t, json.NewDecoder(res.Body).Decode(&got), "%s %s answered %d with no JSON", method, path, res.StatusCode)
	return res.StatusCode, got
}

func (f *fixture) pay(reference, pan string) (int, map[string]any) {
	f.t.Helper()
	return f.call("POST", "/api/pay", payment(reference, pan, nil))
}

func (f *fixture) look(reference string) (int, map[string]any) {
	f.t.Helper()
	return f.call("GET", "/api/payments/"+reference, nil)
}

func (f *fixture) resolve(reference string) (int, map[string]any) {
	f.t.Helper()
	return f.call("POST", "/api/payments/"+reference+"/resolve", map[string]any{"merchantId": "panezski", "testMode": true})
}

// ledger returns the lines of the first page.
func (f *fixture) ledger(query string) []map[string]any {
	f.t.Helper()
	status, body := f.call("GET", "/ledger"+query, nil)
	check.MustEqual(f.t, status, 200, "ledger%s answered %v", query, body)
	var lines []map[string]any
	for _, e := range body["entries"].([]any) {
		lines = append(lines, e.(map[string]any))
	}
	return lines
}

// payment is a request of POST /api/pay with changes applied.
func payment(reference, pan string, change map[string]any) map[string]any {
	p := map[string]any{
		"merchantId": "panezski", "trxId": "trx-" + reference, "reference": reference, "amount": "12.50", "currency": "AUD",
		"cardholder": "Ada Lovelace Byron", "pan": pan, "exp": "12/30", "cvc": "123", "testMode": true, "cEmail": "ada@example.test",
		"descriptor": "LAT*panezski", "returnUrl": "http://127.0.0.1:9/pos/panezski/trx",
	}
	for name, value := range change {
		p[name] = value
	}
	return p
}

// at follows a path like "status.statuscode" into an answer.
func at(body map[string]any, path string) any {
	var v any = body
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// clock stands still until the test moves it; timers fire when it passes them.
type clock struct {
	mu      sync.Mutex
	now     time.Time
	timers  []timer
	waiting chan time.Duration
}

type timer struct {
	at   time.Time
	fire chan time.Time
}

func newClock() *clock {
	return &clock{now: time.Date(2029, 5, 6, 7, 8, 9, 0, time.UTC), waiting: make(chan time.Duration, 100)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	fire := make(chan time.Time, 1)
	c.timers = append(c.timers, timer{c.now.Add(d), fire})
	c.waiting <- d
	return fire
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for _, t := range c.timers {
		if !t.at.After(c.now) {
			select {
			case t.fire <- c.now:
			default:
			}
		}
	}
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	res, err := http.Get(address)
	check.Must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check.Must(t, err)
	return res.StatusCode, string(body)
}

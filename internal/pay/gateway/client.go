// Package gateway is the client of the payments gateway. Every payment carries a reference that is sent once and never again; Look
// asks what became of it, and Resolve settles it for good.
package gateway

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"forecourt/internal/kit/secret"
)

// DefaultTimeout is the limit of one call if Config has none. TestWithoutSettingsEverythingIsBuiltIn compares it with GATEWAY_TIMEOUT.
const DefaultTimeout = 10 * time.Second

// maxAnswer is how many bytes of an answer are read; a longer one is treated as not understood.
const maxAnswer = 64 << 10

// Config says where the gateway is. ID is the name stored with attempts, URL its base address without a trailing slash. Timeout
// limits one call from dialling to the last byte (DefaultTimeout when zero). Logger gets one line per call (none when nil).
type Config struct {
	ID      string
	URL     string
	Key     secret.Text
	Timeout time.Duration
	Logger  *slog.Logger
}

// Client calls the gateway. It is safe for concurrent use.
type Client struct {
	id        string
	base      string
	authorize func(http.Header)
	timeout   time.Duration
	logger    *slog.Logger
	observe   func(call, outcome string, took time.Duration)
	begin     func(ctx context.Context, call string) (context.Context, func(outcome string))
	reach     *reach
	http      *http.Client
}

// New returns a client. Nothing is called or checked yet.
func New(cfg Config) *Client {
	logger := cfg.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Client{
		id:        cfg.ID,
		base:      strings.TrimRight(cfg.URL, "/"),
		authorize: func(h http.Header) { h.Set("Authorization", "Bearer "+cfg.Key.Reveal()) },
		timeout:   cmp.Or(cfg.Timeout, DefaultTimeout),
		logger:    logger,
		observe:   func(string, string, time.Duration) {},
		begin:     func(ctx context.Context, _ string) (context.Context, func(string)) { return ctx, func(string) {} },
		reach:     &reach{},
		http: &http.Client{
			Transport:     newTransport(),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// ID returns the name of this gateway that is stored with attempts.
func (c *Client) ID() string { return c.id }

// Observe makes the client call observe after each call about a payment or refund, with its method and path pattern, its outcome and its
// duration. Call Observe before the first of them.
func (c *Client) Observe(observe func(call, outcome string, took time.Duration)) { c.observe = observe }

// Trace makes the client call begin before each such call, and afterwards the function that begin returned, with the outcome. Values that
// begin adds to the context are not sent. Call Trace before the first of them.
func (c *Client) Trace(begin func(ctx context.Context, call string) (context.Context, func(outcome string))) {
	c.begin = begin
}

// PayCard sends a card payment, once. It returns NotCharged at once if no connection could be opened. Anything that goes wrong after that
// is Unknown.
func (c *Client) PayCard(ctx context.Context, p CardPayment) Answer {
	return c.pay(ctx, "/api/pay", p.wire(), p.Want)
}

func (c *Client) pay(ctx context.Context, path string, body any, want Want) Answer {
	return c.call(ctx, http.MethodPost, path, body, want, func(r reply) Answer {
		if r.err != nil && !r.connected {
			return Answer{Outcome: NotCharged, Err: fmt.Errorf("gateway not reached, nothing was sent: %w", r.err)}
		}
		return r.read(want, ReadAnswer)
	})
}

// Look asks what became of a payment and changes nothing. NeverArrived is not final: the payment may still be on its way.
func (c *Client) Look(ctx context.Context, want Want) Answer {
	path := "/api/payments/" + url.PathEscape(want.Reference)
	return c.call(ctx, http.MethodGet, path, nil, want, func(r reply) Answer { return r.read(want, readLook) })
}

// Resolve settles a payment for good: it was approved or declined, or it is NotCharged and will be refused if it still arrives.
// Pending means that the acquirer has not answered yet: ask again.
func (c *Client) Resolve(ctx context.Context, want Want) Answer {
	path := "/api/payments/" + url.PathEscape(want.Reference) + "/resolve"
	body := map[string]any{"merchantId": want.MerchantID, "testMode": want.TestMode}
	return c.call(ctx, http.MethodPost, path, body, want, func(r reply) Answer { return r.read(want, readResolve) })
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func (c *Client) call(ctx context.Context, method, path string, body any, want Want, read func(reply) Answer) Answer {
	var a Answer
	c.observed(ctx, method, path, want.Reference, body, func(r reply) string {
		a = read(r)
		return string(a.Outcome)
	})
	return a
}

// observed makes a call about a payment and observes it. read returns the outcome.
func (c *Client) observed(ctx context.Context, method, path, reference string, body any, read func(reply) (outcome string)) {
	name := method + " " + strings.Replace(path, url.PathEscape(reference), "{reference}", 1)
	ctx, end := c.begin(ctx, name)
	start := time.Now()
	r := c.send(ctx, method, path, body)
	outcome := read(r)
	end(outcome)
	took := time.Since(start)
	c.logger.InfoContext(ctx, "gateway call", "call", name,
		"reference", reference, "status", r.status, "outcome", outcome, "ms", took.Milliseconds())
	c.observe(name, outcome, took)
}

// reply is a complete answer with its status, or err. connected reports whether anything may have been sent.
type reply struct {
	status    int
	body      []byte
	connected bool
	err       error
}

func (r reply) read(want Want, read func(int, []byte, Want) Answer) Answer {
	if r.err != nil {
		return Answer{Outcome: Unknown, Err: r.err}
	}
	return read(r.status, r.body, want)
}

// send makes one call and records whether the gateway is reachable.
func (c *Client) send(ctx context.Context, method, path string, body any) reply {
	r := c.exchange(ctx, method, path, body)
	c.reach.note(r, time.Now())
	return r
}

func (c *Client) exchange(ctx context.Context, method, path string, body any) reply {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return reply{err: err}
	}
	return exchange(c.http, req)
}

// exchange sends a request and reads the whole answer.
func exchange(client *http.Client, req *http.Request) reply {
	var connected atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}))
	res, err := client.Do(req)
	if err != nil {
		if connected.Load() {
			err = quiet(err)
		}
		return reply{connected: connected.Load(), err: err}
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return reply{status: res.StatusCode, connected: true, err: quiet(err)}
	}
	if len(answer) > maxAnswer {
		return reply{
			status: res.StatusCode, connected: true, err: fmt.Errorf("gateway answered %d with more than %d bytes", res.StatusCode, maxAnswer),
		}
	}
	return reply{status: res.StatusCode, body: answer, connected: true}
}

// request builds a request that the HTTP library cannot repeat, because without GetBody the library has no second copy of the body.
func (c *Client) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var content io.Reader
	var length int64
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, errors.New("the request to the gateway cannot be written as JSON")
		}
		content, length = io.NopCloser(bytes.NewReader(encoded)), int64(len(encoded))
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, fmt.Errorf("gateway address: %w", err)
	}
	req.ContentLength = length
	c.authorize(req.Header)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// quiet replaces an error that occurred after the request was written. The HTTP library quotes a malformed answer in its errors, so
// a peer that echoes its input would bring the card number into the log.
func quiet(err error) error {
	var network *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("gateway did not answer in time: %w", context.DeadlineExceeded)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("gateway call was given up: %w", context.Canceled)
	case errors.As(err, &network):
		return fmt.Errorf("connection to the gateway broke: %w", network)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("connection to the gateway broke: %w", io.ErrUnexpectedEOF)
	default:
		return errors.New("gateway's answer was not readable as HTTP")
	}
}

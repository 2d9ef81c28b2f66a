package gateway_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
)

// peer is a server below the level of HTTP: it may answer, stay silent or break a connection at any point.
type peer struct {
	url  string
	seen atomic.Int32
	mu   sync.Mutex
	refs map[string]int
}

const approval = "HTTP/1.1 200 OK\r\nContent-Length: 49\r\n\r\n" + `{"status":{"responsetype":"1","statuscode":"0"} }`

// raw serves one answer per connection, then closes it.
func raw(t *testing.T, answer func(net.Conn)) *peer {
	t.Helper()
	return listen(t, func(p *peer, c net.Conn) {
		if p.receive(bufio.NewReader(c)) != "" {
			answer(c)
		}
	})
}

func listen(t *testing.T, serve func(*peer, net.Conn)) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check.Must(t, err)
	t.Cleanup(func() { l.Close() })
	p := &peer{url: "http://" + l.Addr().String(), refs: map[string]int{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); serve(p, c) }()
		}
	}()
	return p
}

// receive reads one whole payment, counts it and returns its reference, or "" if none came.
func (p *peer) receive(r *bufio.Reader) string {
	req, err := http.ReadRequest(r)
	if err != nil {
		return ""
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return ""
	}
	var payment struct{ Reference string }
	if err := json.Unmarshal(body, &payment); err != nil {
		return ""
	}
	p.seen.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refs[payment.Reference]++
	return payment.Reference
}

func (p *peer) count(reference string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refs[reference]
}

func TestAPaymentOnABrokenReusedConnectionIsSentOnce(t *testing.T) {
	t.Parallel()
	server := listen(t, func(p *peer, c net.Conn) {
		r := bufio.NewReader(c)
		for {
			switch p.receive(r) {
			case "first":
				io.WriteString(c, approval)
			default: // read the payment and do not answer
				return
			}
		}
	})
	c, p := client(t, server.url), payment(t, canary)
	p.Reference = "first"
	a := c.PayCard(t.Context(), p)
	check.MustEqual(t, a.Outcome, gateway.Approved, "the first payment: got, %v", a.Err)
	p.Reference = "second"
	a = c.PayCard(t.Context(), p)
	check.Equal(t, a.Outcome, gateway.Unknown, "the payment on the broken connection: got, %v", a.Err)
	check.Equal(t, server.count("second"), 1, "the payment was sent … times")
}

func TestAPaymentOnABreakingIdleConnectionIsSentAtMostOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		server := listen(t, func(p *peer, c net.Conn) {
			if p.receive(bufio.NewReader(c)) != "" {
				io.WriteString(c, approval)
			}
			// The server closes the connection as soon as it is idle, while the client may be about to use it again.
		})
		c, p := client(t, server.url), payment(t, canary)
		p.Reference = "first"
		if a := c.PayCard(t.Context(), p); a.Outcome != gateway.Approved {
			t.Fatalf("got %s, %v", a.Outcome, a.Err)
		}
		p.Reference = "second"
		a := c.PayCard(t.Context(), p)
		switch n := server.count("second"); {
		case n > 1:
			t.Fatalf("the payment was sent %d times", n)
		case n == 1 && a.Outcome != gateway.Approved, n == 0 && a.Outcome != gateway.Unknown:
			t.Errorf("the payment arrived %d times and is %s, %v", n, a.Outcome, a.Err)
		}
	}
}

package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
	"forecourt/sandbox"
)

const canary, canaryCVC = "4000056655665556", "8642"

func TestPayCardSendsTheContractsBody(t *testing.T) {
	t.Parallel()
	var got map[string]any
	var header http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		if r.Method != http.MethodPost || r.URL.Path != "/base/api/pay" {
			t.Errorf("called %s %s", r.Method, r.URL.Path)
		}
		check.NoError(t, json.NewDecoder(r.Body).Decode(&got))
		io.WriteString(w, `{"status":{"responsetype":"1","statuscode":"0"}}`)
	}))
	defer server.Close()
	a := client(t, server.URL+"/base/").PayCard(t.Context(), payment(t, canary))
	check.Equal(t, a.Outcome, gateway.Approved, "outcome, %+v", a)
	want := map[string]any{
		"merchantId": "panezski", "trxId": "trx-1", "reference": "ref-1", "amount": "12.50", "currency": "AUD", "cardholder": "Ada",
		"pan": canary, "exp": "12/30", "cvc": canaryCVC, "testMode": true, "cEmail": "ada@example.test", "descriptor": "LAT*panezski",
		"returnUrl": "http://shop.test/back",
	}
	check.Equal(t, fmt.Sprint(got), fmt.Sprint(want), "PAY-27 sent")
	if header.Get("Authorization") != "Bearer k-e-y" || header.Get("Content-Type") != "application/json" || header.Get("Idempotency-Key") != "" {
		t.Errorf("headers: %v", header)
	}
}

func TestTheClientAgainstTheSandbox(t *testing.T) {
	t.Parallel()
	s, err := sandbox.Open(sandbox.Options{
		Path: filepath.Join(t.TempDir(), "ledger"), Key: "k-e-y", PublicURL: func() string { return "https://bank.test" }, LateCharge: time.Hour,
	})
	check.Must(t, err)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); server.Close() })
	for _, tt := range []struct {
		pan                string
		pay, look, resolve gateway.Outcome
	}{
		{"4111111111111111", gateway.Approved, gateway.Approved, gateway.Approved},
		{"4000000000000002", gateway.Declined, gateway.Declined, gateway.Declined},
		{"4000000000003220", gateway.Redirected, gateway.Pending, gateway.NotCharged},
		{"4000000000000119", gateway.Unknown, gateway.Pending, gateway.NotCharged},
		{"4000000000000127", gateway.Unknown, gateway.Approved, gateway.Approved},
		{"4000000000000259", gateway.Unknown, gateway.Approved, gateway.Approved},
		{"4000000000000358", gateway.Unknown, gateway.Pending, gateway.Pending},
	} {
		t.Run(tt.pan, func(t *testing.T) {
			t.Parallel()
			c, p := client(t, server.URL), payment(t, tt.pan)
			if tt.pan == "4000000000000259" || tt.pan == "4000000000000358" {
				c = slowClient(t, server.URL, 3*time.Second)
			}
			p.Reference = "ref-" + tt.pan
			want := p.Want
			a := c.Look(t.Context(), want)
			check.Equal(t, a.Outcome, gateway.NeverArrived, "look before paying: %v", a.Err)
			if a := c.PayCard(t.Context(), p); a.Outcome != tt.pay {
				t.Errorf("pay: %s %v, want %s", a.Outcome, a.Err, tt.pay)
			} else if a.Outcome == gateway.Redirected && a.Redirect != "https://bank.test/3ds/"+p.Reference {
				t.Errorf("redirect to %q", a.Redirect)
			}
			a = c.Look(t.Context(), want)
			check.Equal(t, a.Outcome, tt.look, "look: %v", a.Err)
			if a := c.Look(t.Context(), gateway.Want{Reference: p.Reference, Amount: 1}); tt.look == gateway.Approved && a.Outcome != gateway.Mismatch {
				t.Errorf("look for another amount: %s", a.Outcome)
			}
			a = c.Resolve(t.Context(), p.Want)
			check.Equal(t, a.Outcome, tt.resolve, "resolve: %v", a.Err)
			if a := c.PayCard(t.Context(), p); tt.resolve == gateway.NotCharged && a.Outcome != gateway.NotCharged {
				t.Errorf("pay after the reference was closed: %s", a.Outcome)
			}
		})
	}
}

func TestAPaymentThatWasNotSentIsNotCharged(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	check.Must(t, err)
	closed.Close()
	var arrived atomic.Int32
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(plain.Close)
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		name, url string
		ctx       context.Context
	}{
		{"nobody listening", "http://" + closed.Addr().String(), t.Context()},
		{"a server without TLS", strings.Replace(plain.URL, "http:", "https:", 1), t.Context()},
		{"an untrusted certificate", untrusted.URL, t.Context()},
		{"an invalid address", "http://[::1", t.Context()},
		{"a cancelled context", plain.URL, stopped},
	} {
		c := client(t, tt.url)
		a := c.PayCard(tt.ctx, payment(t, canary))
		if a.Outcome != gateway.NotCharged || a.Err == nil {
			t.Errorf("%s: got %s, %v", tt.name, a.Outcome, a.Err)
		}
		// Failing to ask about an earlier payment proves nothing about it.
		check.Equal(t, c.Look(tt.ctx, gateway.Want{Reference: "ref-1"}).Outcome, gateway.Unknown, "%s: look", tt.name)
		check.Equal(t, c.Resolve(tt.ctx, gateway.Want{Reference: "ref-1"}).Outcome, gateway.Unknown, "%s: resolve", tt.name)
	}
	check.Equal(t, arrived.Load(), 0, "requests arrived")
}

func client(t *testing.T, url string) *gateway.Client { return slowClient(t, url, 30*time.Second) }

func slowClient(t *testing.T, url string, timeout time.Duration) *gateway.Client {
	c := gateway.New(gateway.Config{URL: url, Key: secret.New("k-e-y"), Timeout: timeout})
	t.Cleanup(c.Close)
	return c
}

func payment(t *testing.T, pan string) gateway.CardPayment {
	t.Helper()
	number, err := card.ParseNumber(pan)
	check.Must(t, err)
	exp, err := typed.ParseExpiry("12/30")
	check.Must(t, err)
	cvc, err := card.ParseCVC(canaryCVC)
	check.Must(t, err)
	return gateway.CardPayment{
		Want:  gateway.Want{Reference: "ref-1", MerchantID: "panezski", TestMode: true, Amount: 1250, Currency: "AUD"},
		TrxID: "trx-1", Cardholder: "Ada", PAN: number, Exp: exp, CVC: cvc, Email: "ada@example.test", Descriptor: "LAT*panezski", ReturnURL: "http://shop.test/back",
	}
}

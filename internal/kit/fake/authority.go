package fake

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/miekg/dns"

	"forecourt/internal/kit/check"
)

// Authority is Pebble, the ACME server that Let's Encrypt uses in its tests, for which every name leads to this machine. It may be stopped.
type Authority struct {
	Directory string // the address to configure
	Stop      func() // stops the authority, so that nobody can reach it

	roots *x509.CertPool // verifies the authority's own certificate

	t                        *testing.T
	files                    map[string]string // of that certificate
	manage, listen, resolver string
	http, https              int
	output                   *output
}

// StartAuthority starts an authority that checks challenges at two ports of this machine. Sites that this process makes later trust it.
func StartAuthority(t *testing.T, httpPort, httpsPort int) *Authority {
	t.Helper()
	a := &Authority{t: t, listen: FreeAddress(t), manage: FreeAddress(t), resolver: resolve(t), http: httpPort, https: httpsPort}
	a.Directory = "https://" + a.listen + "/dir"
	a.identify()
	certmagic.DefaultACME.TrustedRoots = a.roots
	a.run()
	return a
}

// tried counts the ports that FreeAddress has tried.
var tried atomic.Int64

// FreeAddress returns a free address of this machine for a program that is started later. Its port is below those that the system hands
// out, so that no other listener or connection gets it meanwhile, and no other call returns it.
func FreeAddress(t *testing.T) string {
	t.Helper()
	const first, ports, each = 20_000, 10_000, 100 // each process begins elsewhere
	for range ports {
		address := "127.0.0.1:" + strconv.Itoa(first+(os.Getpid()*each+int(tried.Add(1)))%ports)
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
	t.Fatal("no port is free")
	return ""
}

// identify makes the certificate of the authority's own listener.
func (a *Authority) identify() {
	a.t.Helper()
	a.files = Certificate(a.t, "127.0.0.1", time.Hour)
	chain, err := os.ReadFile(a.files["TLS_CERT"])
	check.Must(a.t, err)
	a.roots = x509.NewCertPool()
	a.roots.AppendCertsFromPEM(chain)
}

func (a *Authority) run() {
	a.t.Helper()
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": a.listen, "managementListenAddress": a.manage, "httpPort": a.http, "tlsPort": a.https,
		"certificate": a.files["TLS_CERT"], "privateKey": a.files["TLS_KEY"], "keyAlgorithm": "ecdsa",
		"retryAfter": map[string]int{"authz": 1, "order": 1},
	}})
	check.Must(a.t, err)
	file := filepath.Join(a.t.TempDir(), "config.json")
	check.Must(a.t, os.WriteFile(file, config, 0o600))
	ctx, cancel := context.WithCancel(a.t.Context())
	cmd := exec.CommandContext(ctx, program(a.t), "-config", file, "-dnsserver", a.resolver)
	cmd.Env = append(cmd.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0", "PEBBLE_AUTHZREUSE=0")
	a.output = &output{}
	cmd.Stdout, cmd.Stderr = a.output, a.output
	check.Must(a.t, cmd.Start())
	a.Stop = sync.OnceFunc(func() {
		cancel()
		_ = cmd.Wait()
	})
	a.t.Cleanup(a.Stop)
	for end := time.Now().Add(2 * time.Minute); ; {
		if res, err := a.ask(a.Directory); err == nil {
			_ = res.Body.Close()
			return
		} else if time.Now().After(end) {
			a.t.Fatalf("the authority does not answer: %v\n%s", err, a.output)
		}
		<-time.After(20 * time.Millisecond)
	}
}

// program finds the Pebble that make installs.
func program(t *testing.T) string {
	t.Helper()
	for dir, _ := os.Getwd(); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, ".tools", "pebble")
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("Pebble is not installed: run make tools")
		}
	}
}

func (a *Authority) ask(address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Timeout: 10 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.roots, MinVersion: tls.VersionTLS12}},
	}
	return client.Do(req)
}

// Issued returns the root that the authority signs with.
func (a *Authority) Issued() *x509.CertPool {
	a.t.Helper()
	res, err := a.ask("https://" + a.manage + "/roots/0")
	check.Must(a.t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	roots := x509.NewCertPool()
	if err != nil || !roots.AppendCertsFromPEM(text) {
		a.t.Fatalf("no root: %v %s", err, text)
	}
	return roots
}

// Orders returns how many certificates were requested from the authority since it started.
func (a *Authority) Orders() int { return strings.Count(a.output.String(), "POST /order-plz") }

// output is what several goroutines write.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *output) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *output) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// resolve starts a name server for which every name is this machine, and returns its address.
func resolve(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // the protocol that Pebble asks over
	check.Must(t, err)
	server := &dns.Server{Listener: listener, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		answer := new(dns.Msg)
		answer.SetReply(q)
		for _, question := range q.Question {
			if question.Qtype == dns.TypeA {
				answer.Answer = append(answer.Answer, &dns.A{
					Hdr: dns.RR_Header{Name: question.Name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: net.IPv4(127, 0, 0, 1),
				})
			}
		}
		_ = w.WriteMsg(answer)
	})}
	go func() { _ = server.ActivateAndServe() }()
	t.Cleanup(func() { _ = server.Shutdown() })
	return listener.Addr().String()
}

// Package pebbletest gives a test its own authority: Pebble, the ACME server that Let's Encrypt uses in its tests.
package pebbletest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
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
)

// Authority is a Pebble for which every name leads to this machine. It may be stopped.
type Authority struct {
	Directory string // the address to configure
	Stop      func() // stops the authority, so that nobody can reach it

	roots     *x509.CertPool // verifies the authority's own certificate
	rootsFile string         // holds the same

	t                *testing.T
	folder, manage   string
	listen, resolver string
	http, https      int
	output           *log
}

// Start starts an authority that checks challenges at two ports of this machine. Sites of this process that are made later trust it.
func Start(t *testing.T, httpPort, httpsPort int) *Authority {
	t.Helper()
	a := &Authority{t: t, folder: t.TempDir(), listen: Free(t), manage: Free(t), resolver: resolve(t), http: httpPort, https: httpsPort}
	a.Directory = "https://" + a.listen + "/dir"
	a.identify()
	certmagic.DefaultACME.TrustedRoots = a.roots
	a.run()
	return a
}

// tried counts the ports that Free has tried.
var tried atomic.Int64

// Free returns a free address of this machine for a program that is started later. Its port is below those that the system hands out, so
// that no other listener or connection gets it meanwhile, and no other call returns it.
func Free(t *testing.T) string {
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
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		a.t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	a.rootsFile = filepath.Join(a.folder, "cert.pem")
	a.write("cert.pem", chain)
	a.write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	a.roots = x509.NewCertPool()
	a.roots.AppendCertsFromPEM(chain)
}

func (a *Authority) write(name string, content []byte) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, name), content, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *Authority) run() {
	a.t.Helper()
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": a.listen, "managementListenAddress": a.manage, "httpPort": a.http, "tlsPort": a.https,
		"certificate": a.rootsFile, "privateKey": filepath.Join(a.folder, "key.pem"), "keyAlgorithm": "ecdsa",
		"retryAfter": map[string]int{"authz": 1, "order": 1},
	}})
	if err != nil {
		a.t.Fatal(err)
	}
	a.write("config.json", config)
	ctx, cancel := context.WithCancel(a.t.Context())
	cmd := exec.CommandContext(ctx, program(a.t), "-config", filepath.Join(a.folder, "config.json"), "-dnsserver", a.resolver)
	cmd.Env = append(cmd.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0", "PEBBLE_AUTHZREUSE=0")
	a.output = &log{}
	cmd.Stdout, cmd.Stderr = a.output, a.output
	if err := cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
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
		if path := filepath.Join(dir, ".tools", "pebble"); exists(path) {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("Pebble is not installed: run make tools")
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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
	if err != nil {
		a.t.Fatal(err)
	}
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

// log is what several goroutines write.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

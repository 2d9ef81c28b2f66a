package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
)

// eventually waits until so returns true.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); <-time.After(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not after a minute: " + what)
		}
	}
}

// visitor returns a browser that resolves every name to address.
func visitor(address string, roots *x509.CertPool) *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, address)
			},
		},
	}
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	check.Must(t, err)
	number, err := strconv.Atoi(port)
	check.Must(t, err)
	return number
}

func TestASiteWithADomainServesHTTPS(t *testing.T) {
	t.Parallel()
	secure, plain, admin := fake.FreeAddress(t), fake.FreeAddress(t), fake.FreeAddress(t)
	pebble := fake.StartAuthority(t, portOf(t, plain), portOf(t, secure))
	values := outside(t, dbtest.URL(t), "FORECOURT_ADDR", secure+" "+plain, "FORECOURT_ADMIN_ADDR", admin, "ACME_URL", pebble.Directory,
		"SMTP_URL", "smtp://127.0.0.1:1")
	p := start(t, values, "serve", "--domain", "pay.example")
	check.Equal(t, p.ready(), "https://"+secure, "it listens on")
	browser := visitor(secure, pebble.Issued())
	eventually(t, "https", func() bool {
		res, err := browser.Get("https://pay.example/")
		if err != nil {
			return false
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK || res.ProtoMajor != 2 || res.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%d, HTTP/%d, %v", res.StatusCode, res.ProtoMajor, res.Header)
		}
		return true
	})
	if res, err := browser.Get("https://evil.example/"); err == nil {
		res.Body.Close()
		t.Error("another name got a certificate")
	}
	res, err := visitor(plain, nil).Get("http://pay.example/pos/panezski?t=4")
	check.Must(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != "https://pay.example/pos/panezski?t=4" {
		t.Errorf("http: %d to %q", res.StatusCode, res.Header.Get("Location"))
	}
	if _, figures := get(t, "http://"+admin+"/metrics"); !strings.Contains(figures, `forecourt_certificate_failing{name="pay.example"} 0`) ||
		!strings.Contains(figures, `forecourt_certificate_ends_timestamp_seconds{name="pay.example"} 1.`) {
		t.Error("the metrics do not say when the certificate ends")
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}

func TestCertificateFilesAreReadAgainWhileServing(t *testing.T) {
	t.Parallel()
	files, admin := fake.Certificate(t, "pay.example", time.Hour), fake.FreeAddress(t)
	values := outside(t, dbtest.URL(t), "FORECOURT_ADMIN_ADDR", admin, "FORECOURT_URL", "https://pay.example",
		"TLS_CERT", files["TLS_CERT"], "TLS_KEY", files["TLS_KEY"])
	p := start(t, values, "serve")
	address := strings.TrimPrefix(p.ready(), "https://")
	served := func() string {
		conn, err := tls.Dial("tcp", address, &tls.Config{ServerName: "pay.example", InsecureSkipVerify: true})
		check.Must(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].NotAfter.String()
	}
	figures := func() string {
		_, text := get(t, "http://"+admin+"/metrics")
		return text
	}
	before := served()
	check.Must(t, os.WriteFile(files["TLS_CERT"], []byte("cut off"), 0o600))
	eventually(t, "the alarm", func() bool { return strings.Contains(figures(), `forecourt_certificate_failing{name="pay.example"} 1`) })
	check.Equal(t, served(), before, "the program does not serve the old certificate")
	next := fake.Certificate(t, "pay.example", 2*time.Hour)
	for _, name := range []string{"TLS_CERT", "TLS_KEY"} {
		content, err := os.ReadFile(next[name])
		check.Must(t, err)
		check.Must(t, os.WriteFile(files[name], content, 0o600))
	}
	eventually(t, "the new certificate", func() bool { return served() != before })
	if !strings.Contains(figures(), `forecourt_certificate_failing{name="pay.example"} 0`) ||
		strings.Count(p.stderr.String(), "the new certificate cannot be used") != 1 {
		t.Errorf("the alarm is still on, or was logged more than once: %s", p.stderr)
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}

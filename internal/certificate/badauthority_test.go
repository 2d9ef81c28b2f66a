package certificate_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/internal/certificate"
	"forecourt/internal/certificate/pebbletest"
	"forecourt/internal/dbtest"
)

// liar is a front of an authority. It delivers whatever issue returns for the key of the last order.
type liar struct {
	*httptest.Server
	key   any
	issue func(key any) ([]byte, error) // nil: what the authority issued
}

func startLiar(t *testing.T, pebble *pebbletest.Authority) *liar {
	t.Helper()
	behind, err := url.Parse(pebble.Directory)
	if err != nil {
		t.Fatal(err)
	}
	l := &liar{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: behind.Scheme, Host: behind.Host}) // keeps the name that the site called
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pebble.Roots, MinVersion: tls.VersionTLS12}}
	proxy.ModifyResponse = func(res *http.Response) error {
		if l.issue == nil || !strings.HasPrefix(res.Request.URL.Path, "/certZ/") {
			return nil
		}
		body, err := l.issue(l.key)
		res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		res.Header.Del("Content-Length")
		return err
	}
	l.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && strings.HasPrefix(r.URL.Path, "/finalize-order/") {
			l.key, err = ordered(body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(l.Close)
	return l
}

// ordered returns the key that an order is for.
func ordered(body []byte) (any, error) {
	var signed struct{ Payload string }
	if err := json.Unmarshal(body, &signed); err != nil {
		return nil, err
	}
	payload, err := base64.RawURLEncoding.DecodeString(signed.Payload)
	if err != nil {
		return nil, err
	}
	var order struct{ CSR string }
	if err := json.Unmarshal(payload, &order); err != nil {
		return nil, err
	}
	der, err := base64.RawURLEncoding.DecodeString(order.CSR)
	if err != nil {
		return nil, err
	}
	request, err := x509.ParseCertificateRequest(der)
	if err != nil {
		return nil, err
	}
	return request.PublicKey, nil
}

func TestAnUnusableStoredCertificateIsReplaced(t *testing.T) {
	t.Parallel()
	pool, pebble, running := begin(t)
	running.Check(t.Context())
	for name, tt := range map[string]struct {
		ending  string
		content []byte
	}{
		"another key":    {"key", sign(t, "pay.example", 1, 24*time.Hour).key},
		"no key":         {"key", nil},
		"no certificate": {"crt", []byte("cut off")},
	} {
		keep(t, pool, tt.ending, tt.content)
		restarted := open(t, pool, pebble, listen(t), listen(t), nil)
		if restarted.log.count("WARN") != 1 || !restarted.States()[0].Ends.IsZero() {
			t.Errorf("%s: states after a restart %+v: %s", name, restarted.States(), &restarted.log.text)
		}
		orders, before := pebble.Orders(), running.shake(t, "pay.example", pebble.Issued())
		running.Check(t.Context())
		restarted.Check(t.Context())
		after, shared := running.shake(t, "pay.example", pebble.Issued()), restarted.shake(t, "pay.example", pebble.Issued())
		if before == nil || after == nil || after.Equal(before) || !after.Equal(shared) || pebble.Orders() != orders+1 || running.States()[0].Failing {
			t.Errorf("%s: served %v, then %v, %d orders: %s", name, before != nil, after != nil, pebble.Orders()-orders, &running.log.text)
		}
	}
}

func TestAUselessNewCertificateDoesNotReplaceThePresentOne(t *testing.T) {
	t.Parallel()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	pebble := startPebble(t, port(plain), port(secure))
	front, roots := startLiar(t, pebble), x509.NewCertPool()
	roots.AddCert(front.Certificate())
	through := func(c *certificate.AuthorityConfig) {
		c.Directory, c.Roots, c.FirstWait = front.URL+"/dir", roots, time.Hour
	}
	open(t, pool, pebble, plain, secure, through).Check(t.Context())
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	issue := func(name string, life time.Duration) func(any) ([]byte, error) {
		return func(key any) ([]byte, error) { return certify(signer, key, name, 2, life) }
	}
	for name, tt := range map[string]struct {
		issue  func(key any) ([]byte, error)
		serial int64 // of the certificate served afterwards
	}{
		"another name":      {issue("other.example", 24*time.Hour), 1},
		"expired":           {issue("pay.example", -time.Hour), 1},
		"another key":       {func(any) ([]byte, error) { return certify(signer, signer.Public(), "pay.example", 2, 24*time.Hour) }, 1},
		"no certificate":    {func(any) ([]byte, error) { return []byte("<html>try later</html>"), nil }, 1},
		"due, but outlasts": {issue("pay.example", 2*time.Hour), 2},
	} {
		age(t, pool)
		front.issue = tt.issue
		s, orders := open(t, pool, pebble, listen(t), listen(t), through), pebble.Orders()
		s.Check(t.Context())
		s.Check(t.Context())
		if pebble.Orders() != orders+1 || s.log.count("ERROR") != 1 || !s.States()[0].Failing {
			t.Errorf("%s: %d orders, states %+v: %s", name, pebble.Orders()-orders, s.States(), &s.log.text)
		}
		for process, a := range map[string]*site{"the running process": s, "a restarted one": open(t, pool, pebble, listen(t), listen(t), through)} {
			served, err := a.TLS().GetCertificate(&tls.ClientHelloInfo{ServerName: "pay.example"})
			if err != nil || served.Leaf.SerialNumber.Int64() != tt.serial {
				t.Errorf("%s: %s serves %v: %v", name, process, served, err)
			}
		}
	}
}

func TestRedirectsOfTheAuthorityAreNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(inner.Close)
	front := httptest.NewTLSServer(http.RedirectHandler(inner.URL, http.StatusTemporaryRedirect))
	t.Cleanup(front.Close)
	roots, plain, secure := x509.NewCertPool(), listen(t), listen(t)
	roots.AddCert(front.Certificate())
	s := open(t, dbtest.Pool(t), &pebbletest.Authority{Directory: front.URL, Roots: roots}, plain, secure, nil)
	s.Check(t.Context())
	if reached.Load() != 0 || !s.States()[0].Failing || !strings.Contains(s.log.text.String(), "the authority redirects") {
		t.Errorf("%d requests reached the inner server, states %+v: %s", reached.Load(), s.States(), &s.log.text)
	}
}

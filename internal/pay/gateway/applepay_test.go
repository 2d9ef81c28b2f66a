package gateway

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fault"
)

// identity returns a self-signed merchant identity.
func identity(t *testing.T) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check.Must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(7), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check.Must(t, err)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// validator plays Apple or a payment service and records each request with the client's certificates.
type validator struct {
	*httptest.Server
	path, host string
	body       map[string]string
	shown      int // certificates
}

func newValidator(t *testing.T, status int, answer string) *validator {
	t.Helper()
	v := &validator{}
	v.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.path, v.host, v.shown = r.URL.Path, r.Host, len(r.TLS.PeerCertificates)
		check.NoError(t, json.NewDecoder(r.Body).Decode(&v.body))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	v.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	v.StartTLS()
	t.Cleanup(v.Close)
	return v
}

// trusting sends every call to the validator, whatever its host.
func (v *validator) trusting(a *AppleSessions) *AppleSessions {
	transport := a.http.Transport.(*http.Transport)
	if transport.TLSClientConfig == nil {
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	transport.TLSClientConfig.InsecureSkipVerify = true // the server is the test's own
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, v.Listener.Addr().String())
	}
	return a
}

var request = SessionRequest{ValidationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession", Shop: "panezski", Name: "Panezski", Currency: "AUD"}

func TestAppleIsCalledWithTheMerchantIdentity(t *testing.T) {
	t.Parallel()
	v := newValidator(t, 200, `{"nonce":"n"}`)
	a := v.trusting(NewAppleSessions(New(Config{}), AppleConfig{MerchantID: "merchant.test", Certificate: identity(t), Domain: "pay.test"}))
	session, err := a.Start(t.Context(), request)
	if err != nil || string(session) != `{"nonce":"n"}` {
		t.Fatalf("%s, %v", session, err)
	}
	want := map[string]string{"merchantIdentifier": "merchant.test", "displayName": "Panezski", "initiative": "web", "initiativeContext": "pay.test"}
	if v.host != "apple-pay-gateway.apple.com" || v.path != "/paymentservices/startSession" || v.shown != 1 || len(v.body) != len(want) {
		t.Errorf("called %s%s with %d certificates and the body %v", v.host, v.path, v.shown, v.body)
	}
	for name, value := range want {
		check.Equal(t, v.body[name], value, "%s", name)
	}
}

func TestAPaymentServiceValidates(t *testing.T) {
	t.Parallel()
	v := newValidator(t, 200, `{"nonce":"n"}`)
	a := v.trusting(NewAppleSessions(New(Config{}), AppleConfig{URL: "https://service.test/base/", Certificate: identity(t), MerchantID: "merchant.test"}))
	_, err := a.Start(t.Context(), request)
	check.Must(t, err)
	if v.path != "/base/wallet/validate" || v.shown != 1 || v.body["validationURL"] != request.ValidationURL || v.body["merchantId"] != "merchant.test" || v.body["currency"] != "AUD" {
		t.Errorf("WALLET-17 called %s with %d certificates and the body %v", v.path, v.shown, v.body)
	}
}

func TestUnreadableSessionsAreRefused(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"nothing": "", "a page": "<html>", "a list": "[]", "null": "null", "an empty object": "{}", "a string": `"x"`} {
		v := newValidator(t, 200, answer)
		a := v.trusting(NewAppleSessions(New(Config{}), AppleConfig{URL: "https://service.test"}))
		if session, err := a.Start(t.Context(), request); fault.CodeOf(err) != fault.Unavailable || session != nil {
			t.Errorf("%s: %s, %v", name, session, err)
		}
	}
	v := newValidator(t, 500, `{"nonce":"n"}`)
	_, err := v.trusting(NewAppleSessions(New(Config{}), AppleConfig{URL: "https://service.test"})).Start(t.Context(), request)
	check.Equal(t, fault.CodeOf(err), fault.Unavailable, "HTTP 500: %v", err)
}

func TestOnlyApplesHostsAreCalled(t *testing.T) {
	t.Parallel()
	for _, host := range appleHosts {
		if !fromApple("https://" + host + "/paymentservices/startSession") {
			t.Errorf("%s was refused", host)
		}
	}
	v := newValidator(t, 200, `{"nonce":"n"}`)
	a := v.trusting(NewAppleSessions(New(Config{}), AppleConfig{MerchantID: "m", Certificate: identity(t)}))
	for _, address := range []string{
		"", "https://", "http://apple-pay-gateway.apple.com/", "https://apple-pay-gateway.apple.com.evil.test/", "https://apple-pay-gateway.apple.com:444/",
		"https://APPLE-PAY-GATEWAY.apple.com.evil.test/", "https://a@apple-pay-gateway.apple.com/", "https://apple-pay-gateway.apple.com./", "https://apple.com/",
		"https://evil.test/apple-pay-gateway.apple.com", "https://apple-pay-gateway.apple.com@evil.test/", "https://apple-pay-gateway.apple.com\n.evil.test/",
		"file:///etc/passwd", "//apple-pay-gateway.apple.com/", "https://127.0.0.1/",
		"https://apple-pay-gateway.apple.com\\@evil.test/", "https://[::1]/", "apple-pay-gateway.apple.com",
	} {
		other := request
		other.ValidationURL = address
		_, err := a.Start(t.Context(), other)
		check.ErrorIs(t, err, ErrNotApple, "%q", address)
	}
	check.Equal(t, v.path, "", "a host other than Apple's was called")
}

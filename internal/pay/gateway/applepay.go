package gateway

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"forecourt/internal/kit/fault"
)

// appleHosts lists all hosts at which Apple validates merchants. Apple's sheet names one of them, but the name comes through the browser,
// so we never call a host that is not on this list.
var appleHosts = []string{
	"apple-pay-gateway.apple.com",
	"apple-pay-gateway-nc-pod1.apple.com",
	"apple-pay-gateway-nc-pod2.apple.com",
	"apple-pay-gateway-nc-pod3.apple.com",
	"apple-pay-gateway-nc-pod4.apple.com",
	"apple-pay-gateway-nc-pod5.apple.com",
	"apple-pay-gateway-pr-pod1.apple.com",
	"apple-pay-gateway-pr-pod2.apple.com",
	"apple-pay-gateway-pr-pod3.apple.com",
	"apple-pay-gateway-pr-pod4.apple.com",
	"apple-pay-gateway-pr-pod5.apple.com",
	"cn-apple-pay-gateway.apple.com",
	"cn-apple-pay-gateway-sh-pod1.apple.com",
	"cn-apple-pay-gateway-sh-pod2.apple.com",
	"cn-apple-pay-gateway-sh-pod3.apple.com",
	"cn-apple-pay-gateway-tj-pod1.apple.com",
	"cn-apple-pay-gateway-tj-pod2.apple.com",
	"cn-apple-pay-gateway-tj-pod3.apple.com",
	"apple-pay-gateway-cert.apple.com",
	"cn-apple-pay-gateway-cert.apple.com",
}

// ErrNotApple is a validation address that is not one of Apple's.
var ErrNotApple = fault.New(fault.Invalid, "the validation address is not Apple's")

// AppleConfig says who validates merchants: the gateway if nothing is set.
type AppleConfig struct {
	// URL is the base address, without a trailing slash, of a payment service that validates.
	URL string `name:"APPLEPAY_URL" type:"web" unset:"GATEWAY_URL" help:"payment service that validates merchants with Apple"`
	// MerchantID is the merchant identifier under which Apple knows us; if it is "", each shop uses its own code.
	MerchantID string `name:"APPLEPAY_MERCHANT_ID" unset:"each client's code" help:"merchant identifier registered with Apple"`
	// Certificate is the merchant identity. It is presented to URL or, without one, to Apple itself.
	Certificate *tls.Certificate `kong:"-"`
	// Domain is our public host, as registered with Apple.
	Domain string `kong:"-"`
}

// AppleSessions gets the merchant sessions that Apple's payment sheet asks for.
type AppleSessions struct {
	cfg    AppleConfig
	client *Client
	http   *http.Client
}

// NewAppleSessions returns AppleSessions that validate as cfg says or, if it says nothing, through client.
func NewAppleSessions(client *Client, cfg AppleConfig) *AppleSessions {
	transport := newTransport()
	if cfg.Certificate != nil {
		transport.TLSClientConfig = &tls.Config{Certificates: []tls.Certificate{*cfg.Certificate}, MinVersion: tls.VersionTLS12}
	}
	cfg.URL = strings.TrimRight(cfg.URL, "/")
	return &AppleSessions{cfg: cfg, client: client, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// SessionRequest asks for a session of a shop. Name is what the sheet shows, ValidationURL what Apple's sheet supplied.
type SessionRequest struct{ ValidationURL, Shop, Name, Currency string }

// Start returns the merchant session, an opaque object for the sheet. Errors: ErrNotApple, fault.Unavailable.
func (a *AppleSessions) Start(ctx context.Context, r SessionRequest) (json.RawMessage, error) {
	if !fromApple(r.ValidationURL) {
		return nil, ErrNotApple
	}
	ctx, cancel := context.WithTimeout(ctx, a.client.timeout)
	defer cancel()
	session, err := a.ask(ctx, r)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "Apple Pay merchant validation")
	}
	return session, nil
}

func (a *AppleSessions) ask(ctx context.Context, r SessionRequest) (json.RawMessage, error) {
	merchant := r.Shop
	if a.cfg.MerchantID != "" {
		merchant = a.cfg.MerchantID
	}
	wire := map[string]string{"validationURL": r.ValidationURL, "merchantId": merchant, "currency": r.Currency}
	switch {
	case a.cfg.URL != "":
		return a.post(ctx, a.cfg.URL+"/wallet/validate", wire)
	case a.cfg.Certificate != nil:
		return a.post(ctx, r.ValidationURL, map[string]string{
			"merchantIdentifier": merchant, "displayName": r.Name, "initiative": "web", "initiativeContext": a.cfg.Domain,
		})
	}
	got := a.client.send(ctx, http.MethodPost, "/wallet/validate", wire)
	if got.err != nil {
		return nil, got.err
	}
	return readSession(got.status, got.body)
}

func (a *AppleSessions) post(ctx context.Context, address string, wire map[string]string) (json.RawMessage, error) {
	body, err := json.Marshal(wire)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	got := exchange(a.http, req)
	if got.err != nil {
		return nil, got.err
	}
	return readSession(got.status, got.body)
}

// readSession accepts only an object, since it is passed on to the browser.
func readSession(status int, body []byte) (json.RawMessage, error) {
	var session map[string]json.RawMessage
	switch {
	case status != http.StatusOK:
		return nil, fmt.Errorf("merchant validation answered with HTTP %d", status)
	case json.Unmarshal(body, &session) != nil || len(session) == 0:
		return nil, errors.New("merchant validation answered with no session")
	}
	return json.Marshal(session)
}

// fromApple accepts https addresses at one of Apple's hosts, spelled exactly as in the list, at the default port.
func fromApple(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.User == nil && u.Fragment == "" && slices.Contains(appleHosts, u.Host)
}

package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"forecourt/internal/kit/secret"
	"forecourt/internal/site/keys"
)

// TestMerchantID and TestPublicKey are what a demonstration starts with. The secret is left to the person who tries it.
const (
	TestMerchantID = "test-merchant"
	TestPublicKey  = "pk-test-3f1c"
)

// testMerchants have secrets that are public: /hps/merchants shows them to anybody.
var testMerchants = []keys.Merchant{
	{ID: TestMerchantID, Name: "Harbour Lane Books", PublicKey: TestPublicKey, Secrets: []secret.Text{secret.New("harbour-lane-8Q2x")}},
	{ID: "test-florist", Name: "Wattle & Fern", PublicKey: "pk-test-9b07", Secrets: []secret.Text{secret.New("wattle-fern-5Kd7")}},
}

// Know makes the hosted page serve more merchants than the sandbox's own. find returns nil for an unknown id. Call Know before serving.
func (s *Sandbox) Know(find func(ctx context.Context, id string) (*keys.Merchant, error)) {
	s.find = find
}

// merchant returns nil for an id that nobody has.
func (s *Sandbox) merchant(ctx context.Context, id string) (*keys.Merchant, error) {
	for _, m := range testMerchants {
		if m.ID == id && !s.KnownOnly {
			return &m, nil
		}
	}
	if s.find == nil || id == "" {
		return nil, nil //nolint:nilnil // a missing merchant is not an error
	}
	return s.find(ctx, id)
}

// signed appends a signature to encoded fields: the HMAC-SHA-256, in hex, of everything before it. Unlike the transaction key, which the
// customer's browser carries to the hosted page, it covers the result, and nobody can know it earlier.
func (s *Sandbox) signed(ctx context.Context, h hosted, fields url.Values) (string, error) {
	fields.Del("signature")
	text := fields.Encode()
	m, err := s.merchant(ctx, h.Merchant)
	if err != nil || m == nil {
		return text, err // without the merchant there is no secret to sign with
	}
	key, _ := m.SecretOf(keys.Input{Currency: h.Currency, Amount: amountOf(h), Reference: h.Reference}, h.sent("transactionkey"))
	sum := hmac.New(sha256.New, []byte(key.Reveal()))
	sum.Write([]byte(text))
	return text + "&signature=" + hex.EncodeToString(sum.Sum(nil)), nil
}

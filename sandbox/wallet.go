package sandbox

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"forecourt/internal/pay/gateway"
)

// walletRequest is the body of POST /api/wallet: Google Pay sends token, Apple Pay paymentData. Field names are matched
// without regard to case, as the two differ in merchantId.
type walletRequest struct {
	MerchantID     string          `json:"merchantId"`
	TransID        string          `json:"transid"`
	TRef           string          `json:"tRef"`
	Reference      string          `json:"reference"`
	Amount         gateway.Text    `json:"amount"`
	Currency       string          `json:"currency"`
	Token          json.RawMessage `json:"token"`
	PaymentData    json.RawMessage `json:"paymentData"`
	TransactionKey string          `json:"transactionkey"`
	TestMode       bool            `json:"testMode"`
	ReturnURL      string          `json:"returnUrl"`
}

// testKey starts a transaction key that was made for a transaction in test mode. A wallet payment itself does not say so.
const testKey = "test-"

// payWallet answers POST /api/wallet. What the token contains decides: "decline", "timeout" (charged, never answered),
// "uncharged" (HTTP 500, not charged), "redirect" (3-D Secure); any other is approved.
func (s *Sandbox) payWallet(w http.ResponseWriter, r *http.Request) {
	var req walletRequest
	if !read(w, r, maxBody, &req) {
		return
	}
	now, v, trxID := s.Now(), s.judgeWallet(req), req.TransID
	if trxID == "" {
		trxID = req.TRef
	}
	p, problem := s.newPayment(common{req.Reference, trxID, req.MerchantID, string(req.Amount), req.Currency, req.ReturnURL}, v, now)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	p.Wallet, p.TestMode = true, req.test()
	s.accept(w, r, p, v)
}

func (s *Sandbox) judgeWallet(req walletRequest) verdict {
	token := bytes.ToLower(append(bytes.Clone(req.Token), req.PaymentData...))
	switch {
	case !req.test() && !s.AllowLive:
		return liveRefused
	case bytes.Contains(token, []byte("decline")):
		return outcomes["4000000000000002"]
	case bytes.Contains(token, []byte("timeout")):
		return outcomes["4000000000000259"]
	case bytes.Contains(token, []byte("uncharged")):
		return outcomes["4000000000000119"]
	case bytes.Contains(token, []byte("redirect")):
		return outcomes["4000000000003220"]
	default:
		return outcomes["4111111111111111"]
	}
}

func (req walletRequest) test() bool {
	return req.TestMode || strings.HasPrefix(req.TransactionKey, testKey)
}

// walletKey answers POST /wallet/key with a key that is the same for the same payment.
func (s *Sandbox) walletKey(w http.ResponseWriter, r *http.Request) {
	var req struct {
		MerchantID string       `json:"merchantId"`
		Amount     gateway.Text `json:"amount"`
		Currency   string       `json:"currency"`
		Reference  string       `json:"reference"`
		TestMode   bool         `json:"testMode"`
		PublicKey  string       `json:"publickey"` // of an account to be tried; may be empty
		Password   string       `json:"password"`  // the account's
	}
	if !read(w, r, maxBody, &req) {
		return
	}
	if !req.TestMode && !s.AllowLive {
		answer(w, http.StatusOK, map[string]string{"status": liveRefused.code, "result": ""})
		return
	}
	mode := "live-"
	if req.TestMode {
		mode = testKey
	}
	if req.PublicKey != "" {
		known, err := s.store.knows(mode+req.PublicKey, req.Password)
		if err != nil {
			s.broken(w, r, err)
			return
		}
		if !known {
			answer(w, http.StatusOK, map[string]string{"status": "03", "result": ""})
			return
		}
	}
	mac := hmac.New(sha256.New, s.keyDigest[:])
	mac.Write([]byte(strings.Join([]string{req.MerchantID, string(req.Amount), req.Currency, req.Reference, mode}, "\x00")))
	answer(w, http.StatusOK, map[string]string{"status": "00", "result": mode + hex.EncodeToString(mac.Sum(nil))})
}

// validateMerchant answers POST /wallet/validate with a merchant session. It does not call the validation address.
func (s *Sandbox) validateMerchant(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ValidationURL string `json:"validationURL"`
		MerchantID    string `json:"merchantId"`
	}
	if !read(w, r, maxBody, &req) {
		return
	}
	if u, err := url.Parse(req.ValidationURL); err != nil || u.Scheme != "https" || u.Host == "" {
		refuse(w, http.StatusBadRequest, "validationURL is not an https address")
		return
	}
	now := s.Now()
	answer(w, http.StatusOK, map[string]any{
		"epochTimestamp":            now.UnixMilli(),
		"expiresAt":                 now.Add(time.Hour).UnixMilli(),
		"merchantSessionIdentifier": "SSH" + rand.Text(),
		"nonce":                     rand.Text(),
		"merchantIdentifier":        req.MerchantID,
		"domainName":                "sandbox.invalid",
		"displayName":               req.MerchantID,
		"signature":                 rand.Text(),
	})
}

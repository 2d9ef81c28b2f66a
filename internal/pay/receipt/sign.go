package receipt

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"time"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
)

// ErrUnreadable means that a code is not a receipt's, or was truncated or mistyped.
var ErrUnreadable = fault.New(fault.Invalid, "not the code of a receipt")

// maxCode is far more than any code has.
const maxCode = 4 << 10

// Signer signs receipts with this program's key.
type Signer struct{ key ed25519.PrivateKey }

// NewSigner returns a Signer whose key is made from a seed of 32 bytes. The same seed gives the same key.
func NewSigner(seed []byte) *Signer { return &Signer{ed25519.NewKeyFromSeed(seed)} }

// PublicPEM returns the public key in the form that openssl reads.
func (s *Signer) PublicPEM() ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(s.key.Public())
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// Sign signs the statement of a receipt.
func (s *Signer) Sign(r Receipt) Signed { return s.SignText(statementOf(r).text()) }

// SignText signs another text. Its first line has to say what it is, so that it cannot pass for something else.
func (s *Signer) SignText(text string) Signed {
	return Signed{Text: text, Signature: ed25519.Sign(s.key, []byte(text))}
}

// Holds reports whether this program's key, one of its previous keys, or one of others signed exactly this.
func (s *Signer) Holds(signed Signed, others ...ed25519.PublicKey) bool {
	keys := slices.Concat([]ed25519.PublicKey{s.key.Public().(ed25519.PublicKey)}, others)
	return slices.ContainsFunc(keys, func(key ed25519.PublicKey) bool { return ed25519.Verify(key, []byte(signed.Text), signed.Signature) })
}

// Signed is a text with what may be its signature.
type Signed struct {
	Text      string
	Signature []byte // of Ed25519, 64 bytes
}

// Code returns the text and the signature in characters that an address and a QR code can carry.
func (s Signed) Code() string {
	return encoding.EncodeToString([]byte(s.Text)) + "." + encoding.EncodeToString(s.Signature)
}

// encoding accepts only one spelling of the same bytes.
var encoding = base64.RawURLEncoding.Strict()

// Check reads a code, or an address that ends with one. It returns what the code states and whether that holds; see Holds. Errors:
// ErrUnreadable.
func (s *Signer) Check(code string) (stated Statement, holds bool, err error) {
	signed, err := ReadCode(code)
	if err != nil {
		return Statement{}, false, err
	}
	stated, err = ReadStatement(signed.Text)
	return stated, err == nil && s.Holds(signed), err
}

// ReadCode reads what Code wrote, or an address that ends with it. Errors: ErrUnreadable.
func ReadCode(code string) (Signed, error) {
	if len(code) > maxCode {
		return Signed{}, ErrUnreadable
	}
	if _, after, found := strings.Cut(code, "code="); found {
		code = after
	}
	text, signature, _ := strings.Cut(strings.TrimSpace(code), ".")
	signed, err := encoding.DecodeString(text)
	if err != nil {
		return Signed{}, ErrUnreadable
	}
	sum, err := encoding.DecodeString(signature)
	if err != nil || len(sum) != ed25519.SignatureSize {
		return Signed{}, ErrUnreadable
	}
	return Signed{Text: string(signed), Signature: sum}, nil
}

// Statement is the signed part of a receipt. Every value is one line.
type Statement struct {
	Business, ABN string
	Total         string // "11.00 AUD"
	GST           string // as Total, or "none"
	Paid          string // RFC 3339 in UTC, to the second
	With          string // "visa 1111", or "gpay"
	Transaction   string
	Mode          string // "live" or "test"
}

const title = "Forecourt receipt 1"

func statementOf(r Receipt) Statement {
	s := Statement{
		Business: singleLine(r.Business), ABN: or(singleLine(r.ABN), "none"), Total: amount(r.Amount, r.Currency), GST: "none",
		Paid: r.Paid.UTC().Format(time.RFC3339), With: string(r.Method), Transaction: r.TransactionID, Mode: "live",
	}
	if r.GST > 0 {
		s.GST = amount(r.GST, r.Currency)
	}
	if r.CardLastFour != "" {
		s.With = singleLine(or(r.CardBrand, string(r.Method)) + " " + r.CardLastFour)
	}
	if r.Test {
		s.Mode = "test"
	}
	return s
}

// fields names the values in their order.
func (s *Statement) fields() []field {
	return []field{
		{"business", &s.Business}, {"abn", &s.ABN}, {"total", &s.Total}, {"gst", &s.GST}, {"paid", &s.Paid}, {"with", &s.With},
		{"transaction", &s.Transaction}, {"mode", &s.Mode},
	}
}

type field struct {
	name  string
	value *string
}

// text returns the canonical form of a statement.
func (s Statement) text() string {
	var b strings.Builder
	b.WriteString(title + "\n")
	for _, f := range s.fields() {
		b.WriteString(f.name + ": " + *f.value + "\n")
	}
	return b.String()
}

// ReadStatement takes exactly the text that Sign signs. Errors: ErrUnreadable.
func ReadStatement(text string) (Statement, error) {
	var s Statement
	rest, found := strings.CutPrefix(text, title+"\n")
	if !found {
		return s, ErrUnreadable
	}
	for _, f := range s.fields() {
		line, after, _ := strings.Cut(rest, "\n")
		value, found := strings.CutPrefix(line, f.name+": ")
		if !found || value == "" || singleLine(value) != value {
			return Statement{}, ErrUnreadable
		}
		*f.value, rest = value, after
	}
	if s.text() != text {
		return Statement{}, ErrUnreadable
	}
	return s, nil
}

func amount(minor int64, currency string) string { return money.Wire(minor) + " " + currency }

// singleLine keeps a text from passing for two lines of a statement.
func singleLine(text string) string { return typed.OneLine(text, 100) }

package account_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// passkey is a device that makes a passkey and signs with it. Its answers have the form in which a browser passes them on.
type passkey struct {
	ID       []byte
	Count    uint32 // the counter of the next answer
	Origin   string // the origin of the asking page
	Site     string // the host for which it signs
	Owner    []byte // the account that it claims to belong to; nil is the one it was made for
	Unasked  bool   // it does not verify its person
	key      *ecdsa.PrivateKey
	userMade []byte
}

// Flags of authenticator data.
const (
	present  = 0x01
	verified = 0x04
	attested = 0x40
)

// newPasskey makes a device for this site, which passkeys know as localhost.
func newPasskey(t *testing.T, app *apptest.App) *passkey {
	t.Helper()
	at, err := url.Parse(app.URL)
	check.Must(t, err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check.Must(t, err)
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	return &passkey{ID: id, Count: 1, Origin: "http://localhost:" + at.Port(), Site: "localhost", key: key}
}

// request is a site's request to a browser.
type request struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
		User      struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"publicKey"`
}

func readRequest(t *testing.T, options string) (a request) {
	t.Helper()
	if err := json.Unmarshal([]byte(options), &a); err != nil || a.PublicKey.Challenge == "" {
		t.Fatalf("the site's request: %v\n%s", err, options)
	}
	return a
}

// Make answers a site's request for a new passkey.
func (p *passkey) Make(t *testing.T, options string) string {
	t.Helper()
	a := readRequest(t, options)
	owner, err := base64.RawURLEncoding.DecodeString(a.PublicKey.User.ID)
	check.Must(t, err)
	p.userMade = owner
	point, err := p.key.PublicKey.Bytes() // 4, x, y
	check.Must(t, err)
	data := p.data(attested)
	data = append(data, make([]byte, 16)...) // of an unknown model
	data = binary.BigEndian.AppendUint16(data, uint16(len(p.ID)))
	data = append(data, p.ID...)
	// A COSE key: EC2, ES256, P-256, x, y.
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(data, point[1:33]...)
	data = append(data, 0x22, 0x58, 0x20)
	data = append(data, point[33:]...)
	object := []byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59")
	object = binary.BigEndian.AppendUint16(object, uint16(len(data)))
	object = append(object, data...)
	p.Count++
	return p.answer(t, map[string]string{
		"clientDataJSON": encode(p.client(t, "webauthn.create", a.PublicKey.Challenge)), "attestationObject": encode(object),
	})
}

// Sign answers a site's request for a passkey.
func (p *passkey) Sign(t *testing.T, options string) string {
	t.Helper()
	client, data := p.client(t, "webauthn.get", readRequest(t, options).PublicKey.Challenge), p.data(0)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(data[:len(data):len(data)], sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, p.key, digest[:])
	check.Must(t, err)
	owner := p.Owner
	if owner == nil {
		owner = p.userMade
	}
	p.Count++
	return p.answer(t, map[string]string{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(owner),
	})
}

func (p *passkey) client(t *testing.T, kind, challenge string) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": p.Origin, "crossOrigin": false})
	check.Must(t, err)
	return text
}

func (p *passkey) data(more byte) []byte {
	site := sha256.Sum256([]byte(p.Site))
	flags := present | more
	if !p.Unasked {
		flags |= verified
	}
	return binary.BigEndian.AppendUint32(append(site[:], flags), p.Count)
}

func (p *passkey) answer(t *testing.T, response map[string]string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"id": encode(p.ID), "rawId": encode(p.ID), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{},
	})
	check.Must(t, err)
	return string(text)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

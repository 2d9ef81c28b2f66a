package secret

import (
	"crypto/aes"
	"crypto/cipher"

	"forecourt/internal/fault"
)

// Box encrypts what may be stored but not read by someone who sees only the database: AES-256-GCM with one key, derived from the
// program's secret.
type Box struct{ aead cipher.AEAD }

// NewBox takes a key of 32 bytes.
func NewBox(key []byte) (*Box, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Box{aead}, nil
}

// Seal encrypts text for one place: it opens only with the same place, so that a row cannot be moved to another owner.
func (b *Box) Seal(text []byte, place string) []byte {
	return b.aead.Seal(nil, nil, text, []byte(place)) //nolint:gosec // this kind of AEAD takes no nonce: it makes one
}

// Open decrypts what Seal made for place; fault.Internal for anything else.
func (b *Box) Open(sealed []byte, place string) ([]byte, error) {
	text, err := b.aead.Open(nil, nil, sealed, []byte(place))
	return text, fault.Wrap(fault.Internal, err, "sealed with another key or for another place")
}

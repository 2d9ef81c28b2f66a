package secret

import (
	"crypto/hmac"
	"crypto/sha256"
)

// Ring makes the keys of all purposes from the program's own secret.
type Ring struct{ secret string }

// NewRing returns the Ring of a secret.
func NewRing(secret string) Ring { return Ring{secret} }

// Key returns the key of one purpose.
func (r Ring) Key(purpose string) Key { return Derive(r.secret, purpose) }

// Box returns a box that seals and opens with the key of one purpose.
func (r Ring) Box(purpose string) *Box { return NewBox(r.Key(purpose)) }

// Key is the key of one purpose.
type Key []byte

// MAC returns the HMAC-SHA-256 of the concatenated parts.
func (k Key) MAC(parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, k)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// Signed reports whether sum is the MAC of the parts.
func (k Key) Signed(sum []byte, parts ...[]byte) bool { return hmac.Equal(sum, k.MAC(parts...)) }

package secret

import (
	"crypto/hmac"
	"crypto/sha256"
	"slices"
)

// Ring is the list of versions of the program's own secret, with the one in use first. That one seals, signs and hashes everything new;
// older versions only read. The zero Ring has no version.
type Ring struct{ versions []string }

// NewRing returns a Ring of the secret in use and the earlier ones, newest first.
func NewRing(inUse string, before ...string) Ring {
	return Ring{append([]string{inUse}, before...)}
}

// Keys returns the keys of one purpose, the one in use first.
func (r Ring) Keys(purpose string) Keys {
	keys := make(Keys, len(r.versions))
	for i, version := range r.versions {
		keys[i] = Derive(version, purpose)
	}
	return keys
}

// Box returns a box that seals with the key in use and opens with each.
func (r Ring) Box(purpose string) (*Box, error) { return NewBox(r.Keys(purpose)...) }

// Keys are the keys of one purpose, the one in use first. There is at least one.
type Keys [][]byte

// MAC returns the HMAC-SHA-256 of the concatenated parts under the key in use.
func (k Keys) MAC(parts ...[]byte) []byte { return macOf(k[0], parts) }

// MACs returns the MAC of the parts under each key.
func (k Keys) MACs(parts ...[]byte) [][]byte {
	all := make([][]byte, len(k))
	for i, key := range k {
		all[i] = macOf(key, parts)
	}
	return all
}

// Signed reports whether sum is the MAC of the parts under one of the keys.
func (k Keys) Signed(sum []byte, parts ...[]byte) bool {
	return slices.ContainsFunc(k, func(key []byte) bool { return hmac.Equal(sum, macOf(key, parts)) })
}

func macOf(key []byte, parts [][]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

package secret

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
)

// Derive makes a key of 32 bytes for one purpose out of the program's secret.
func Derive(secret, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "forecourt "+purpose, 32)
	if err != nil {
		panic(err) // only a length that no hash can make is an error
	}
	return key
}

// Fingerprint returns a name for a secret, from which nobody learns it.
func Fingerprint(secret string) string { return hex.EncodeToString(Derive(secret, "fingerprint")[:8]) }

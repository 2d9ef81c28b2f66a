package secret

import (
	"crypto/aes"
	"crypto/cipher"

	"forecourt/internal/kit/fault"
)

// Box encrypts data that somebody who sees only the database must not read. It uses AES-256-GCM with a key derived from the program's
// secret. It also opens data that other keys sealed, for Renew.
type Box struct{ aeads []cipher.AEAD }

// NewBox returns a Box with keys of 32 bytes, such as Derive returns. The first one seals.
func NewBox(keys ...[]byte) *Box {
	b := &Box{}
	for _, key := range keys {
		block, err := aes.NewCipher(key)
		if err != nil {
			panic(err) // only another length is an error
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			panic(err) // only a cipher that is not AES is an error
		}
		b.aeads = append(b.aeads, aead)
	}
	return b
}

// Seal encrypts text for one place. It opens only with the same place, so that a row cannot be moved to another owner.
func (b *Box) Seal(text []byte, place string) []byte {
	return b.aeads[0].Seal(nil, nil, text, []byte(place)) //nolint:gosec // this kind of AEAD takes no nonce: it makes one
}

// Open decrypts what Seal made for place; *LostError for anything else.
func (b *Box) Open(sealed []byte, place string) ([]byte, error) {
	text, _, err := b.open(sealed, place)
	return text, err
}

// Renew opens data that an older key sealed for place and seals it with the key in use. If the key in use sealed it, old is false and again
// is nil. Errors: those of Open.
func (b *Box) Renew(sealed []byte, place string) (again []byte, old bool, err error) {
	text, by, err := b.open(sealed, place)
	if err != nil || by == 0 {
		return nil, false, err
	}
	return b.Seal(text, place), true, nil
}

// open also returns the index of the key that opened it.
func (b *Box) open(sealed []byte, place string) (text []byte, by int, err error) {
	for by, aead := range b.aeads {
		if text, err = aead.Open(nil, nil, sealed, []byte(place)); err == nil {
			return text, by, nil
		}
	}
	return nil, 0, &LostError{place}
}

// LostError means that something was sealed with a key of another secret, or that it was changed or moved since.
type LostError struct{ Place string } // what it was sealed for

func (e *LostError) Error() string {
	return "sealed with an unknown key, or changed since (see docs/operations.md, \"Another secret\"): " + e.Place
}

// Unwrap makes it fault.Unavailable.
func (e *LostError) Unwrap() error {
	return fault.New(fault.Unavailable, "sealed with another key or for another place")
}

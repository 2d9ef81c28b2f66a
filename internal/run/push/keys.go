package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"

	"forecourt/internal/kit/secret"
)

// Keys are the VAPID keys of this program, in base64url.
type Keys struct {
	Public  string      `name:"vapid_public" unset:"derived from FORECOURT_SECRET"`
	Private secret.Text `name:"vapid_private" unset:"derived from FORECOURT_SECRET" help:"VAPID private key in base64url"`
}

// DeriveKeys derives keys from 32 secret bytes. The same bytes give the same keys.
func DeriveKeys(seed []byte) (Keys, error) {
	private, err := ecdh.P256().NewPrivateKey(seed)
	if err != nil {
		return Keys{}, errors.New("no key of the curve can be made of this")
	}
	encode := base64.RawURLEncoding.EncodeToString
	return Keys{Public: encode(private.PublicKey().Bytes()), Private: secret.New(encode(private.Bytes()))}, nil
}

// ReadKeys reads a pair as other tools print it. The error does not quote it.
func ReadKeys(public, private string) (Keys, error) {
	raw, err := decode(private)
	if err != nil {
		return Keys{}, errors.New("the private key is not base64url")
	}
	keys, err := DeriveKeys(raw)
	if err != nil {
		return Keys{}, errors.New("the private key is not 32 bytes of the curve P-256")
	}
	if given, err := decode(public); err != nil || base64.RawURLEncoding.EncodeToString(given) != keys.Public {
		return Keys{}, errors.New("the public key does not belong to the private one")
	}
	return keys, nil
}

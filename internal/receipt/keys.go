package receipt

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"

	"forecourt/internal/secret"
)

// A receipt's signature is for good: its customer has it on paper. So the public key of each secret that was replaced is kept, sealed, so
// that whoever can only write to the database cannot add one of their own.

// KeepKeys keeps the public keys of the secrets before this one. It may run at every start and in several processes at once.
func (r *Receipts) KeepKeys(ctx context.Context) error {
	var all error
	for _, key := range r.before {
		all = errors.Join(all, r.queries.ReceiptKeyAdd(ctx, key, r.box.Seal(key, KeyPlace(hex.EncodeToString(key)))))
	}
	return all
}

// CheckStored is Check, with the keys that were kept.
func (r *Receipts) CheckStored(ctx context.Context, code string) (stated Statement, holds bool, err error) {
	kept, err := r.kept(ctx)
	if err != nil {
		return Statement{}, false, err
	}
	return r.Check(code, kept...)
}

// HoldsStored is Holds, with the keys that were kept.
func (r *Receipts) HoldsStored(ctx context.Context, signed Signed) (bool, error) {
	kept, err := r.kept(ctx)
	return r.Holds(signed, kept...), err
}

// kept returns the keys that KeepKeys kept.
func (r *Receipts) kept(ctx context.Context) (keys []ed25519.PublicKey, err error) {
	rows, err := r.queries.ReceiptKeyList(ctx)
	for _, row := range rows {
		key, err := r.box.Open(row.Sealed, KeyPlace(hex.EncodeToString(row.Public)))
		if lost := new(secret.LostError); errors.As(err, &lost) || len(key) != ed25519.PublicKeySize {
			continue // it was not kept by this program
		}
		keys = append(keys, key)
	}
	return keys, err
}

// KeyPlace is what a public key, in hex, is sealed for.
func KeyPlace(public string) string { return "receipt key " + public }

package receipt

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
)

// A receipt's signature has to stay valid, because the customer may have it on paper. So the public key of each replaced secret is kept. It
// is sealed, so that access to the database is not enough to add a key.

// KeepKey stores the public key that belongs to a secret, before another secret replaces it.
func KeepKey(ctx context.Context, tx pgx.Tx, from, to secret.Ring) error {
	box := to.Box("receipt keys")
	key := NewSigner(from.Key("receipts")).key.Public().(ed25519.PublicKey)
	return db.New(tx).ReceiptKeyAdd(ctx, key, box.Seal(key, KeyPlace(hex.EncodeToString(key))))
}

// HoldsStored is like Holds, and also accepts the keys that KeepKey stored.
func (r *Receipts) HoldsStored(ctx context.Context, signed Signed) (bool, error) {
	rows, err := r.queries.ReceiptKeyList(ctx)
	var keys []ed25519.PublicKey
	for _, row := range rows {
		key, err := r.box.Open(row.Sealed, KeyPlace(hex.EncodeToString(row.Public)))
		if lost := new(secret.LostError); errors.As(err, &lost) || len(key) != ed25519.PublicKeySize {
			continue // KeepKey did not store it
		}
		keys = append(keys, key)
	}
	return r.Holds(signed, keys...), err
}

// KeyPlace returns the place for which a public key, in hex, is sealed.
func KeyPlace(public string) string { return "receipt key " + public }

package receipt

import (
	"strings"

	"forecourt/internal/kit/secret"
)

// Sealed describes the column that holds the public keys of previous secrets.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "receipt_key", Name: "sealed", Purpose: "receipt keys", Key: []secret.Part{{Name: "public", Type: "bytea"}},
		Place: func(p []string) string { return KeyPlace(strings.TrimPrefix(p[0], `\x`)) },
		Lost:  "receipts that this key signed no longer verify",
	}}
}

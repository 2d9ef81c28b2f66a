package merchant

import (
	"github.com/google/uuid"

	"forecourt/internal/kit/secret"
)

// Sealed describes the columns that hold terminal secrets.
func Sealed() []secret.Column {
	place := func(parts []string) string { return keyPlace(uuid.MustParse(parts[0])) }
	key := []secret.Part{{Name: "uuid", Type: "uuid"}}
	return []secret.Column{
		{
			Table: "merchant", Name: "key_sealed", Purpose: "terminal secrets", Key: key,
			Place: place, Lost: "an admin of the merchant makes a new secret on the dashboard",
		},
		{
			Table: "merchant", Name: "old_key_sealed", Purpose: "terminal secrets",
			Key: key, Place: place, Lost: "nothing: a newer secret replaced it",
		},
	}
}

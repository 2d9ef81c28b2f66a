package account

import (
	"github.com/google/uuid"

	"forecourt/internal/kit/secret"
)

// Sealed describes the columns that hold the keys of one-time codes.
func Sealed() []secret.Column {
	place := func(parts []string) string { return totpPlace(uuid.MustParse(parts[0])) }
	key := []secret.Part{{Name: "account_id", Type: "uuid"}}
	const lost = "the person signs in with a recovery code and moves to another app, or `forecourt user two-step EMAIL --off`"
	return []secret.Column{
		{Table: "totp", Name: "sealed", Purpose: "one-time codes", Key: key, Place: place, Lost: lost},
		{
			Table: "totp", Name: "next_sealed", Purpose: "one-time codes", Key: key,
			Place: place, Lost: "the person begins the move to another app again",
		},
	}
}

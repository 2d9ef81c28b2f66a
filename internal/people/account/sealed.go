package account

import (
	"github.com/google/uuid"

	"forecourt/internal/kit/secret"
)

// Sealed describes the columns with the keys of one-time codes and with forms that wait.
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
		{
			Table: "kept", Name: "sealed", Purpose: "kept input",
			Key: []secret.Part{{Name: "id", Type: "uuid"}}, And: []secret.Part{{Name: "account_id", Type: "uuid"}},
			Place: func(p []string) string { return keptPlace(uuid.MustParse(p[0]), uuid.MustParse(p[1])) },
			Lost:  "nothing: it is deleted within an hour, and the person types it again", Brief: true,
		},
	}
}

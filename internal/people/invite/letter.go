package invite

import (
	"context"
	"errors"

	"forecourt/db"
)

// Letter is the kind of the mail that brings a link to its user.
const Letter = "invite"

// LetterData is what its writer needs. It does not include the secret key.
type LetterData struct{ DocID string }

// Addressee returns the address of the user of a link that can still be exchanged for a token, "" if there is none.
func Addressee(ctx context.Context, queries *db.Queries, docID string) (email string, err error) {
	user, err := (&Invites{queries: queries}).find(ctx, docID)
	if errors.Is(err, ErrNoList) || errors.Is(err, ErrLink) || errors.Is(err, ErrUsed) {
		return "", nil
	}
	return user.Email, err
}

package web

import (
	"github.com/google/uuid"

	"forecourt/internal/secret"
)

// Sealed describes the columns with sealed form input, which is kept for an hour at most.
func Sealed() []secret.Column {
	const lost = "nothing: it is deleted within an hour, and the person types it again"
	return []secret.Column{
		{
			Table: "kept_input", Name: "sealed", Purpose: "kept input", Key: []secret.Part{{Name: "account_id", Type: "uuid"}, {Name: "path", Type: "text"}},
			Place: func(p []string) string { return inputPlace(uuid.MustParse(p[0]), p[1]) }, Lost: lost, Brief: true,
		},
		{
			Table: "kept_form", Name: "sealed", Purpose: "kept input", Key: []secret.Part{{Name: "id", Type: "uuid"}}, And: []secret.Part{{Name: "session", Type: "uuid"}},
			Place: func(p []string) string {
				return KeptForm{ID: uuid.MustParse(p[0])}.place(Person{Session: uuid.MustParse(p[1])})
			}, Lost: lost, Brief: true,
		},
	}
}

// inputPlace returns the context in which input is sealed, so that a row cannot be moved to another person or address.
func inputPlace(account uuid.UUID, path string) string { return account.String() + " " + path }

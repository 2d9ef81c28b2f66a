package certificate

import (
	"forecourt/internal/kit/secret"
)

// Purpose is the purpose of the key that seals accounts, keys and certificates.
const Purpose = "certificates"

// Sealed describes the column that holds accounts, keys and certificates.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "certificate_file", Name: "sealed", Purpose: Purpose, Key: []secret.Part{{Name: "key", Type: "text"}},
		Place: func(p []string) string { return place(p[0]) },
		Lost:  "nothing: the program gets another certificate",
	}}
}

package certificate

import "forecourt/internal/secret"

// Purpose is that of the key that seals what is kept for certificates.
const Purpose = "certificates"

// Sealed is the column that holds accounts, keys and certificates.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "certificate_file", Name: "sealed", Purpose: Purpose, Key: []secret.Part{{Name: "key", Type: "text"}},
		Place: func(p []string) string { return place(p[0]) },
		Lost:  "nothing: the program gets another certificate",
	}}
}

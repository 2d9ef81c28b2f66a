package formstore

import (
	"crypto/rand"
	"strings"

	"forecourt/internal/form"
)

// unambiguous are the characters of a reference: none of them looks like another one.
const unambiguous = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// newReference makes a reference that can be told on the phone: A-7KQ2-M9. The letter in front tells the form.
func newReference(k form.Kind) string {
	drawn := make([]byte, 6)
	_, _ = rand.Read(drawn) // never fails
	for i, b := range drawn {
		drawn[i] = unambiguous[b%byte(len(unambiguous))] // 32 divides 256
	}
	return k.Letter() + "-" + string(drawn[:4]) + "-" + string(drawn[4:])
}

// ParseReference reads what somebody typed as a reference, in small letters perhaps. It may still name nothing.
func ParseReference(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }

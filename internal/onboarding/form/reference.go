package form

import (
	"crypto/rand"
	"strings"
)

// unambiguous holds the characters of a reference: no two of them look alike.
const unambiguous = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// newReference makes a reference that can be read out on the phone: A-7KQ2-M9. The first letter identifies the form.
func newReference(k Kind) string {
	drawn := make([]byte, 6)
	_, _ = rand.Read(drawn) // never fails
	for i, b := range drawn {
		drawn[i] = unambiguous[b%byte(len(unambiguous))] // 32 divides 256
	}
	return k.Letter() + "-" + string(drawn[:4]) + "-" + string(drawn[4:])
}

// ParseReference normalises a typed reference, which may be in lower case. It need not exist.
func ParseReference(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }

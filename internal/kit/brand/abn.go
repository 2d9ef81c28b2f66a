package brand

import (
	"strings"

	"forecourt/internal/kit/typed"
)

// FormatABN checks the checksum of an Australian Business Number and groups its digits as the register does: "80 000 000 001". It
// accepts an empty text, which means no number, and digits as people type them.
func FormatABN(text string) (string, bool) {
	n := typed.Digits(text)
	if n == "" {
		return "", true
	}
	weights := []int{10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19}
	if len(n) != len(weights) || strings.Trim(n, "0123456789") != "" {
		return "", false
	}
	sum := -weights[0] // one is taken from the first digit
	for i, weight := range weights {
		sum += int(n[i]-'0') * weight
	}
	return n[:2] + " " + n[2:5] + " " + n[5:8] + " " + n[8:], sum%89 == 0
}

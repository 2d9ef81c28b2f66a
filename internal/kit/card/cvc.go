package card

import (
	"strings"

	"forecourt/internal/kit/secret"
)

// CVC is a card security code of 3 or 4 digits. It is never stored. The zero value means no code.
type CVC struct{ secret.Text }

// ParseCVC reads a code of 3 or 4 ASCII digits. Errors: Missing, BadText.
func ParseCVC(s string) (CVC, error) {
	if s == "" {
		return CVC{}, Missing
	}
	if len(s) < 3 || len(s) > 4 || strings.Trim(s, "0123456789") != "" {
		return CVC{}, BadText
	}
	return CVC{secret.New(s)}, nil
}

package card

import (
	"errors"
	"strings"

	"forecourt/internal/kit/secret"
)

// CVC is a card security code of 3 or 4 digits. It is never stored. The zero value means no code.
type CVC struct{ secret.Text }

// What can be wrong with a card security code.
var (
	ErrCVCEmpty  = errors.New("no card security code")
	ErrCVCDigits = errors.New("a card security code has 3 or 4 digits")
)

// ParseCVC reads a code of 3 or 4 ASCII digits; spaces around it are ignored. Its error is one of the ErrCVC errors.
func ParseCVC(s string) (CVC, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return CVC{}, ErrCVCEmpty
	}
	if len(s) < 3 || len(s) > 4 || strings.Trim(s, "0123456789") != "" {
		return CVC{}, ErrCVCDigits
	}
	return CVC{secret.New(s)}, nil
}

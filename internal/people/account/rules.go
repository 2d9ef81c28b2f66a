package account

import (
	"unicode"
	"unicode/utf8"

	"forecourt/internal/kit/secret"
)

// Kind is a kind of character that a password needs.
type Kind string

// These are the kinds, in the order in which they are asked for (AUTH-11).
const (
	Uppercase Kind = "Uppercase"
	Lowercase Kind = "Lowercase"
	Number    Kind = "Number"
	Special   Kind = "Special" // neither letter nor digit
)

// MinPassword is the least number of characters of a password (AUTH-12).
const MinPassword = 8

// PasswordCheck says what is wrong with a new password; the zero value means nothing. Only the first problem is reported, in the
// order of the fields (AUTH-14).
type PasswordCheck struct {
	Missing  []Kind
	TooLong  bool // longer than we hash
	TooShort bool
	Differs  bool // from its confirmation
	Same     bool // it is the present password
}

// OK reports whether the password may be used.
func (c PasswordCheck) OK() bool {
	return len(c.Missing) == 0 && !c.TooLong && !c.TooShort && !c.Differs && !c.Same
}

// CheckPassword checks a new password against the rules for all accounts.
func CheckPassword(password, confirm secret.Text) PasswordCheck {
	text := password.Reveal()
	var has [4]bool
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			has[0] = true
		case unicode.IsLower(r):
			has[1] = true
		case unicode.IsDigit(r):
			has[2] = true
		case !unicode.IsLetter(r):
			has[3] = true
		}
	}
	var c PasswordCheck
	for i, kind := range []Kind{Uppercase, Lowercase, Number, Special} {
		if !has[i] {
			c.Missing = append(c.Missing, kind)
		}
	}
	switch {
	case len(c.Missing) > 0:
	case utf8.RuneCountInString(text) < MinPassword:
		c.TooShort = true
	case len(text) > maxPassword:
		c.TooLong = true
	case text != confirm.Reveal():
		c.Differs = true
	}
	return c
}

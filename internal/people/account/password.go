package account

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// The least numbers of characters of a password (AUTH-12).
const (
	MinPassword  = 8
	LongPassword = 12 // of staff, and of who takes a business live
)

// fewGuesses is how many tries somebody may need who knows the person and which passwords are common. zxcvbn calls one that takes more
// safely unguessable where hashes are slow; any eight random characters do.
const fewGuesses = 1e8

// mostRated is how many characters of a password are rated: no common one is longer.
const mostRated = 40

// short reports whether a password in its one form is shorter than LongPassword.
func short(password secret.Text) bool {
	return utf8.RuneCountInString(password.Reveal()) < LongPassword
}

// newPassword returns what is wrong with a new password of an account, as CheckPassword does.
func (a *Accounts) newPassword(of db.Account, password, confirm secret.Text) fault.Problems {
	problems := CheckPassword(password, confirm)
	text := typed.Password(password)
	switch {
	case len(problems) > 0:
	case of.DemoOpen != nil:
		problems = fault.Problems{"password": "Everybody who tries the demo shares this account, so its password stays as it is."}
	case of.Staff && short(text):
		problems = fault.Problems{"password": "Staff need a password of at least 12 characters."} //nolint:gosec // a sentence
	case a.common(text.Reveal(), of.Email+" "+of.Name):
		problems = fault.Problems{"password": "This password is one of those that are tried first. Choose one that is harder to guess."}
	}
	return problems
}

// common reports whether a password is easily guessed, also from the words of its owner or of the site's name.
func (a *Accounts) common(password, words string) bool {
	if utf8.RuneCountInString(password) > mostRated {
		return false
	}
	known := strings.FieldsFunc(strings.ToLower(words+" "+a.issuer), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return zxcvbn.PasswordStrength(password, known).Guesses < fewGuesses
}

// CheckPassword returns what is wrong with a new password, by the fields password and confirm: the first problem alone (AUTH-14).
func CheckPassword(password, confirm secret.Text) fault.Problems {
	text := typed.Password(password).Reveal()
	var missing []string
	for _, kind := range []struct { // in the order in which they are asked for (AUTH-11)
		name string
		is   func(rune) bool
	}{
		{"Uppercase", unicode.IsUpper}, {"Lowercase", unicode.IsLower}, {"Number", unicode.IsDigit},
		{"Special", func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }},
	} {
		if !strings.ContainsFunc(text, kind.is) {
			missing = append(missing, kind.name)
		}
	}
	switch {
	case len(missing) > 0:
		return fault.Problems{"password": "Password requires at least " + strings.Join(missing, ", ") + " character"}
	case utf8.RuneCountInString(text) < MinPassword:
		return fault.Problems{"password": "Minimum 8 characters"} //nolint:gosec // words, no credentials
	case len(text) > maxPassword:
		return fault.Problems{"password": "Use at most 1,000 characters."} //nolint:gosec // words, no credentials
	case text != typed.Password(confirm).Reveal():
		return fault.Problems{"confirm": "Passwords don't match"}
	}
	return nil
}

// samePassword refuses the present password as a new one.
func samePassword() error {
	return fault.Problems{"password": "That is your current password. Choose another one."} //nolint:gosec // words, no credentials
}

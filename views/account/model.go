// Package account draws the sign-in and create-account screen, and the pages about an account.
package account

import (
	"net/url"

	"github.com/a-h/templ"

	"forecourt/views/ui"
)

// Panel is the fragment that swaps: the form that signs in or creates an account.
const Panel = "account-panel"

// Screen is the sign-in screen, or the one that creates an account.
type Screen struct {
	To     string // where the person goes afterwards, an address of this site
	Create bool
	Kept   bool // what was sent just now is kept until the person is signed in
	// Notice is a problem with no field of its own; empty for none.
	Notice string
	Fields []ui.Field // nil: empty ones
}

func (m Screen) fields() []ui.Field {
	if m.Fields != nil {
		return m.Fields
	}
	if m.Create {
		return SignUpFields("")
	}
	return SignInFields("")
}

// SignInFields are the fields of the sign-in form.
func SignInFields(email string) []ui.Field {
	return []ui.Field{
		emailField(email),
		{ID: "password", Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", EnterKeyHint: "go", Required: true},
	}
}

// SignUpFields are the fields of the form that creates an account.
func SignUpFields(email string) []ui.Field {
	return append([]ui.Field{emailField(email)}, NewPasswordFields()...)
}

// NewPasswordFields ask for a new password, twice.
func NewPasswordFields() []ui.Field {
	return []ui.Field{
		{
			ID: "password", Name: "password", Label: "Password", Type: "password", Autocomplete: "new-password", Required: true,
			Hint: "8 characters or more, with an uppercase and a lowercase letter, a number and a special character.",
		},
		{ID: "confirm", Name: "confirm", Label: "Confirm password", Type: "password", Autocomplete: "new-password", EnterKeyHint: "go", Required: true},
	}
}

func emailField(email string) ui.Field {
	return ui.Field{
		ID: "email", Name: "email", Label: "Email", Type: "email", Autocomplete: "username", InputMode: "email", Value: email, Required: true,
	}
}

func (m Screen) title() string {
	if m.Create {
		return "Create an account"
	}
	return "Sign in"
}

func (m Screen) action() string {
	if m.Create {
		return "/signup"
	}
	return "/signin"
}

// other is the address of the other screen, which leads to the same place in the end.
func other(m Screen, path string) templ.SafeURL {
	if m.To == "" {
		return templ.SafeURL(path)
	}
	return templ.SafeURL(path + "?" + url.Values{"to": {m.To}}.Encode())
}

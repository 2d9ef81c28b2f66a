package account

import (
	"forecourt/views/ui"
)

// SignInFields are the fields of the sign-in form.
func SignInFields(email string) []ui.Field {
	name := emailField(email)
	name.Autocomplete = "username webauthn" // browsers offer passkeys with it
	return []ui.Field{name, knownPassword("password", "Password", "go")}
}

// SignUpFields are the fields of the form that creates an account.
func SignUpFields(email string) []ui.Field {
	return append([]ui.Field{emailField(email)}, NewPasswordFields()...)
}

// JoinFields are the fields of the form that makes the account of an invited person, whose address is known.
func JoinFields() []ui.Field {
	name := NameField("")
	name.EnterKeyHint = "next"
	return append([]ui.Field{name}, NewPasswordFields()...)
}

// ResetFields are the fields of the form that asks for a link to a new password.
func ResetFields(email string) []ui.Field {
	field := emailField(email)
	field.EnterKeyHint = "send"
	return []ui.Field{field}
}

// NewPasswordFields ask for a new password, twice.
func NewPasswordFields() []ui.Field {
	return []ui.Field{
		{
			ID: "password", Name: "password", Label: "Password", Type: "password",
			Autocomplete: "new-password", EnterKeyHint: "next", Required: true,
			Hint: "8 characters or more, with an uppercase and a lowercase letter, a number and a special character.",
		},
		{
			ID: "confirm", Name: "confirm", Label: "Confirm password", Type: "password",
			Autocomplete: "new-password", EnterKeyHint: "go", Required: true,
		},
	}
}

// ChangePasswordFields ask for the password and for a new one.
func ChangePasswordFields() []ui.Field {
	fields := append([]ui.Field{knownPassword("old-password", "Current password", "next")}, NewPasswordFields()...)
	fields[1].Label, fields[2].Label = "New password", "Confirm new password"
	return fields
}

// NameField asks for a person's name.
func NameField(name string) ui.Field {
	return ui.Field{
		ID: "name", Name: "name", Label: "Name", Autocomplete: "name", EnterKeyHint: "done", Value: name,
		Hint: "How we address you. You can leave it empty.",
	}
}

func emailField(email string) ui.Field {
	return ui.Field{
		ID: "email", Name: "email", Label: "Email", Type: "email", Autocomplete: "username",
		InputMode: "email", EnterKeyHint: "next", Value: email, Required: true,
	}
}

func knownPassword(name, label, enter string) ui.Field {
	return ui.Field{
		ID: name, Name: name, Label: label, Type: "password", Autocomplete: "current-password", EnterKeyHint: enter, Required: true,
	}
}

// revealLabel names the button that shows a password; the main one of a form has the short name.
func revealLabel(f ui.Field) string {
	if f.Name == "password" {
		return "Show password"
	}
	return "Show current password"
}

package account

import (
	"time"

	"forecourt/views/ui"
)

// Prove is the page that asks people to prove again who they are.
type Prove struct {
	Email, Notice string
	Action        string        // takes the proof, and goes on with the kept form
	Back          string        // the page that it was sent from
	ProofFor      time.Duration // how long a proof holds
	Proved        bool          // done in another tab meanwhile, so nothing is asked
	Passkeys      bool          // the account has some
	PasskeyOnly   bool          // the account has no codes, so the password is not enough without a passkey
	Fields        []ui.Field
}

// ProveFields returns the fields of a proof: the password and, with a second step, a code.
func ProveFields(twoStep bool) []ui.Field {
	fields := []ui.Field{knownPassword("password", "Password", "go")}
	fields[0].Autofocus = true
	if twoStep {
		fields[0].EnterKeyHint = "next"
		fields = append(fields, eitherCode("code"))
	}
	return fields
}

// Asked returns the fields that the account has to fill in, with their problems.
func (m Prove) Asked(twoStep bool) []ui.Field {
	fields := ProveFields(twoStep)
	for i := range fields {
		if i < len(m.Fields) {
			fields[i].Problem = m.Fields[i].Problem
		}
	}
	return fields
}

// eitherCode asks for a one-time code or a recovery code.
func eitherCode(id string) ui.Field {
	either := codeField(id, "Code from your app, or a recovery code")
	either.InputMode, either.MaxLength = "", 30
	return either
}

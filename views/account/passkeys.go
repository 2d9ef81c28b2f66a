package account

import (
	"encoding/json"
	"time"

	"forecourt/internal/kit/clock"
	"forecourt/internal/people/account"
	"forecourt/views/ui"
)

// PasskeyUnusable says why a new passkey is not accepted.
const PasskeyUnusable = "This passkey cannot be used here, because the device did not ask for your " +
	"fingerprint, face or PIN. Please try another device."

// Passkeys is the page with the passkeys of an account.
type Passkeys struct {
	Done   string // what was just changed: "added", "renamed" or "removed"
	Notice string
	Work   bool // this site has passkeys
	Shared bool // the account is one of the demo's
	Keys   []account.Passkey
	Zone   *time.Location // of the person
}

// NewPasskey is the page whose script makes a passkey.
type NewPasskey struct {
	Name    ui.Field
	Notice  string
	Options json.RawMessage // for the browser
}

// PasskeyField asks for the name of a passkey.
func PasskeyField(name string) ui.Field {
	return ui.Field{
		ID: "passkey-name", Name: "name", Label: "Name", Value: name, MaxLength: 60, Required: true, Autocomplete: "off", EnterKeyHint: "go",
		Hint: "So that you recognise it in the list. Only you see it.",
	}
}

func (m Passkeys) done() string {
	return map[string]string{
		"added": "Your passkey is ready. From now on you can sign in with it.", "renamed": "The name is saved.",
		"removed": "The passkey is removed and no longer signs you in. Delete it on your device, too. Your other browsers are signed out.",
	}[m.Done]
}

// renameField is the field of one of several forms.
func renameField(k account.Passkey) ui.Field {
	field := PasskeyField(k.Name)
	field.ID, field.Hint = "name-"+k.ID.String(), ""
	field.Label = "New name"
	return field
}

func usedWords(k account.Passkey, zone *time.Location) string {
	if k.Used == nil {
		return "Added " + clock.Text(k.Made, zone) + ", not used yet"
	}
	return "Added " + clock.Text(k.Made, zone) + ", last used " + clock.Text(*k.Used, zone)
}

package account

import (
	"strings"
	"time"

	"forecourt/views/ui"
)

// Kept is the page about a form that waits.
type Kept struct {
	What, Browser string        // what the form changes, and the browser that sent it
	Ago           string        // how long ago it was sent; empty for less than a minute
	URL           string        // of this page, which discards the form by POST
	Action        string        // takes the proof, if one is asked for, and sends the form
	Lost          bool          // the form could not be kept, so there is only the proof to give
	NeedsProof    bool          // it waits for a proof; otherwise it was sent with an ended session
	Ask           bool          // the proof is still to be given
	ProofFor      time.Duration // how long a proof holds
	Email, Notice string
	Passkeys      bool // the account has some
	PasskeyOnly   bool // the account has no codes, so the password is not enough without a passkey
	Fields        []ui.Field
}

func (m Kept) title() string {
	if m.Ask {
		return "Confirm that it is you"
	}
	return "Save what you typed?"
}

func (m Kept) send() string {
	if m.NeedsProof {
		return "Confirm and continue"
	}
	return "Save it"
}

func (m Kept) when() string {
	if m.Ago == "" {
		return "just now"
	}
	return m.Ago + " ago"
}

// saving names what the forms below an address change. The first that matches counts.
var saving = []struct{ address, words string }{
	{"/account", "Your account"}, {"/merchant/admin", "Your merchant account"}, {"/compliance/", "Identity details"},
	{"/form/application/", "Application"}, {"/form/", "Your form"}, {"/staff/", "A decision"}, {"/pos/", "Kitchen"},
	{"desk/shop", "Business details"}, {"desk/menu", "Menu"}, {"desk/tables", "Tables"}, {"desk/links", "Pay links"},
	{"desk/payments/limits", "Limits of roles"}, {"desk/payments", "A payment"}, {"desk/closings", "End of day"},
	{"desk/disputes", "A dispute"}, {"desk/team", "Your team"}, {"desk/screens", "Kitchen screens"}, {"desk/live", "Going live"},
}

// Saving names what a form changes that was sent to an address of this site.
func Saving(path string) string {
	if below, desk := strings.CutPrefix(path, "/desk/"); desk {
		_, below, _ = strings.Cut(below, "/")
		path = "desk/" + below
	}
	for _, s := range saving {
		if strings.HasPrefix(path, s.address) {
			return s.words
		}
	}
	return "A form"
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
func (m Kept) Asked(twoStep bool) []ui.Field {
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

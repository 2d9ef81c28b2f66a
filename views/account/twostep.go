package account

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/views/ui"
)

// Code is the page of the second step.
type Code struct {
	To       string // where the person goes next
	Notice   string
	Passkeys bool // the account has some of this site's
	// PasskeyOnly means that it has no codes.
	PasskeyOnly bool
	Elsewhere   string // the name that all of them belong to, if it is not this site's
	Code        ui.Field
	Recovery    ui.Field
}

// NewCode returns the page with nothing typed.
func NewCode(to string) Code {
	recovery := recoveryField()
	recovery.ID, recovery.Name, recovery.Label = "recovery", "recovery", "Recovery code"
	code := codeField("code", "Code")
	code.Autofocus = true
	return Code{To: to, Code: code, Recovery: recovery}
}

// Fields returns the field of the code, for its problem.
func (m Code) Fields() []ui.Field { return []ui.Field{m.Code} }

// SignInURL is the address of the sign-in screen that leads on to a place.
func SignInURL(to string) string { return other(Screen{To: to}, "/signin") }

// TwoStepScreen is the page on which a person sets up, changes or removes the second step.
type TwoStepScreen struct {
	Email, Notice string
	To            string // where the person goes afterwards
	Removed       bool   // just now
	Moved         bool   // to another app, just now
	Lost          bool   // a recovery code was just used, so the phone may be lost
	State         account.TwoStep
	Setup         *Setup // under way
	// The fields of each form.
	Start, Confirm, Codes, Move, Remove []ui.Field
}

// TwoStepURL is the address of that page, from which a person goes on to a place.
func TwoStepURL(to string) string { return other(Screen{To: to}, "/account/two-step") }

// LostPhoneURL is the address of that page for a person who signed in with a recovery code and then wants to go to a place.
func LostPhoneURL(to string) string {
	return "/account/two-step?" + url.Values{"lost": {""}, "to": {to}}.Encode()
}

// Setup is a key of one-time codes for an app.
type Setup struct {
	Code ui.QRCode // of the address that opens the app
	Key  string    // in groups of four
}

// NewTwoStepScreen returns the page with nothing typed.
func NewTwoStepScreen() TwoStepScreen {
	either := eitherCode("code")
	move, remove := either, either
	move.ID, remove.ID = "move-code", "remove-code"
	return TwoStepScreen{
		Start:   []ui.Field{knownPassword("password", "Password", "go")},
		Confirm: []ui.Field{codeField("code", "Code from your app")},
		Codes:   []ui.Field{either},
		Move:    []ui.Field{passwordOf("move"), move},
		Remove:  []ui.Field{passwordOf("remove"), remove},
	}
}

func (m TwoStepScreen) fields() []ui.Field {
	switch {
	case m.Setup != nil:
		return m.Confirm
	case m.State.On:
		return slices.Concat(m.Codes, m.Move, m.Remove)
	default:
		return m.Start
	}
}

// Recovery shows new recovery codes, once.
type Recovery struct {
	Codes []string
	Email string // address of the account
	To    string // where the person goes on, if the second step was just set up
}

// NewRecovery reveals recovery codes to the page that shows them. to is empty for codes that replace others.
func NewRecovery(codes []secret.Text, email, to string) Recovery {
	m := Recovery{Email: email, To: to}
	for _, code := range codes {
		m.Codes = append(m.Codes, code.Reveal())
	}
	return m
}

// file returns a data: address that contains the codes as a text file, so that a browser can save them without a request.
func (m Recovery) file() templ.SafeURL {
	text := "Recovery codes of " + m.Email + ". Each signs you in once, in place of a code from your " +
		"app.\r\n\r\n" + strings.Join(m.Codes, "\r\n") + "\r\n"
	return templ.SafeURL("data:text/plain;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(text)))
}

// Grouped puts a space after every four characters.
func Grouped(key string) string {
	var b strings.Builder
	for i, r := range key {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func codeField(id, label string) ui.Field {
	return ui.Field{
		ID: id, Name: "code", Label: label, Autocomplete: "one-time-code",
		InputMode: "numeric", EnterKeyHint: "go", MaxLength: 12, Required: true,
	}
}

// passwordOf asks for the password in one of several forms of a page.
func passwordOf(form string) ui.Field {
	field := knownPassword("password", "Password", "next")
	field.ID = form + "-password"
	return field
}

// next is the page after the recovery codes.
func (m Recovery) next() string {
	if m.To == "" || m.To == "/" {
		return "/account"
	}
	return m.To
}

func recoveryField() ui.Field {
	return ui.Field{Autocomplete: "off", EnterKeyHint: "go", MaxLength: 30, Required: true, Hint: "Like abcd-efgh-jkmn-pqrs. Each works once."}
}

// factorWords says with what a browser signed in.
func factorWords(factor string) string {
	return map[string]string{"code": ", with a code from an app", "recovery": ", with a recovery code", "passkey": ", with a passkey"}[factor]
}

// left says how many recovery codes there are.
func left(n int32) string {
	if n == 0 {
		return "No recovery codes are left: make new ones."
	}
	return "You have " + ui.Count(int(n), "recovery code") + " left."
}

package account

import (
	"strings"

	"forecourt/internal/secret"
	"forecourt/views/ui"
)

// Code is the page of the second step.
type Code struct {
	To       string // where the person goes next
	Notice   string
	Code     ui.Field
	Recovery ui.Field
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

// TwoStep is the second step that an account has.
type TwoStep struct {
	On   bool
	Left int // recovery codes not used
}

// TwoStepScreen is the page on which a person sets up, changes or removes the second step.
type TwoStepScreen struct {
	Email, Notice string
	Removed       bool // just now
	State         TwoStep
	Setup         *Setup // under way
	// The fields of each form.
	Start, Confirm, Codes, Remove []ui.Field
}

// Setup is a key of one-time codes to bring into an app.
type Setup struct {
	Size           int    // of the QR code, in modules
	Path, Key, URL string // Key is in groups of four
}

// NewTwoStepScreen returns the page with nothing typed.
func NewTwoStepScreen() TwoStepScreen {
	either := eitherCode("code")
	remove := either
	remove.ID = "remove-code"
	return TwoStepScreen{
		Start:   []ui.Field{knownPassword("password", "Password", "go")},
		Confirm: []ui.Field{codeField("code", "Code from your app")},
		Codes:   []ui.Field{either},
		Remove:  []ui.Field{knownPassword("password", "Password", "next"), remove},
	}
}

func (m TwoStepScreen) fields() []ui.Field {
	switch {
	case m.State.On:
		return append(append([]ui.Field{}, m.Codes...), m.Remove...)
	case m.Setup != nil:
		return m.Confirm
	default:
		return m.Start
	}
}

// Recovery shows new recovery codes, once.
type Recovery struct {
	Codes []string
	First bool // the second step was just set up
}

// NewRecovery reveals recovery codes to the page that shows them.
func NewRecovery(codes []secret.Text, first bool) Recovery {
	m := Recovery{First: first}
	for _, code := range codes {
		m.Codes = append(m.Codes, code.Reveal())
	}
	return m
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
		ID: id, Name: "code", Label: label, Autocomplete: "one-time-code", InputMode: "numeric", EnterKeyHint: "go", MaxLength: 12, Required: true,
	}
}

func recoveryField() ui.Field {
	return ui.Field{Autocomplete: "off", EnterKeyHint: "go", MaxLength: 30, Required: true, Hint: "Like abcd-efgh-jkmn-pqrs. Each works once."}
}

// factorWords say what a browser signed in with.
func factorWords(factor string) string {
	return map[string]string{"code": ", with a code from an app", "recovery": ", with a recovery code"}[factor]
}

// left says how many recovery codes there are.
func left(n int) string {
	if n == 0 {
		return "No recovery code is left: make new ones."
	}
	return "You have " + ui.Count(n, "recovery code") + " left."
}

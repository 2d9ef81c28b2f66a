package staff

import (
	"errors"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/people/review"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// The names of the modes in forms.
const (
	TestMode = "test"
	LiveMode = "live"
)

// Accounts is a business with its accounts at the gateway.
type Accounts struct {
	Frame         layout.Site
	Name, Code    string
	Live          bool
	URL, QueueURL string
	Done          string // words for what was just done; empty for nothing
	Made          *MadeAccount
	Modes         []AccountMode
	History       []review.Event
}

// MadeAccount is an account that was just made. It is shown once.
type MadeAccount struct {
	Mode, MID string
	Password  secret.Text
}

// AccountMode is the account of a mode, or the form for one.
type AccountMode struct {
	Name, Title, Text string
	Kept              bool
	Facts             []Fact
	MID, Password     ui.Field
	Notice            string // a problem that belongs to no field
}

// AccountsOf returns the page of a business.
func AccountsOf(name, code string, live bool, kept []gatewayaccount.Kept) Accounts {
	m := Accounts{Name: name, Code: code, Live: live}
	for _, mode := range []AccountMode{
		{Name: TestMode, Title: "Test mode", Text: "For wallets in test orders. Nothing is charged. A business can go live without it."},
		{Name: LiveMode, Title: "Live payments", Text: "For the business's real payments. It cannot go live without it."},
	} {
		for _, k := range kept {
			if k.Live == (mode.Name == LiveMode) {
				mode.Kept = true
				mode.Facts = accountFacts(k)
			}
		}
		mode.MID = ui.Field{
			ID: "mid-" + mode.Name, Name: "mid", Label: "Merchant id", Autocomplete: "off", MaxLength: 64,
			Hint: "As the gateway gave it to the business.",
		}
		mode.Password = ui.Field{
			ID: "password-" + mode.Name, Name: "password", Label: "Paylink password", Type: "password", Autocomplete: "off", MaxLength: 200,
			Hint: "It is stored encrypted and never shown again.",
		}
		m.Modes = append(m.Modes, mode)
	}
	return m
}

func accountFacts(k gatewayaccount.Kept) []Fact {
	facts := []Fact{{"Merchant id", "ends in " + k.End}, {"Paylink password", "stored encrypted"}, {"Entered", When(k.SetAt)}}
	if k.SetBy != "" {
		facts = append(facts, Fact{"By", k.SetBy})
	}
	if k.Tried == nil {
		return append(facts, Fact{"Accepted by the gateway", "not tested yet"})
	}
	return append(facts, Fact{"Accepted by the gateway", When(*k.Tried)})
}

// Refuse shows what is wrong with the account of a mode, and the merchant id that was typed. The problem "" belongs to no field.
func (m *Accounts) Refuse(mode, mid string, p fault.Problems) {
	for i := range m.Modes {
		if one := &m.Modes[i]; one.Name == mode {
			one.MID.Value, one.MID.Problem, one.Password.Problem, one.Notice = mid, p["mid"], p["password"], p[""]
		}
	}
}

// AccountProblem says why an account was not kept; it is "" for another error.
func AccountProblem(err error) string {
	switch {
	case errors.Is(err, gatewayaccount.ErrRefused):
		return "The gateway does not accept this account in this mode. Check the merchant id and the " +
			"password, then try again. Nothing was changed."
	case errors.Is(err, gatewayaccount.ErrAway):
		return "The gateway did not answer, so the account could not be tested. Nothing was changed. Try again in a minute."
	case errors.Is(err, gatewayaccount.ErrNone):
		return "There is no account for this mode any more."
	case errors.Is(err, gatewayaccount.ErrSealed):
		return "The password was sealed with another secret of this program and cannot be opened. Enter the account again."
	default:
		return ""
	}
}

// AccountDone returns the text for what was just done, "" for nothing.
func AccountDone(what string) string {
	return map[string]string{
		"keep test": "The gateway accepted the account for test mode.", "keep live": "The gateway accepted the account for live payments.",
		"try test": "The gateway accepts the account for test mode.", "try live": "The gateway accepts the account for live payments.",
		"remove test": "The account for test mode was removed. Wallets are not offered in test mode.",
		"remove live": "The account for live payments was removed. Wallets are not offered.",
	}[what]
}

// AccountModes says for which modes a business has an account.
func AccountModes(test, live bool) string {
	switch {
	case test && live:
		return "Test mode and live payments"
	case live:
		return "Live payments only"
	case test:
		return "Test mode only"
	default:
		return "No account"
	}
}

// fields lists the fields of all modes, for the summary of their problems.
func (m Accounts) fields() (all []ui.Field) {
	for _, mode := range m.Modes {
		all = append(all, mode.MID, mode.Password)
	}
	return all
}

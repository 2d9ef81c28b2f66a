package staff

import (
	"errors"
	"slices"

	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/pay/settlement"
	"forecourt/views/ui"
)

// The names of the modes in forms.
const (
	TestMode = "test"
	LiveMode = "live"
)

// Accounts is a business with its accounts at the gateway.
type Accounts struct {
	gatewayaccount.History
	Frame         ui.Site
	Fees          settlement.Fees
	URL, QueueURL string
	Done          string                  // words for what was just done; empty for nothing
	Made          *gatewayaccount.Account // was just made, and is shown once
	// Refused is the mode whose account is not kept, for Problems; the one of "" belongs to no field. MID was typed.
	Refused, MID string
	Problems     fault.Problems
}

// accountMode is a mode for which a business can have an account.
type accountMode struct{ name, title, text string }

var accountModes = []accountMode{
	{TestMode, "Test mode", "For wallets in test orders. Nothing is charged. A business can go live without it."},
	{LiveMode, "Live payments", "For the business's real payments. It cannot go live without it."},
}

// kept returns the account of a mode, nil for none.
func (m Accounts) kept(mode string) *gatewayaccount.Kept {
	i := slices.IndexFunc(m.Kept, func(k gatewayaccount.Kept) bool { return k.Live == (mode == LiveMode) })
	if i < 0 {
		return nil
	}
	return &m.Kept[i]
}

// problem returns what is wrong with a field of a mode's account, "" for nothing.
func (m Accounts) problem(mode, field string) string {
	if mode != m.Refused {
		return ""
	}
	return m.Problems[field]
}

// fields are the fields for an account of a mode.
func (m Accounts) fields(mode string) []ui.Field {
	mid := ui.Field{
		ID: "mid-" + mode, Name: "mid", Label: "Merchant id", Autocomplete: "off", MaxLength: 64,
		Hint: "As the gateway gave it to the business.", Problem: m.problem(mode, "mid"),
	}
	if mode == m.Refused {
		mid.Value = m.MID
	}
	return []ui.Field{mid, {
		ID: "password-" + mode, Name: "password", Label: "Paylink password", Type: "password", Autocomplete: "off", MaxLength: 200,
		Hint: "It is stored encrypted and never shown again.", Problem: m.problem(mode, "password"),
	}}
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

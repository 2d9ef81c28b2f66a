package compliance

import (
	"slices"
	"strconv"
	"strings"

	"forecourt/db/state"
	"forecourt/views/ui"
)

// Texts of the specification, word for word (COMPL-01, COMPL-02, COMPL-10, COMPL-11).
const (
	Heading   = "Compliance Requirements"
	Lead      = "In order to finalise your application we need your assistance in obtaining some more information please."
	Next      = "Next"
	NotTicked = "Please tick the box to acknowledge"
	Tick      = "I have read and acknowledge this agreement, and may operate this account alone or " +
		"with the consent of everybody who has to sign for it."
	OtherText  = "The agreement changed while you read it. Please look at it again before you sign."
	AcceptedAt = "These details have already been accepted, so they were not changed."
	Busy       = "Many photos are arriving at the moment. Please try again in a minute. Nothing was saved."
	Unsent     = "That did not reach us. Please check your connection and try again."
)

// CutOff is the message for photos that are too large in total.
var CutOff = "Together the photos are too large: at most " + ui.MostTogether + " can be sent at a time. " +
	"Please add one at a time. What you typed is still here."

// problems holds the messages by field and code; the field "" is any.
var problems = map[string]map[string]string{
	"name": {
		"missing": "Enter the name of the account", "too long": "Use at most 64 characters for the name of the account",
		"form": "Use letters in the account name",
	},
	"bsb":          {"missing": "Enter the BSB", "form": "A BSB has 6 digits, such as 062-000"},
	"number":       {"missing": "Enter the account number", "form": "An account number has 5 to 9 digits"},
	"acknowledged": {"missing": "Please tick the box to acknowledge"},
	"street": {
		"box": "Enter a home address, not a PO box", "missing": "Enter the street and number",
		"too long": "Use at most 200 characters for the street",
	},
	"suburb": {
		"box":     "Enter the suburb where this person lives, without a PO box",
		"missing": "Enter the suburb or town", "too long": "Use at most 100 characters for the suburb",
	},
	"state": {"missing": "Choose the state or territory", "form": "Choose a state or territory of Australia"},
	"postCode": {
		"missing": "Enter the postcode", "form": "An Australian postcode has 4 digits", "too long": "Use at most 12 characters for the postcode",
	},
	"country": {"missing": "Choose the country", "form": "Choose a country from the list"},
	"dob": {
		"missing": "Enter the date of birth", "form": "Enter the date of birth, such as 31/12/1985",
		"too young": "Everybody named here has to be 18 or older",
	},
	"licenseno":    {"missing": "Enter the licence number", "form": "A licence number has 4 to 12 letters and digits"},
	"licensestate": {"missing": "Choose the state that issued the licence", "form": "Choose a state or territory of Australia"},
	"licenseexp": {
		"missing": "Enter the expiry date", "form": "Enter the expiry date, such as 31/12/2030",
		"past": "This licence has expired. Use one that is valid",
	},
	"dlfront": pictureProblems("front"),
	"dlback":  pictureProblems("back"),
}

func pictureProblems(side string) map[string]string {
	photo := "The photo of the " + side
	return map[string]string{
		"too many bytes":  photo + " is larger than " + ui.MostBytes + ". Choose a smaller one",
		"too many pixels": photo + " has more than " + ui.MostPixels + ". Choose a smaller one",
		"heic":            photo + " is in HEIC format, which we cannot read. Send a JPEG, such as a new photo taken here",
		"kind":            photo + " is in a format that we cannot open. Use JPEG, PNG or WebP",
		"moving":          photo + " is animated. Send a photo",
		"broken":          photo + " is damaged or incomplete. Choose it again or take a new one",
		"too much work":   photo + " is stored in a way that takes too long to read. Send a new photo, or save this one as an ordinary JPEG",
	}
}

// Problem says what is wrong with a field.
func Problem(field, code string) string { return problems[field][code] }

// StatusOf returns the text and the look of a person's state. lacking names what can still be added.
func StatusOf(at state.Person, complete bool, lacking []string) Status {
	switch {
	case at == state.PersonAccepted:
		return Status{"accepted", "Accepted"}
	case at == state.PersonReturned:
		return Status{"returned", "We need more"}
	case complete && slices.ContainsFunc(lacking, func(part string) bool { return !strings.Contains(part, "photo") }):
		return Status{partly, "Complete apart from what is below"}
	case complete && len(lacking) > 0:
		return Status{partly, "Complete apart from photos"}
	case complete:
		return Status{"complete", "Complete"}
	default:
		return Status{"todo", "To do"}
	}
}

// partly is the class of a person whose details count as complete although something can still be added.
const partly = "partly"

// AnswerField asks for an answer to the staff's question. typed is the answer so far, or nil.
func AnswerField(typed *string) *ui.Field {
	f := &ui.Field{
		ID: "answer", Name: "answer", Label: "Your answer (optional)", MaxLength: 2000, Autocomplete: "off",
		Hint: "We read it with the details below. It is stored encrypted.",
	}
	if typed != nil {
		f.Value = *typed
	}
	return f
}

// LackingLicence names the missing parts of a licence.
func LackingLicence(number, front, back bool) []string {
	var lacking []string
	if !number {
		lacking = append(lacking, "the licence number")
	}
	switch {
	case !front && !back:
		lacking = append(lacking, "photos of both sides of the licence")
	case !front:
		lacking = append(lacking, "a photo of the front of the licence")
	case !back:
		lacking = append(lacking, "a photo of the back of the licence")
	}
	return lacking
}

// Words for the other parts.
const (
	LackingAddress = "the address"
	LackingDob     = "the date of birth"
)

// standing says that the shown details are stored, and what can still be added. Beside problems it says nothing, because neither is true
// then.
func (p *Person) standing() string {
	for _, f := range p.problems() {
		if f.Problem != "" {
			return ""
		}
	}
	if p.Saved == "" {
		return ""
	}
	return strings.TrimSpace("Saved " + p.Saved + ". " + p.StillToAdd())
}

// StillToAdd says what can still be added, "" if nothing.
func (p *Person) StillToAdd() string {
	if len(p.Lacking) == 0 {
		return ""
	}
	last := len(p.Lacking) - 1
	list := p.Lacking[last]
	if last > 0 {
		list = strings.Join(p.Lacking[:last], ", ") + " and " + list
	}
	return "Still to add: " + list + "."
}

// progress says how far a record is.
func (p *People) progress() string {
	count := map[string]int{}
	for _, tab := range p.Tabs {
		count[tab.Status.Name]++
	}
	switch {
	case count["returned"] > 0:
		return "We need a little more from you: see below."
	case count["accepted"] == len(p.Tabs):
		return "Everybody’s identity is accepted. There is nothing more to do here."
	case p.finished():
		return "That is all we need. Thank you. We will review it and email you."
	}
	return strconv.Itoa(p.Done) + " of " + headcount(len(p.Tabs)) + " complete"
}

// finished reports whether nothing is left to do for anybody.
func (p *People) finished() bool {
	return !slices.ContainsFunc(p.Tabs, func(tab Tab) bool { return tab.Status.Name != "complete" && tab.Status.Name != "accepted" })
}

func headcount(n int) string {
	if n == 1 {
		return "1 person"
	}
	return strconv.Itoa(n) + " people"
}

// AccountFields ask for the account to debit.
func AccountFields(name, bsb, number string) []ui.Field {
	return []ui.Field{
		{ID: "name", Name: "name", Label: "Account name", Value: name, Hint: "As on your statement", Autocomplete: "off", Required: true},
		{ID: "bsb", Name: "bsb", Label: "BSB", Value: bsb, Hint: "6 digits", InputMode: "numeric", Autocomplete: "off", Required: true},
		{
			ID: "number", Name: "number", Label: "Account number", Value: number, Hint: "5 to 9 digits",
			InputMode: "numeric", Autocomplete: "off", EnterKeyHint: "done", Required: true,
		},
	}
}

// Business says which business a record is about and, if the shop has another name, which shop it is for; shop may be "".
func Business(name, shop string) string {
	if shop == "" || strings.Contains(name, shop) {
		return "For " + name
	}
	return "For " + name + " (" + shop + ")"
}

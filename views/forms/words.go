package forms

import (
	"fmt"
	"strings"

	"forecourt/internal/onboarding/form"
	"forecourt/views/ui"
)

// Texts on the pages of forms.
const (
	Welcome   = "Welcome Back! Are you ready to continue where we left off previously?"
	LetsGo    = "Let's go!"
	Oops      = "Oops, you should never see this message, so clearly there's an issue!"
	NextLabel = "Next"
	NotYet    = "Please fill required fields" // on the button while a step is not complete
	Unsent    = "We could not save this just now. What you typed is still here. Please try again in a moment."
	TooLarge  = "That was more than this form can take, so none of it was saved. What you saved before is still here."
)

// payTypesHint says who chooses which of form.PayTypeNames.
const payTypesHint = "A café with a QR menu chooses online payments: guests pay on a web page, on their own phone at the table. " +
	"In person means a card terminal on your counter; recurring, that the same customer pays again and again."

// sameName replaces a legal entity name that was left empty, as the form says.
const sameName = "The same as the trading name"

// aboutOf says what a form is for, what to have ready and how long it takes.
func aboutOf(kind form.Kind) []string {
	const kept = "Each step is saved, so you can stop and continue later."
	return map[form.Kind][]string{
		form.Application: {
			"Use this form to apply to take real payments. A person reads it and answers by email.",
			"Have the registered name of the business and the names of its directors, partners or trustees " +
				"ready. It takes about five minutes. " + kept,
		},
		form.WPTest: {
			"Use this form to ask for a test account for our shopping cart plugin.",
			"You need only the name of the business. It takes a minute.",
		},
		form.DDTest: {
			"Use this form to ask for a test account to try direct debit.",
			"You need only the name of the business. It takes two minutes.",
		},
		form.TestAccount: {
			"Use this form to ask for a test account for the services that you choose.",
			"You need only the name of the business. It takes two minutes.",
		},
	}[kind]
}

// FormTitle is the name of a form.
func FormTitle(kind form.Kind) string {
	return map[form.Kind]string{
		form.Application: "Merchant application",
		form.WPTest:      "Shopping cart test account",
		form.DDTest:      "Direct debit test account",
		form.TestAccount: "Test account",
	}[kind]
}

// titleOf is the name in the progress of a step, or of the check that follows the last step.
func titleOf(kind form.Kind, number int) string {
	asking := kind.Asking()
	if number >= len(asking) {
		return "Check and submit"
	}
	return stepTitle(asking[number])
}

// stepNames names the steps of a form and the check that follows them.
func stepNames(kind form.Kind) []string {
	var names []string
	for i := range len(kind.Asking()) + 1 {
		names = append(names, titleOf(kind, i))
	}
	return names
}

// stepTitle is the heading of a step.
func stepTitle(step form.StepID) string {
	return map[form.StepID]string{
		form.PrimaryContactStep: "Primary contact",
		form.BusinessInfoStep:   "Your business",
		form.PaymentTypesStep:   "Payment types",
		form.TestTypesStep:      "Services to test",
		form.StakeHoldersStep:   "Stakeholders",
	}[step]
}

// stepLead says below the heading what a step is about, for a type of entity.
func stepLead(step form.StepID, entity string) string {
	if step == form.StakeHoldersStep {
		return holdersLead(entity)
	}
	return map[form.StepID]string{
		form.PrimaryContactStep: "Who should we talk to about this?",
		form.BusinessInfoStep:   "Tell us about the business, as it is registered.",
	}[step]
}

// holdersLead says whom to list (FORM-45, FORM-47 to FORM-49).
func holdersLead(entity string) string {
	text, ok := map[string]string{
		form.PtyLtd:      "Please list all directors and shareholders with 25% or more of shares.",
		form.Trust:       "Please list all trustees, beneficiaries, settlors and appointors.",
		form.Partnership: "Please list all partners.",
	}[entity]
	if !ok {
		return "The people behind the business, if you want to name any."
	}
	return text
}

// roleLabel is the name of a role.
func roleLabel(role form.Role) string { return strings.ToUpper(string(role[:1])) + string(role[1:]) }

// stateLabel puts a state into words for the applicant.
func stateLabel(state form.State) string {
	return map[form.State]string{
		form.Submitted: "Waiting for review", form.Returned: "More information needed", form.Approved: "Approved", form.Declined: "Declined",
	}[state]
}

var stateTones = map[form.State]ui.Tone{
	form.Approved: ui.Good, form.Declined: ui.Warning, form.Returned: ui.Warning, form.Submitted: ui.Info,
}

func doneIcon(state form.State) string {
	if state == form.Declined {
		return "info"
	}
	return "check"
}

// doneTitle is the heading once a form was submitted.
func doneTitle(state form.State) string {
	switch state {
	case form.Approved:
		return "You are approved"
	case form.Declined:
		return "We cannot approve this"
	default:
		return "Thank you. We have everything we need"
	}
}

// nextSteps says what happens after a form was submitted.
func nextSteps(kind form.Kind, state form.State, email string) []string {
	switch {
	case state == form.Approved && kind == form.Application:
		return []string{
			"Two things are left for you: sign the direct debit agreement, and identify the people behind the business. We " +
				"emailed the link to " + email + ". It is also on the page of your business.",
			"We connect your account, and write to " + email + " when you can take payments.",
		}
	case state == form.Approved:
		return []string{"We set up the test account and send what you need to sign in to " + email + "."}
	case state == form.Declined:
		return []string{"If something has changed, write to us and quote your reference."}
	case kind == form.Application:
		return []string{
			"We sent a confirmation to " + email + ".",
			"A person reviews your application, usually within two working days.",
			"If we need anything else, we will write to you, and you can add it here.",
		}
	default:
		return []string{"We sent a confirmation to " + email + ".", "A person reviews your request, usually within one working day."}
	}
}

// onward is where an applicant can go on while staff review a form.
func onward(kind form.Kind) (url, label string) {
	if kind == form.Application {
		return "/desk", "Go to your business"
	}
	return "/merchant/admin", "Go to your integration dashboard"
}

// rowLegend names a row of several: "Contact 2".
func rowLegend(noun string, i int) string { return fmt.Sprintf("%s %d", noun, i+1) }

// contactName is the name of a contact among the answers.
func contactName(i int) string {
	if i == 0 {
		return "Primary contact"
	}
	return rowLegend("Contact", i)
}

// DecisionWords returns the words of a decision's mail: its subject, its heading and the label of its button.
func DecisionWords(state form.State) (subject, heading, button string) {
	switch state {
	case form.Approved:
		return "Your form is approved", "Good news: your form is approved", "See what happens next"
	case form.Declined:
		return "Your form is declined", "We cannot approve your form", "See the decision"
	default:
		return "We need a little more for your form", "We need a little more", "Continue your form"
	}
}

package demo

import (
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Hosted is the demo of the hosted payment page.
type Hosted struct {
	Frame    Page
	Outcome  *Outcome // what came back from the last payment; nil when there was none
	Redirect RedirectForm
	Embedded EmbeddedForm
}

// RedirectForm is posted to the hosted page once it has its key.
type RedirectForm struct {
	URL          string // the hosted page
	MerchantsURL string // where test merchants are listed; empty for none
	Own          bool   // the hosted page takes the merchants of this site
	Signed       bool
	Mine         string // the merchant of whoever is signed in; empty for none
	NotReady     string // the warning that merchant or secret is missing; empty once both are given
	Groups       []Fields
	// Key is the transactionkey; empty until the server was asked for it.
	Key     string
	Parts   []Pair // the hashed text, without the secret
	Samples []Sample
	Props   props.HostedPage
}

// Fields is a part of the form. Without a title its fields always show.
type Fields struct {
	Title  string
	Open   bool
	Fields []ui.Field
}

// Problems lists every field, for the error summary.
func (f RedirectForm) Problems() (all []ui.Field) {
	for _, g := range f.Groups {
		all = append(all, g.Fields...)
	}
	return all
}

// Sample is the request in a language.
type Sample struct{ ID, Name, Text string }

// EmbeddedForm is what the embedded checkout receives.
type EmbeddedForm struct {
	Fields   []ui.Field
	FrameURL string // shows the checkout where scripts are off; empty when only a script can
	Props    props.EmbeddedCheckout
}

// Outcome is what came back from a payment.
type Outcome struct {
	Tone  ui.Tone
	Title string
	Text  string
	// Returned came with the customer, in the address; Notified came from server to server. NotifiedText is shown instead if no
	// notification came.
	Returned, Notified []Pair
	NotifiedText       string
}

// Pair is a name and a value: of a field, or of a part of a key.
type Pair struct{ Name, Value string }

// OutcomeFor returns the text for a result of the hosted page.
func OutcomeFor(result string) Outcome {
	switch result {
	case "approved":
		return Outcome{
			Tone: ui.Good, Title: "Payment approved",
			Text: "The customer is back at processurl. Trust the notification, not the address: anybody can write an address.",
		}
	case "declined":
		return Outcome{Tone: ui.Bad, Title: "Payment declined", Text: "The bank declined, and no money was taken. Let the customer try again."}
	case "cancelled":
		return Outcome{Tone: ui.Warning, Title: "Payment cancelled", Text: "The customer is back at cancelurl. No money was taken."}
	case "failed":
		return Outcome{Tone: ui.Bad, Title: "Payment failed", Text: "The bank did not answer and no money was taken. Offer another try."}
	default:
		return Outcome{
			Tone: ui.Warning, Title: "The result is not from the hosted page", Text: "What came back is below. Ask the provider before you deliver.",
		}
	}
}

// notifiedTexts explains the hosted page's word for why there is no notification; see Outcome.NotifiedText.
var notifiedTexts = map[string]string{
	"forbidden": "The hosted page did not call notifyurl: only https on a public address is called.",
	"failed":    "The hosted page called notifyurl and got no answer with a status from 200 to 299.",
	"delivered": "The hosted page delivered its notification to another address, or more than half an hour ago.",
}

// NotifiedText says why no notification is shown.
func NotifiedText(how string) string {
	if text, ok := notifiedTexts[how]; ok {
		return text
	}
	return "No notifyurl was called for this payment."
}

// NotReady is the warning over the redirect form (HPS-08), ReloadPrompt the one over the embedded checkout (HPS-12).
const (
	NotReady     = "Please enter a Merchant_User_Id and Merchant_Secret to test this form."
	ReloadPrompt = "One or more of merchantuserid, publickey has changed, please reload the form:"
)

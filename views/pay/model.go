// Package pay draws the payment page in each of its states.
package pay

import (
	"time"

	"forecourt/db/state"
	"forecourt/views/layout"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// State names the view that a payment page shows.
type State string

// The views. Any stored status without a view of its own is shown as text.
const (
	Form      State = "form"      // to be paid
	Waiting   State = "waiting"   // a payment is under way, its outcome not known yet
	Success   State = "success"   // just paid
	Failure   State = "failure"   // declined
	Status    State = "status"    // paid, being prepared
	Completed State = "completed" // paid and done
	Refunded  State = "refunded"  // paid, and all of it given back
	Expired   State = "expired"   // an order nobody paid in time
	Text      State = "text"      // anything else
)

// Page is the payment page of one transaction.
type Page struct {
	Frame layout.Customer
	// Scripts lists every script that the page may load, by address, with its hash; a vendor's own, which changes without
	// us, has none (PCI DSS 6.4.3).
	Scripts     map[string]string
	Merchant    layout.Merchant
	State       State
	URL         string // of this page
	RetryURL    string // "Try Again?" posts here
	TrxID       string
	Amount      string // "1,000.52"
	Currency    string // "AUD"
	AmountLabel string // "$1,000.52", or "12.50 GBP"
	TestMode    bool
	Description string
	Descriptor  string // how the charge reads on the card's statement
	Table, Name string
	Link        *Link // set for a pay link, which has no lines and no menu to go back to
	Lines       []Line
	Places      []Place // the lines again, by where they are made, for State Status
	Card        CardForm
	Wallets     *props.Wallets    // State Form: wallet buttons are offered where the device has any; nil for none
	WalletDemo  *props.WalletDemo // State Form of the demo: simulated wallet buttons
	Away        bool              // State Form: payments are known not to reach the bank just now
	Notice      string            // State Form: why the last try led nowhere, worded
	Problems    []ui.Field        // fields with a problem, for the error summary
	Error       string            // why the bank refused, in the gateway's words
	Declined    string            // State Failure: what the payer's wallet wants said, beside the bank's words
	RedirectURL string            // State Waiting: "Continue to your bank"; State Success: where to go next
	CancelURL   string            // State Waiting with RedirectURL: posts "Cancel and pay another way"
	OrderAgain  string            // "Order Again" leads here
	Status      state.Transaction // State Text shows it as it is
	Contact     string            // State Waiting: whom to write to when a person has to find out; empty while the program does
	Refunded    string            // what was given back, "$12.50"; empty for nothing
	NextURL     string            // State Success: the page that shows what comes after
	PollSeconds int               // State Waiting and Status: ask again after so many seconds; 0 never
	EventsURL   string            // the stream of what this page shows next; empty when nothing is to follow
	Push        *Push             // States Success and Status: where a browser can ask to be told; nil where none can
	ReceiptURL  string            // once it is paid
	PaidAt      string            // State Completed: "20 November 2026, 6:53 pm", for the receipt; empty leaves it out
}

// Push is what a browser needs to be told when the order is ready.
type Push struct {
	URL       string // takes the token of a browser, for this order
	Project   string // that browsers register with
	PublicKey string // that they subscribe with
	Told      string // key of the browser that is told already; empty for none
}

// Link is what only a transaction has that a merchant sent as a link.
type Link struct {
	Reference  string    // the merchant's own, such as an invoice number; may be empty
	ValidUntil time.Time // when it can no longer be paid; zero for never
}

// CardForm is the card form as it stands without JavaScript.
type CardForm struct {
	Name, Email, Number, Expiry, CVC ui.Field
	Key                              string // idempotency key of this showing
	PayLabel                         string // "Pay $12.50"
	Props                            props.CardForm
}

// Fields are the form's controls in the order they are shown.
func (f *CardForm) Fields() []*ui.Field {
	return []*ui.Field{&f.Name, &f.Number, &f.Expiry, &f.CVC, &f.Email}
}

// Summary is what the error summary lists: the controls with a problem.
func (f *CardForm) Summary() []ui.Field {
	var wrong []ui.Field
	for _, field := range f.Fields() {
		if field.Problem != "" {
			wrong = append(wrong, *field)
		}
	}
	return wrong
}

// Line is one line of the order.
type Line struct {
	Name    string
	Qty     int
	Amount  string // "$12.50"
	Done    bool
	Picture layout.Picture
}

// Place is where some of the lines are made: kitchen, bar.
type Place struct {
	Name  string
	Lines []Line
	Done  bool // all of them
}

// Missing is the page for a reference that leads nowhere.
type Missing struct {
	Frame layout.Customer // of the merchant where there is one
	TrxID string
}

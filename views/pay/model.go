// Package pay renders the payment page in each of its states.
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

// These are the views. Any other stored status is shown as text.
const (
	Form        State = "form"        // to be paid
	Waiting     State = "waiting"     // a payment is in progress, its outcome not known yet
	Success     State = "success"     // just paid
	Failure     State = "failure"     // declined
	Status      State = "status"      // paid, being prepared
	Completed   State = "completed"   // paid and done
	Refunded    State = "refunded"    // paid and fully refunded
	Expired     State = "expired"     // an order that was not paid in time
	Unavailable State = "unavailable" // an order that cannot be paid, since part of it is sold out
	Text        State = "text"        // anything else
)

// Page is the payment page of one transaction.
type Page struct {
	Frame            layout.Customer
	Merchant         layout.Merchant
	State            State
	URL              string // of this page
	RetryURL         string // "Try Again?" posts here
	TrxID            string
	Amount           string // "1,000.52"
	Currency         string // "AUD"
	AmountLabel      string // "$1,000.52", or "12.50 GBP"
	TestMode         bool
	Description      string
	Descriptor       string // the charge's name on the card statement
	Table, Name      string
	Link             *Link // set for a pay link, which has no lines and no menu to go back to
	Lines            []Line
	Places           []Place // the lines again, by where they are made, for States Success and Status
	Card             CardForm
	Wallets          *props.Wallets    // State Form: wallet buttons are offered where the device has any; nil for none
	WalletDemo       *props.WalletDemo // State Form of the demo: simulated wallet buttons
	Away             bool              // State Form: we know that payments do not reach the bank just now
	Notice           string            // State Form: why the last try failed, in words
	Problems         []ui.Field        // fields with a problem, for the error summary
	Error            string            // why the bank refused, in the gateway's words
	Advice           string            // State Failure: what to do about the bank's words
	NotSent          bool              // State Failure: the bank never heard of the payment
	Returned         bool              // State Failure: money was taken and given back
	Switched         bool              // State Expired: because the business has changed between test and live
	Unconfirmed      bool              // State Expired: because nobody knows whether it was charged
	Declined         string            // State Failure: the text that the payer's wallet requires in addition to the bank's
	RedirectURL      string            // State Waiting: "Continue to your bank"; State Success: where to go next
	CancelURL        string            // State Waiting with RedirectURL: posts "Cancel and pay another way"
	MenuURL          string            // the menu, with as much of the order as can be bought now; empty for a pay link
	LeftOut          []string          // items of the order that MenuURL leaves out, since they cannot be bought now
	Gone             []string          // State Unavailable: what cannot be bought any more
	Status           state.Transaction // State Text shows it as it is
	Manual           bool              // State Waiting: a person has to decide, not the program
	Contact          string            // Manual and Unconfirmed: whom to write to; empty if the business has no address
	Refunded         string            // the refunded amount, "$12.50"; empty if none
	NextURL          string            // State Success: the page that shows what comes after
	PollSeconds      int               // State Waiting and Status: poll after this many seconds; 0 never
	EventsURL        string            // the stream of this page's next states; empty if nothing follows
	Push             *Push             // States Success and Status: where a browser can ask for a push message; nil where none can
	ReceiptURL       string            // once it is paid, for the payer only
	ReceiptElsewhere bool              // it was paid from another browser
	PaidAt           string            // State Completed: "20 November 2026, 6:53 pm", for the receipt; empty leaves it out
}

// Push is what a browser needs to receive a message when the order is ready.
type Push struct {
	URL       string // takes the token of a browser, for this order
	Project   string // that browsers register with
	PublicKey string // that they subscribe with
	Told      string // key of the browser that already receives it; empty for none
}

// Link holds the facts that only a pay link has.
type Link struct {
	Reference  string         // the merchant's own, such as an invoice number; may be empty
	ValidUntil time.Time      // when it expires; zero for never
	Zone       *time.Location // of the business
	Ended      bool           // by the business
}

// Line is one line of the order.
type Line struct {
	Name    string
	Options string // "Large, Oat milk"
	Note    string // to the kitchen
	Qty     int
	Amount  string // "$12.50"
	Done    bool
	Picture layout.Picture
}

// Place is a location that makes some of the lines: kitchen, bar.
type Place struct {
	Name  string
	Lines []Line
	Done  bool // all of them
}

// Missing is the page for a reference that does not exist.
type Missing struct {
	Frame layout.Customer // of the merchant where there is one
	TrxID string
}

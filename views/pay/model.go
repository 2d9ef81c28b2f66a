// Package pay renders the payment page in each of its states.
package pay

import (
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
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

// Page is the payment page of a transaction.
type Page struct {
	*payment.Transaction
	Frame            ui.Customer
	Merchant         ui.Merchant
	State            State
	URL              string  // of this page
	RetryURL         string  // "Try Again?" posts here
	Descriptor       string  // the charge's name on the card statement
	Places           []Place // the lines again, by where they are made, for States Success and Status
	Card             CardForm
	Wallets          *props.Wallets    // State Form: wallet buttons are offered where the device has any; nil for none
	WalletDemo       *props.WalletDemo // State Form of the demo: simulated wallet buttons
	Away             bool              // State Form: we know that payments do not reach the bank just now
	Notice           string            // State Form: why the last try failed, in words
	Problems         []ui.Field        // fields with a problem, for the error summary
	Switched         bool              // State Expired: because the business has changed between test and live
	RedirectURL      string            // State Waiting: "Continue to your bank"
	OnwardURL        string            // once it is paid: where the gateway sends the payer; empty for nowhere
	Follow           bool              // the page goes to OnwardURL by itself, after a second
	CancelURL        string            // State Waiting with RedirectURL: posts "Cancel and pay another way"
	MenuURL          string            // the menu, with as much of the order as can be bought now; empty for a pay link
	LeftOut          []string          // items of the order that MenuURL leaves out, since they cannot be bought now
	Gone             []string          // State Unavailable: what cannot be bought any more
	Manual           bool              // State Waiting: a person has to decide, not the program
	NextURL          string            // State Success: the page that shows what comes after
	PollSeconds      int               // State Waiting and Status: poll after this many seconds; 0 never
	EventsURL        string            // the stream of this page's next states; empty if nothing follows
	Push             *Push             // States Success and Status: where a browser can ask for a push message; nil where none can
	ReceiptURL       string            // once it is paid, for the payer only
	ReceiptElsewhere bool              // it was paid from another browser
}

// AmountLabel is the amount as a person reads it: "$1,000.52", or "12.50 GBP".
func (p Page) AmountLabel() string { return money.Label(p.AmountMinor, p.Currency) }

// Push is what a browser needs to receive a message when the order is ready.
type Push struct {
	URL       string // takes the token of a browser, for this order
	Project   string // that browsers register with
	PublicKey string // that they subscribe with
	Told      string // key of the browser that already receives it; empty for none
}

// Place is a location that makes some of the lines: kitchen, bar.
type Place struct {
	Name  string
	Lines []payment.Line
	// Done: nothing is left to make. Refunded: nothing was made, either.
	Done, Refunded bool
}

// Missing is the page for a reference that does not exist.
type Missing struct {
	Frame ui.Customer // of the merchant where there is one
	TrxID string
}

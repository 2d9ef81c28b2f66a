// Package receipt renders the receipt of a payment and the page that checks one.
package receipt

import (
	"forecourt/views/ui"
)

// Document is a receipt in words, as its page and its letters show it.
type Document struct {
	Heading     string // "Tax invoice" or "Receipt"
	Business    string
	ABN         string // empty for none
	Amount      string // "$11.00"
	Paid        string // "20 November 2026, 7:53 pm AEDT"
	PaidAt      string // the same for machines
	Description string
	Lines       []Line
	Tax         string // a sentence about GST; empty if there is none
	Refunded    string // the refunded amount, "$3.00"; empty if none
	Facts       []Fact
	Test        bool
}

// Line is one line of what was bought.
type Line struct {
	Name    string
	Options string // "Large, Oat milk"
	Qty     int
	Amount  string // of all of them
}

// Called returns the name of a line with its options.
func (l Line) Called() string {
	if l.Options == "" {
		return l.Name
	}
	return l.Name + " (" + l.Options + ")"
}

// Fact is a named value.
type Fact struct{ Name, Value string }

// Page is the page of one receipt, to keep and to print.
type Page struct {
	Frame    ui.Customer
	Document Document
	Path     string // of this page
	CheckURL string // whole address, which the code carries
	CodeURL  string // picture of the code
	TextURL  string // the signed text as a file
	SigURL   string // its signature as a file
	OrderURL string // the page of the payment
	Again    []Again
	Ask      ui.Field // for an address, while Again has none
	Erased   bool     // the payer's details were removed
	Sent     string   // masked address that a copy was just sent to; empty for none
	Notice   string   // why no copy was sent; empty when nothing is wrong
}

// Again is a button that sends the receipt to an address once more.
type Again struct {
	Role    string
	Address string // masked
}

// Check is the page that checks a receipt.
type Check struct {
	Frame  ui.Site
	Code   ui.Field
	File   ui.Field // for what is in the file of a closing
	Result *Result  // nil until something was checked
}

// Result is what a check found.
type Result struct {
	Holds   bool
	Closing bool // a close of day, not a receipt
	Test    bool
	Facts   []Fact // what the text says, whether or not it was signed
}

// KeyPath is the address of the public key.
const KeyPath = "/receipt/key.pem"

// Path is the page of the receipt with a token.
func Path(token string) string { return "/receipt/" + token }

// CheckPath is the page that checks a receipt.
const CheckPath = "/receipt/verify"

package receipt

import (
	"cmp"
	"strings"

	"forecourt/db"
)

// Letter is the kind of the letters that carry a receipt; their data is LetterData.
const Letter = "receipt"

// LetterData is the data of Letter.
type LetterData struct {
	Transaction string `json:"transaction"`
	Role        Role   `json:"role"`
	Again       bool   `json:"again,omitempty"` // asked for on the receipt's page, where it was counted
}

// Role is the reason why an address gets a receipt.
type Role string

// The roles.
const (
	Merchant Role = "merchant" // RCPT-01
	Customer Role = "customer" // RCPT-02: whom the gateway's response names, else whom the payment page does
	Typed    Role = "typed"    // RCPT-03: the address that the payment page names, if it is another
)

// Recipient is one mailbox.
type Recipient struct {
	Role    Role
	Address string
}

// Mailbox returns where a letter to a payer goes: to the address typed on the payment page, else to the one that the gateway named, else to
// the one given on the receipt's page. It is "" for a payer who left none, or whose details were removed.
func Mailbox(p db.Payer) string { return cmp.Or(p.Typed, p.Consumer, p.Asked) }

// Recipients lists who gets a receipt. An address with two roles gets it once, in the first.
func Recipients(merchant string, p db.Payer) []Recipient {
	var all []Recipient
	for _, r := range []Recipient{{Merchant, merchant}, {Customer, cmp.Or(p.Consumer, Mailbox(p))}, {Typed, p.Typed}} {
		if r.Address != "" && !has(all, r.Address) {
			all = append(all, r)
		}
	}
	return all
}

func has(all []Recipient, address string) bool {
	for _, r := range all {
		if strings.EqualFold(r.Address, address) {
			return true
		}
	}
	return false
}

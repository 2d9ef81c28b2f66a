package receipt

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/run/mail"
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

// Recipients lists who gets a receipt. An address with two roles gets it once, in the first.
func Recipients(merchant, customer, typed string) []Recipient {
	var all []Recipient
	for _, r := range []Recipient{{Merchant, merchant}, {Customer, or(customer, typed)}, {Typed, typed}} {
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

// Make makes the receipt of an attempt that was approved in tx and queues its letters there, so that none is sent for a payment
// that is not recorded, and none is forgotten. descriptor is how the charge appears on a statement. With a nil queue no letters are
// ordered.
func Make(ctx context.Context, tx pgx.Tx, queue *mail.Queue, attempt uuid.UUID, descriptor string) error {
	made, err := db.New(tx).ReceiptMake(ctx, attempt, rand.Text(), descriptor)
	if err != nil || queue == nil {
		return err
	}
	var letters []mail.Request
	for _, r := range Recipients(made.MerchantMail, made.ConsumerEmail, made.PayerEmail) {
		letters = append(letters, letter(made.TransactionID, r.Role, ""))
	}
	return queue.Add(ctx, tx, letters...)
}

// letter orders a receipt for a role. There is one letter for each suffix.
func letter(transaction string, role Role, suffix string) mail.Request {
	return mail.Request{
		Kind: Letter, Key: "receipt/" + transaction + "/" + string(role) + suffix,
		Data: LetterData{Transaction: transaction, Role: role},
	}
}

package receipt

import (
	"context"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

var (
	// ErrAddress means that a text is not an address to which a receipt can be sent.
	ErrAddress = fault.New(fault.Invalid, "Enter an email address, like name@example.com")
	// ErrAsked means that the receipt already has an address and takes no other.
	ErrAsked = fault.New(fault.Conflict, "the receipt has an address already")
)

// SendTo orders the receipt's letter to an address that the payer, who left none at the payment, names now. A receipt takes only one
// address ever, so that each letter to a stranger costs a payment. from is the caller's address. Errors: ErrMissing, ErrAddress, ErrAsked,
// *throttle.Error.
func (r *Receipts) SendTo(ctx context.Context, token, address string, from netip.Addr) error {
	found, err := r.Find(ctx, token)
	if err != nil {
		return err
	}
	if !typed.IsEmail(address) {
		return ErrAddress
	}
	if found.Erased || len(found.Customers()) > 0 {
		return ErrAsked
	}
	return r.order(ctx, found, Recipient{Customer, address}, from, "/asked", func(tx pgx.Tx) error {
		rows, err := db.New(tx).ReceiptAsk(ctx, &address, found.TransactionID)
		if err == nil && rows == 0 {
			err = ErrAsked
		}
		return err
	})
}

// Mask hides most of an address from people who look over a shoulder: "ann@example.com" becomes "a•••@e•••.com".
func Mask(address string) string {
	user, domain, _ := strings.Cut(address, "@")
	end := strings.LastIndexByte(domain, '.')
	return first(user) + "•••@" + first(domain) + "•••" + domain[max(end, 0):]
}

func first(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

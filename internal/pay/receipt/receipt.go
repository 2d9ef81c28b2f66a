// Package receipt makes receipts, which state who paid whom how much: letters that are ordered with the payment, a page to keep, and a
// signed text that anybody can check.
package receipt

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/run/mail"
)

// ErrMissing means that the receipt does not exist, or not under that token.
var ErrMissing = fault.New(fault.NotFound, "no such receipt")

// Receipt is the receipt of a payment (RCPT-05). Amounts are in minor units of Currency. The brand and the last four digits of the card are
// there if they are known.
type Receipt struct {
	Shop          brand.Shop // the business as it is now, for its looks
	Business      string     // its name, ABN, addresses and phone as they were
	ABN           string
	Street, Phone string // either may be empty
	MerchantMail  string // which gets a copy; "" if the business wants none
	Descriptor    string // how the charge appears on a statement (RCPT-06, RCPT-07); empty if unknown
	Token         string // who has it may read the receipt
	TransactionID string // ours
	Reference     string // the business's own, such as an invoice number
	Description   string
	OrderNo       *int32 // of a paid order, in the business's day
	Table, Name   string // of the order
	Amount, GST   int64  // GST is the part of Amount; 0 where the business charges none
	Asked         int64  // what the lines come to; a person accepted the difference
	Refunded      int64  // since the payment
	Currency      string
	Paid          time.Time // in the business's time zone
	Lines         []Line
	Method        state.Method
	CardBrand     string // as package card names it
	CardLastFour  string
	CustomerName  string
	CustomerEmail string // of the gateway's response, else the typed one, else the one named on the receipt's page
	payer         db.Payer
	// The numbers by which the gateway and the bank know the payment.
	GatewayID, GatewayReference, BankTransactionNo string
	Test                                           bool
	// Paylink says that the business itself wrote description and reference; the texts of an order are its caller's.
	Paylink bool
	// Erased says that the payer was erased. What is signed has not changed.
	Erased bool
}

// Line is one line of an order at the price it was bought at.
type Line struct {
	Name string
	Qty  int
	Each int64 // minor units, with its options
	// Options are the names of what was chosen with it: "Large, Oat milk".
	Options string
	Extra   bool // a surcharge or a tip, which has no quantity
	Untaxed bool // its price has no GST, though others have
}

// Called returns the name of a line with its options, for a sentence.
func (l Line) Called() string {
	if l.Options == "" {
		return printable.Isolated(l.Name)
	}
	return printable.Isolated(l.Name + " (" + l.Options + ")")
}

// Counted is Called with the quantity of an item, and says where a price has no GST.
func (l Line) Counted() string {
	text := l.Called()
	if !l.Extra {
		text = fmt.Sprintf("%d × %s", l.Qty, text)
	}
	if l.Untaxed {
		text += " (no GST)"
	}
	return text
}

// Read reads the receipt of a paid transaction. Errors: ErrMissing.
func Read(ctx context.Context, queries *db.Queries, transaction string) (Receipt, error) {
	row, err := queries.ReceiptGet(ctx, transaction)
	if errors.Is(err, pgx.ErrNoRows) {
		return Receipt{}, ErrMissing
	}
	if err != nil {
		return Receipt{}, err
	}
	lines, err := queries.OrderLineList(ctx, transaction, row.Receipt.ShopCode)
	if err != nil {
		return Receipt{}, err
	}
	kept := row.Receipt
	r := Receipt{
		Shop: brand.Of(row.Shop), Business: kept.Business, ABN: kept.Abn, Street: kept.Street, Phone: kept.Phone,
		MerchantMail: kept.MerchantMail, Descriptor: kept.Descriptor,
		Token: kept.Token, TransactionID: kept.TransactionID, Reference: row.ClientRef, Description: row.Description,
		OrderNo: row.OrderNo, Table: row.TableName, Name: row.CustomerName,
		Amount: row.Position.CapturedMinor, Asked: row.Position.AskedMinor, GST: row.GstMinor,
		Refunded: row.Position.RefundedMinor, Currency: row.Currency,
		Method: row.Method, CardBrand: row.CardBrand, CardLastFour: row.CardLastFour,
		CustomerName:  or(row.PayerName, row.ConsumerName),
		CustomerEmail: cmp.Or(row.Payer.Consumer, Mailbox(row.Payer)), payer: row.Payer,
		GatewayID: row.Transactionid, GatewayReference: row.GatewayReference, BankTransactionNo: row.BankTransactionNo,
		Test: row.TestMode, Paylink: row.Paylink, Erased: row.Erased,
	}
	if !row.Shop.MailReceipts {
		r.MerchantMail = ""
	}
	if row.PaidAt != nil { // a transaction with an approved attempt has it
		r.Paid = row.PaidAt.In(clock.Zone(kept.TimeZone))
	}
	for _, line := range lines {
		r.Lines = append(r.Lines, Line{
			Name: line.Name, Qty: int(line.Qty), Each: line.PriceMinor, Options: db.OptionNames(line.Options), Extra: line.Status == state.LineExtra,
			Untaxed: row.GstMinor != 0 && line.TaxedMinor != nil && *line.TaxedMinor == 0 && line.PriceMinor > 0,
		})
	}
	return r, nil
}

// The lengths of texts in letters, in characters: of what a payer or an anonymous caller wrote, and of a business's name and address.
const (
	MostTyped    = 60
	MostBusiness = 80
	MostStreet   = 120
)

// ForMail returns the receipt for a letter: texts of a payer or an anonymous caller are cut short, and link to no site.
func (r Receipt) ForMail() Receipt {
	r.Business = printable.Isolated(printable.Unlinked(r.Business, MostBusiness))
	r.Shop.Name = printable.Isolated(printable.Unlinked(r.Shop.Name, MostBusiness))
	r.Street = printable.Isolated(printable.Unlinked(r.Street, MostStreet))
	typed := []*string{&r.Table, &r.Name, &r.CustomerName}
	if !r.Paylink {
		typed = append(typed, &r.Description, &r.Reference)
	}
	for _, text := range typed {
		*text = printable.Isolated(printable.Unlinked(*text, MostTyped))
	}
	return r
}

// Recipients returns the mailboxes that the receipt may go to.
func (r Receipt) Recipients() []Recipient {
	return Recipients(r.MerchantMail, r.payer)
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
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
	for _, r := range Recipients(made.MerchantMail, db.Payer{Typed: made.PayerEmail, Consumer: made.ConsumerEmail}) {
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

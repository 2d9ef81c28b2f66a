package order

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"forecourt/db"
	"forecourt/internal/card"
	"forecourt/internal/fault"
	"forecourt/internal/money"
	"forecourt/internal/printable"
)

// Line asks for Qty (1 to MaxQty) of an item named by its id or, where ID is 0, by its name.
type Line struct {
	ID   int64
	Name string
	Qty  int
}

// Request is an order as it was asked for. Nothing in it decides a price or a mode.
type Request struct {
	Client      string
	Lines       []Line
	Amount      *int64 // minor units the customer was shown, nil when not told
	Name, Table string // at most 64 characters each
	Description string
	Source      string
	TrxRef      string
	PushToken   string // key of a push registration, empty for none
	Key         string // Idempotency-Key, empty for none
}

// Why an order is refused, where the customer can do something about it.
var (
	// ErrEmpty means that the order has no lines.
	ErrEmpty = fault.New(fault.Invalid, "the order is empty")
	// ErrPaused means that the business takes no orders while no kitchen screen is watching.
	ErrPaused = fault.New(fault.Conflict, "no kitchen screen looks")
	// ErrKeyUsed means that the key was used before with other content.
	ErrKeyUsed = fault.New(fault.Invalid, "the idempotency key was used for another order")
	// ErrKey means that the key is not valid.
	ErrKey = fault.New(fault.Invalid, "an idempotency key has 1 to 255 printable ASCII characters")
)

// UnavailableError names the items that are not available.
type UnavailableError struct {
	IDs   []int64 // those that are known
	Names []string
}

func (e *UnavailableError) Error() string { return "not available: " + strings.Join(e.Names, ", ") }

// Unwrap makes it a conflict.
func (e *UnavailableError) Unwrap() error {
	return fault.New(fault.Conflict, "an item is not available")
}

// AmountError holds the price of the order when the customer was shown a different one.
type AmountError struct {
	Amount int64 // minor units
}

func (e *AmountError) Error() string { return "the order costs " + money.Wire(e.Amount) }

// Unwrap makes it a conflict.
func (e *AmountError) Unwrap() error { return fault.New(fault.Conflict, "the amount differs") }

// CardNumberError means that Field, "name", "table" or "description", holds a card number, which must not be stored.
type CardNumberError struct{ Field string }

func (e *CardNumberError) Error() string { return "a card number in the " + e.Field }

// Unwrap makes it invalid.
func (e *CardNumberError) Unwrap() error { return fault.New(fault.Invalid, "it holds a card number") }

func (r *Request) check() error {
	if !printable.Line(r.Client, maxCode) {
		return fault.New(fault.NotFound, "no client can have this code")
	}
	if len(r.Lines) == 0 {
		return ErrEmpty
	}
	if len(r.Lines) > maxLines {
		return fault.New(fault.Invalid, "an order has at most %d lines", maxLines)
	}
	seen := map[Line]bool{}
	for _, line := range r.Lines {
		if line.Qty < 1 || line.Qty > MaxQty {
			return fault.New(fault.Invalid, "a quantity is from 1 to %d", MaxQty)
		}
		item := Line{ID: line.ID, Name: line.Name}
		if line.ID < 0 || line.ID == 0 && line.Name == "" || !printable.Line(line.Name, 200) || seen[item] {
			return fault.New(fault.Invalid, "each line names one item, once")
		}
		seen[item] = true
	}
	for _, text := range []string{r.Name, r.Table} {
		if !printable.Line(text, 64) {
			return fault.New(fault.Invalid, "name and table have at most 64 printable characters")
		}
	}
	for _, text := range []struct{ field, value string }{{"name", r.Name}, {"table", r.Table}, {"description", r.Description}} {
		if card.HoldsNumber(text.value) {
			return &CardNumberError{Field: text.field}
		}
	}
	for _, text := range []string{r.Description, r.Source, r.TrxRef, r.PushToken} {
		if !printable.Line(text, 1024) {
			return fault.New(fault.Invalid, "a text is too long or not printable")
		}
	}
	if r.Key != "" && !ValidKey(r.Key) {
		return ErrKey
	}
	return nil
}

// ValidKey reports whether s can be an idempotency key: 1 to 255 printable ASCII characters.
func ValidKey(s string) bool {
	return s != "" && len(s) <= 255 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func (r *Request) params() db.TransactionCreateOrderParams {
	p := db.TransactionCreateOrderParams{
		ID: rand.Text(), ClientCode: r.Client, Amount: r.Amount, Description: r.Description, Source: r.Source,
		TrxRef: r.TrxRef, TableName: r.Table, CustomerName: r.Name, PushToken: r.PushToken, Key: r.Key,
		ContentHash: r.hash(), Kind: kindOf(r.TrxRef, r.Source),
	}
	for _, line := range r.Lines {
		p.ItemIds = append(p.ItemIds, line.ID)
		p.Qtys = append(p.Qtys, int32(line.Qty)) //nolint:gosec // checked: 1 to 99
	}
	return p
}

// IsPaylink reports whether a transaction is a pay link, which waits for its payer indefinitely, rather than an order (PAY-49):
// orders from a menu have the source "diy-pos", those of other tills the reference POS or QR.
func IsPaylink(trxRef, source string) bool {
	return source != "diy-pos" && trxRef != "" && trxRef != "POS" && trxRef != "QR"
}

// kindOf returns the kind under which a transaction is stored: an order that nobody pays within two hours expires.
func kindOf(trxRef, source string) string {
	if IsPaylink(trxRef, source) {
		return "link"
	}
	return "order"
}

// hash hashes what makes two orders the same. It leaves out the push token: a browser may get one between two tries.
func (r *Request) hash() []byte {
	content := *r
	content.Key, content.PushToken = "", ""
	content.Lines = slices.SortedFunc(slices.Values(r.Lines), func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	text, err := json.Marshal(content)
	if err != nil {
		panic(err) // strings and numbers only
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

package payment

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/brand"
)

// Transaction is a transaction as its payment page shows it.
type Transaction struct {
	ID               string
	Shop             brand.Shop
	Status           state.Transaction
	AmountMinor      int64
	RefundsDoneMinor int64 // excludes what a refund has only reserved so far
	Currency         string
	CountryCode      string
	TestMode         bool
	Description      string
	Reference        string // the business's own, such as an invoice number
	Origin           string // the trxRef it was made with
	GatewayID        string // the gateway's id of the payment; empty until it is known
	Code             string // the gateway's answer
	Error            string // why the bank refused, in the gateway's words
	Returned         bool   // it did not go through, and what was taken was refunded
	Unconfirmed      bool   // it ended without the gateway's word on whether it was charged
	Table, Name      string // whose order it is
	PushToken        string // of the browser that is notified when the order is ready; may be empty
	ReceiptToken     string // of the receipt's address; empty while there is none
	Paylink          bool   // whether there is a paylink key for its mode, so that wallets can pay it
	Link             *Link  // nil for an order
	Lines            []Line // of an order
	Attempt          Attempt
	Paid             uuid.UUID // the attempt that paid it; uuid.Nil while none did
	Now              time.Time // by the database's clock
	CreatedAt        time.Time
	PaidAt           time.Time // zero while it is not paid
	Overdue          bool      // new, but its time has passed
	InQuestion       bool      // the gateway's ledger and our books differ about it: it must not be paid
}

// Link holds the fields that only a pay link has.
type Link struct {
	Business  string    // the trading name
	ExpiresAt time.Time // zero for never
	Opened    bool      // the payer has seen it
	Ended     bool      // by the business
}

// Line is one line of an order, with the menu's present data about its item.
type Line = db.OrderLineListRow

// Attempt is the latest attempt to pay a transaction. The zero Attempt means that there is none.
type Attempt struct {
	State   state.Attempt
	Method  state.Method
	BankURL string // where the customer confirms a payment that is state.AttemptRedirected
}

// Find returns a shop's transaction. Errors: ErrMissing, also for another shop's.
func (p *Payments) Find(ctx context.Context, shop, id string) (*Transaction, error) {
	row, lines, err := p.queries.TransactionWithLines(ctx, id, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	return transactionOf(row, lines), nil
}

// Opened records that the payer has seen a pay link. An error is only logged: the desk then goes on calling the link new.
func (p *Payments) Opened(ctx context.Context, shop, id string) {
	if err := p.queries.PaylinkOpen(ctx, id, shop); err != nil {
		p.log.WarnContext(ctx, "recording that a pay link was opened failed", "transaction", id, "error", err)
	}
}

func transactionOf(row db.TransactionGetRow, lines []db.OrderLineListRow) *Transaction {
	r := row.Transaction
	t := &Transaction{
		ID: r.ID, Shop: brand.Of(row.Shop), Status: r.Status, AmountMinor: r.Captured(), RefundsDoneMinor: row.RefundsDoneMinor,
		Currency: r.Currency, CountryCode: r.CountryCode, TestMode: r.TestMode, Description: r.Description, Reference: r.ClientRef,
		Origin: r.TrxRef, GatewayID: r.Transactionid, Code: r.Code, Error: r.ErrorMsg, CreatedAt: r.CreatedAt,
		Table: r.TableName, Name: r.CustomerName, PushToken: r.PushToken, ReceiptToken: row.ReceiptToken, Paylink: row.Paylink,
		Attempt: Attempt{State: row.AttemptState, Method: row.AttemptMethod, BankURL: row.RedirectUrl},
		Paid:    *cmp.Or(r.ApprovedAttempt, &uuid.Nil),
		Now:     row.Now, PaidAt: *cmp.Or(r.PaidAt, &time.Time{}), Overdue: row.Overdue, InQuestion: row.InQuestion,
		Lines: lines,
	}
	switch t.Error {
	case SaidGivenBack:
		t.Error, t.Returned = "", true
	case SaidUnconfirmed:
		t.Error, t.Unconfirmed = "", true
	}
	if row.PlName != "" {
		t.Link = &Link{Business: row.PlName, ExpiresAt: *cmp.Or(r.ExpiresAt, &time.Time{}), Opened: row.Opened, Ended: row.Ended}
	}
	return t
}

// Unavailable names the items that keep an order from being paid: "Cherry Pie", or "Flat White with Oat milk" if the milk is the reason. An
// item that was deleted from the menu since the order does not keep it from being paid.
func (t *Transaction) Unavailable() []string { return unavailable(t.Lines) }

func unavailable(lines []Line) []string {
	var names []string
	for _, line := range lines {
		switch {
		case line.GoneOption != "":
			names = append(names, line.Name+" with "+line.GoneOption)
		case line.ItemID != nil && (line.SoldOut || !line.Available):
			names = append(names, line.Name)
		}
	}
	return names
}

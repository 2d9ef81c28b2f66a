package payment

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/brand"
)

// Transaction is a transaction as its payment page shows it. AmountMinor is what was captured, and ErrorMsg is only what the bank said.
type Transaction struct {
	db.Transaction
	db.TransactionGetRow // the rest of the row
	Shop                 brand.Shop
	Returned             bool   // it did not go through, and what was taken was refunded
	Unconfirmed          bool   // it ended without the gateway's word on whether it was charged
	Lines                []Line // of an order
}

// IsLink reports whether the transaction is a pay link, not an order.
func (t *Transaction) IsLink() bool { return t.PlName != "" }

// Line is one line of an order, with the menu's present data about its item.
type Line = db.OrderLineListRow

// Find returns a shop's transaction. Errors: ErrMissing, also for another shop's.
func (p *Payments) Find(ctx context.Context, shop, id string) (*Transaction, error) {
	row, lines, err := p.queries.TransactionWithLines(ctx, id, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	t := &Transaction{Transaction: row.Transaction, TransactionGetRow: row, Shop: brand.Of(row.Shop), Lines: lines}
	t.AmountMinor = row.Position.Amount()
	switch t.ErrorMsg {
	case SaidGivenBack:
		t.ErrorMsg, t.Returned = "", true
	case SaidUnconfirmed:
		t.ErrorMsg, t.Unconfirmed = "", true
	}
	return t, nil
}

// Opened records that the payer has seen a pay link. An error is only logged: the desk then goes on calling the link new.
func (p *Payments) Opened(ctx context.Context, shop, id string) {
	if err := p.queries.PaylinkOpen(ctx, id, shop); err != nil {
		p.log.WarnContext(ctx, "recording that a pay link was opened failed", "transaction", id, "error", err)
	}
}

// Shown records that somebody looks at an order, if it counts against the limit on unpaid orders. An error is only logged: the order may
// then end early.
func (p *Payments) Shown(ctx context.Context, t *Transaction) {
	if t.Origin == nil || t.Status != state.New || t.ShownAt != nil && t.Now.Sub(*t.ShownAt) < time.Minute {
		return
	}
	if err := p.queries.TransactionShown(ctx, t.ID, t.Shop.Code); err != nil {
		p.log.WarnContext(ctx, "recording that an order was shown failed", "transaction", t.ID, "error", err)
	}
}

// Items returns the lines that something is made for: those that are no surcharge and no tip.
func (t *Transaction) Items() []Line {
	return slices.DeleteFunc(slices.Clone(t.Lines), func(l Line) bool { return l.Status == state.LineExtra })
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

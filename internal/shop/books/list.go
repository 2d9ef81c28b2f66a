package books

import (
	"context"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/shop"
)

const (
	// OnPage is how many payments a page lists.
	OnPage = 25
	// Look is how many payments a page examines to find those that it lists. Finding a rare guest in a busy shop takes several pages, each
	// as fast as any other.
	Look = 2000
	// firstLook is how many it examines first: often they fill the page.
	firstLook = 100
)

// Page is a page of the list of payments.
type Page struct {
	List []Payment
	Next string // cursor of the next page, "" on the last; its ID is an attempt's
	// Looked is how far back the page looked, if it did not look through all payments: the next page may have more.
	Looked time.Time
}

// List returns a page of the payments of a shop, the newest first.
func (b *Books) List(ctx context.Context, one shop.Shop, f PaymentFilter, before string) (page Page, err error) {
	if !printable.Line(f.Name, 64) || !printable.Line(f.Table, 64) || !printable.Line(f.Reference, 64) || !printable.Line(f.LastFour, 4) {
		return page, nil // no payment can contain such a text
	}
	from := shop.ReadCursor(before)
	id, err := uuid.Parse(from.ID)
	if err != nil {
		from, id = shop.Cursor{}, uuid.Max
	}
	if from = from.Newest(); !f.Before.IsZero() && f.Before.Before(from.At) {
		from, id = shop.Cursor{At: f.Before}, uuid.Nil
	}
	most := int32(Look)
	if by := lead(f); by == "card" || by == "amount" { // whose payments are scattered over the years, each on another page of the table
		most = Look / 2
	}
	for _, look := range []int32{firstLook, most} {
		page, err = b.look(ctx, one, f, from.At, id, look)
		if err != nil || page.Looked.IsZero() {
			return page, err
		}
	}
	return page, nil
}

// look is List for a page that examines a given number of payments.
func (b *Books) look(ctx context.Context, one shop.Shop, f PaymentFilter, at time.Time, id uuid.UUID, look int32) (page Page, err error) {
	rows, err := b.queries.DeskPaymentList(ctx, db.DeskPaymentListParams{
		Look: look, AtMost: OnPage + 1, Lead: lead(f), ShopCode: one.Code, TestMode: f.Test, BeforeAt: at, BeforeID: id,
		Since: f.Since, LastFour: f.LastFour, AmountMinor: f.Amount, Reference: f.Reference, Method: string(f.Method), Name: f.Name,
		TableName: f.Table, Show: f.Show, OrderNo: f.Number, Today: one.DayBegins(one.TradingDay(time.Now())),
	})
	if err != nil {
		return page, err
	}
	last := "" // of those that are listed
	for _, row := range rows {
		here := shop.Cursor{At: row.CreatedAt, ID: row.ID.String()}.String()
		switch {
		case len(page.List) == OnPage:
			page.Next = last
			return page, nil
		case row.Matches:
			page.List, last = append(page.List, listed(row, one.Zone())), here
		}
		if row.Nth == int64(look) {
			page.Next, page.Looked = here, row.CreatedAt.In(one.Zone())
		}
	}
	return page, nil
}

// lead names the index that finds what a filter asks for: the one that leaves the fewest payments to examine.
func lead(f PaymentFilter) string {
	switch {
	case f.Reference != "":
		return "reference"
	case f.LastFour != "":
		return "card"
	case f.Show == OpenPayments, f.Show == DisputedPayments:
		return f.Show
	case f.Amount != 0:
		return "amount"
	case f.Number != 0:
		return "number"
	}
	return "time"
}

func listed(row db.DeskPaymentListRow, zone *time.Location) Payment {
	now := paymentState(state.Attempt(row.State), state.Dispute(row.Dispute), row.RefundsDoneMinor, row.AmountMinor)
	if now == PaymentDeclined && row.InQuestion {
		now = PaymentManual
	}
	return Payment{
		ID: row.TransactionID, State: now,
		Amount: row.AmountMinor, Refunded: row.RefundsDoneMinor, Currency: row.Currency, Method: state.Method(row.Method), Brand: row.CardBrand,
		LastFour: row.CardLastFour, Payer: row.PayerName, Guest: row.CustomerName, Table: row.TableName,
		No: row.OrderNo, Link: row.Kind == state.LinkKind,
		Reference: row.ClientRef, Description: row.Description, Test: row.TestMode, At: row.CreatedAt.In(zone),
	}
}

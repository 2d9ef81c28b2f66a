package books

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/settlement"
	"forecourt/internal/shop/shop"
)

// LinesOnPage is how many movements a page lists.
const LinesOnPage = 50

// ErrNoPayout means that the shop has no such payout.
var ErrNoPayout = fault.New(fault.NotFound, "no such payout of this shop")

// moment returns a stored moment in a zone; the zero time for none.
func moment(at *time.Time, zone *time.Location) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.In(zone)
}

// Payouts lists the payouts to a shop before a cursor, the newest first, and returns the next page's cursor, "" on the last.
func (b *Books) Payouts(ctx context.Context, one shop.Shop, test bool, before string) (list []Payout, next string, err error) {
	from := shop.ReadCursor(before).Newest()
	number, err := strconv.ParseInt(from.ID, 10, 64)
	if err != nil {
		number = math.MaxInt64
	}
	rows, err := b.queries.DeskPayouts(ctx, db.DeskPayoutsParams{
		ShopCode: one.Code, TestMode: test, BeforeAt: from.At, BeforeNumber: number, AtMost: OnPage + 1,
	})
	rows, next = shop.Page(rows, OnPage, func(r db.DeskPayoutsRow) shop.Cursor {
		return shop.Cursor{At: r.Payout.PaidAt, ID: strconv.FormatInt(r.Payout.Number, 10)}
	})
	for _, row := range rows {
		list = append(list, payout(row.Payout, row.InDoubt, one.Zone()))
	}
	return list, next, err
}

// Payout returns a payout to a shop with its lines after a line. Errors: ErrNoPayout, also for a payout to another shop.
func (b *Books) Payout(ctx context.Context, one shop.Shop, number int64, after int32) (p Payout, err error) {
	row, err := b.queries.DeskPayoutGet(ctx, number, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, ErrNoPayout
	}
	if err != nil {
		return p, err
	}
	p = payout(row.Payout, row.InDoubt, one.Zone())
	kinds, err := b.queries.DeskPayoutSums(ctx, number, one.Code)
	if err != nil {
		return p, err
	}
	for _, k := range kinds {
		p.Sums = append(p.Sums, PayoutSum{Kind: k.Kind, Count: int(k.Lines), Amount: k.AmountMinor, Currency: p.Currency})
	}
	held, err := b.queries.DeskPayoutLines(ctx, db.DeskPayoutLinesParams{
		Number: number, ShopCode: one.Code, AfterLine: after, AtMost: LinesOnPage + 1,
	})
	for _, l := range held[:min(len(held), LinesOnPage)] {
		p.Lines = append(p.Lines, PayoutLine{
			Kind: l.Kind, Amount: l.AmountMinor, Currency: l.Currency, Payment: l.TransactionID,
			Method: state.Method(l.Method), Brand: l.CardBrand, LastFour: l.CardLastFour, At: moment(l.MovedAt, one.Zone()),
		})
	}
	if len(held) > LinesOnPage {
		p.Next = strconv.Itoa(int(held[LinesOnPage-1].LineNo))
	}
	return p, err
}

func payout(p db.Payout, inDoubt bool, zone *time.Location) Payout {
	p.Currency, p.PaidAt = strings.TrimSpace(p.Currency), p.PaidAt.In(zone)
	return Payout{Payout: p, InDoubt: inDoubt}
}

// Fees returns what the provider charges a shop.
func (b *Books) Fees(ctx context.Context, one shop.Shop) (settlement.Fees, error) {
	return settlement.FeesOf(ctx, b.queries, one.Code)
}

// Owed returns what a shop is owed in a mode.
func (b *Books) Owed(ctx context.Context, one shop.Shop, test bool) (o Owed, err error) {
	if o.Known, err = b.queries.DeskPayoutsKnown(ctx); err != nil || !o.Known {
		return o, err
	}
	rows, err := b.queries.DeskOwedSums(ctx, one.Code, test)
	slices.SortFunc(rows, func(a, b db.DeskOwedSumsRow) int { return cmp.Compare(a.Currency, b.Currency) })
	for _, row := range rows {
		o.Sums = append(o.Sums, PayoutSum{
			Kind: state.Movement(row.Kind), Count: int(row.Movements), Amount: row.AmountMinor,
			Currency: row.Currency, Since: row.Since.In(one.Zone()),
		})
	}
	return o, err
}

// OwedLines lists what a shop is owed after a cursor, the oldest first, and returns the next page's cursor, "" on the last.
func (b *Books) OwedLines(
	ctx context.Context, one shop.Shop, test bool, after string,
) (list []PayoutLine, next string, err error) {
	from := shop.ReadCursor(after)
	id, err := uuid.Parse(from.ID)
	if err != nil {
		from = shop.Cursor{}
	}
	rows, err := b.queries.DeskOwedList(ctx, db.DeskOwedListParams{
		ShopCode: one.Code, TestMode: test, AfterAt: from.At, AfterID: id, AtMost: LinesOnPage + 1,
	})
	rows, next = shop.Page(rows, LinesOnPage, func(r db.DeskOwedListRow) shop.Cursor { return shop.Cursor{At: r.MovedAt, ID: r.ID.String()} })
	for _, row := range rows {
		list = append(list, PayoutLine{
			Kind: state.Movement(row.Kind), Amount: row.AmountMinor, Currency: strings.TrimSpace(row.Currency),
			Payment: row.TransactionID, At: row.MovedAt.In(one.Zone()), Late: row.Late,
		})
	}
	return list, next, err
}

// Payout is money that the gateway paid to a shop, as the gateway says, with times in the shop's zone.
type Payout struct {
	db.Payout
	InDoubt bool // it differs from our books, and staff look into it
	// A list of payouts leaves out the following.
	Sums  []PayoutSum  // by kind and currency
	Lines []PayoutLine // those of a page
	Next  string       // the number of the last one, if the next page has more; else ""
}

// PayoutLine is one movement in a payout, or one that is still owed. What the shop loses is negative.
type PayoutLine struct {
	Kind     state.Movement
	Amount   int64
	Currency string
	Payment  string // id of the transaction; "" where there is none
	Method   state.Method
	Brand    string
	LastFour string
	At       time.Time // when the money moved; the zero time if that is not known
	Late     bool      // it should have been in a payout by now
}

// PayoutSum is the sum of the movements of one kind and currency.
type PayoutSum struct {
	Kind     state.Movement
	Count    int
	Amount   int64
	Currency string
	Since    time.Time // the oldest of those that are owed
}

// Money is an amount in minor units of a currency.
type Money struct {
	Minor    int64
	Currency string
}

// Owed is the settled money that is in no payout yet.
type Owed struct {
	Known bool        // the gateway has listed payouts, so what it owes is known
	Sums  []PayoutSum // sorted by currency
}

// Totals returns the amount owed in each currency.
func (o Owed) Totals() (list []Money) {
	for _, s := range o.Sums {
		if last := len(list) - 1; last >= 0 && list[last].Currency == s.Currency {
			list[last].Minor += s.Amount
		} else {
			list = append(list, Money{s.Amount, s.Currency})
		}
	}
	return list
}

// Since returns the time of the oldest movement that is owed, or the zero time.
func (o Owed) Since() (at time.Time) {
	for _, s := range o.Sums {
		if at.IsZero() || s.Since.Before(at) {
			at = s.Since
		}
	}
	return at
}

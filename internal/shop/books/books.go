// Package books shows the team of a shop its money: payments and what became of each, payouts, disputes, the day so far, tables for
// accountants, statements and the close of day. It makes refunds.
package books

import (
	"cmp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/tracing"
	"forecourt/internal/shop/shop"
)

// Errors of the books.
var (
	// ErrExports means that the greatest number of long tables for the shop is already being made.
	ErrExports = fault.New(fault.Conflict, "other tables of this shop are being made")
	// ErrNoBook means that the shop has no such table or closing, or no longer has it.
	ErrNoBook = fault.New(fault.NotFound, "no such table or closing of this shop")
)

// Total is the money that moved in a currency by a method, in minor units. GST and RefundGST are parts of Taken and Refunded.
type Total struct {
	Currency  string       `json:"currency"`
	Method    state.Method `json:"method"` // "" is all of them together
	Payments  int          `json:"payments"`
	Taken     int64        `json:"taken"`
	GST       int64        `json:"gst"`
	Refunds   int          `json:"refunds"`
	Refunded  int64        `json:"givenBack"`
	RefundGST int64        `json:"refundGst"`

	// Closings before these were counted have none of them. Fees have no method.
	Lost     int   `json:"lost,omitempty"`     // how often a bank took money in a dispute
	BankTook int64 `json:"bankTook,omitempty"` // how much that was
	Won      int   `json:"won,omitempty"`      // how often a bank returned it
	BankGave int64 `json:"bankGave,omitempty"`
	Fees     int64 `json:"fees,omitempty"` // of payouts
}

// beside reports whether more than payments and refunds moved.
func (t Total) beside() bool { return t.Lost != 0 || t.Won != 0 || t.Fees != 0 }

// Net returns the amount taken minus the amount refunded.
func (t Total) Net() int64 { return t.Taken - t.Refunded }

// Totals are the totals of a period, by currency and method.
type Totals []Total

// Currencies returns the totals of all methods together, one for each currency.
func (t Totals) Currencies() (sums Totals) {
	for _, one := range t {
		one.Method = ""
		sums = sums.plus(one)
	}
	return sums
}

// Plus returns the sum of both, ordered by currency and method.
func (t Totals) Plus(other Totals) Totals {
	sums := slices.Clone(t)
	for _, one := range other {
		sums = sums.plus(one)
	}
	slices.SortFunc(sums, func(a, b Total) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Method, b.Method))
	})
	return sums
}

func (t Totals) plus(one Total) Totals {
	for i := range t {
		if s := &t[i]; s.Currency == one.Currency && s.Method == one.Method {
			s.Payments += one.Payments
			s.Taken += one.Taken
			s.GST += one.GST
			s.Refunds += one.Refunds
			s.Refunded += one.Refunded
			s.RefundGST += one.RefundGST
			s.Lost += one.Lost
			s.BankTook += one.BankTook
			s.Won += one.Won
			s.BankGave += one.BankGave
			s.Fees += one.Fees
			return t
		}
	}
	return append(t, one)
}

// ExportKeptFor is how long a long table is kept.
const ExportKeptFor = 7 * 24 * time.Hour

// ExportKind is the kind of rows in a table of the books.
type ExportKind = state.Export

// The kinds.
const (
	ExportPayments = state.ExportPayments
	ExportLines    = state.ExportLines
	ExportRefunds  = state.ExportRefunds
	ExportDisputes = state.ExportDisputes
	ExportPayouts  = state.ExportPayouts
)

// ExportKinds lists the kinds in the order in which they are offered.
func ExportKinds() []ExportKind {
	return []ExportKind{ExportPayments, ExportLines, ExportRefunds, ExportDisputes, ExportPayouts}
}

// Span is a period of a shop's books. It includes Since and excludes Before.
type Span struct {
	Shop          string
	Test          bool
	Since, Before time.Time
	Zone          *time.Location
}

// Export is a long table that is made in the background, with times in the zone of its days. RowsTotal is 0 while that is not known.
type Export struct{ db.Export }

// Span returns the period of the table.
func (e Export) Span() Span {
	return Span{Shop: e.ShopCode, Test: e.TestMode, Since: e.Since, Before: e.Before, Zone: e.Since.Location()}
}

// Until returns when the table is deleted.
func (e Export) Until() time.Time { return e.CreatedAt.Add(ExportKeptFor) }

// Done reports whether the table is complete.
func (e Export) Done() bool { return e.DoneAt != nil }

// Percent returns how much of the table is made, in per cent; 0 while that is not known.
func (e Export) Percent() int {
	switch {
	case e.Done():
		return 100
	case *e.RowsTotal == 0:
		return 0
	}
	return int(min(e.RowsDone*100 / *e.RowsTotal, 99))
}

// Statement lists the money that a shop took and refunded in a month, by its own clock.
type Statement struct {
	Span
	Month         time.Time // its first day
	Business, ABN string
	Totals        Totals
	Extras        []Extra        // of the payments in Totals
	Days          []StatementDay // those on which something moved
	Payouts       []StatementPayout
	MorePayouts   bool // Payouts lists only the first
	Made          time.Time
}

// StatementDay is a day of a statement.
type StatementDay struct {
	Day    time.Time
	Totals Totals // one for each currency
}

// StatementPayout is a payout of a statement, and how many payments, refunds and disputes are in it.
type StatementPayout = db.ExportPayoutListRow

// Books are the books of all shops.
type Books struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shop.Shops
	mail    *mail.Queue
	signer  *receipt.Signer
	jobs    *river.Client[pgx.Tx] // only inserts jobs
}

// New returns the books kept in pool. It queues its letters in letters; signer signs closings.
func New(pool *pgxpool.Pool, shops *shop.Shops, letters *mail.Queue, signer *receipt.Signer) *Books {
	return &Books{pool: pool, queries: db.New(pool), shops: shops, mail: letters, signer: signer, jobs: tracing.NewQueue(pool)}
}

func totalOf(row db.ClosingCountRow) Total {
	return Total{
		Currency: row.Currency, Method: row.Method, Payments: int(row.Payments), Taken: row.TakenMinor, GST: row.GstMinor,
		Refunds: int(row.Refunds), Refunded: row.RefundsDoneMinor, RefundGST: row.RefundGstMinor,
		Lost: int(row.Lost), BankTook: row.LostMinor, Won: int(row.Returned), BankGave: row.ReturnedMinor, Fees: row.FeesMinor,
	}
}

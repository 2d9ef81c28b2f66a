package payment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/gateway"
	"forecourt/internal/money"
)

const (
	// slack is how far apart the gateway's time and our own time of the same movement may be.
	slack = 24 * time.Hour
	// openFor is how long something may still be open here although the gateway's ledger has it.
	openFor = time.Hour
)

// Difference is a movement that only one side knows, or that the two sides record differently.
type Difference struct {
	Kind      gateway.Kind
	Reference string
	TrxID     string
	Problem   string

	entry *gateway.Entry // nil: the gateway does not know it
}

func (d Difference) String() string {
	return fmt.Sprintf("%-8s %s  %s  %s", d.Kind, d.Reference, d.TrxID, d.Problem)
}

// Book is a set of movements whose amounts may be added up.
type Book struct {
	Merchant string // the client's code
	Currency string
	TestMode bool
}

// Total is the money that moved within a book according to the gateway's ledger, in minor units.
type Total struct {
	Captures, Refunds  int
	Captured, Refunded int64
}

// Comparison is what Reconcile found.
type Comparison struct {
	Captures, Refunds int // movements in the gateway's ledger
	Totals            map[Book]Total
	Differences       []Difference
}

// Books returns the books with a total, in a stable order.
func (c Comparison) Books() []Book {
	return slices.SortedFunc(maps.Keys(c.Totals), func(a, b Book) int {
		return cmp.Or(cmp.Compare(a.Merchant, b.Merchant), cmp.Compare(a.Currency, b.Currency), compareBool(a.TestMode, b.TestMode))
	})
}

// ours is a movement as the database records it.
type ours struct {
	kind     gateway.Kind
	trx      string
	book     Book
	state    string
	amount   int64
	gateway  *string // where it was sent; nil: to the configured one
	moved    bool    // money moved, by our books
	final    bool    // it will not change any more
	inWindow bool
}

// Reconcile compares the database with the ledgers of the configured gateways for movements from (included) to (excluded). A movement that
// has been open here for a short time only is not a difference, because the sweep will decide it.
func (p *Payments) Reconcile(ctx context.Context, from, to time.Time) (Comparison, error) {
	c := Comparison{Totals: map[Book]Total{}}
	known, oldest, err := p.settledBetween(ctx, from, to)
	if err != nil {
		return c, err
	}
	since := from.Add(-slack)
	if oldest.Before(since) { // a person decided it, or the gateway took days
		since = oldest.Add(-slack)
	}
	var entries []gateway.Entry
	for _, at := range p.gateways() {
		moved, err := at.Ledger(ctx, since, to.Add(slack))
		if err != nil {
			return c, err
		}
		entries = append(entries, moved...)
	}
	if err := p.addListed(ctx, known, entries); err != nil {
		return c, err
	}
	told := map[string]bool{}
	for _, e := range entries {
		mine, found := known[e.Reference]
		again := told[e.Reference]
		told[e.Reference] = true
		if (e.At.Before(from) || !e.At.Before(to)) && !mine.inWindow {
			continue
		}
		c.count(e, mine)
		if problem := problemOfEntry(e, mine, found, again); problem != "" {
			c.Differences = append(c.Differences, Difference{e.Kind, e.Reference, e.TrxID, problem, &e})
		}
	}
	for reference, mine := range known {
		if !mine.inWindow || told[reference] {
			continue
		}
		problem := "the gateway does not know it"
		if p.Elsewhere(mine.gateway) {
			problem = "it was sent to " + *mine.gateway + ", which is not set up"
		}
		c.Differences = append(c.Differences, Difference{mine.kind, reference, mine.trx, problem, nil})
	}
	return c, nil
}

// count adds an entry to its book. If the gateway does not name the merchant, our own record does.
func (c *Comparison) count(e gateway.Entry, mine ours) {
	b := Book{cmp.Or(e.MerchantID, mine.book.Merchant), e.Currency, mine.book.TestMode}
	if e.TestMode != nil {
		b.TestMode = *e.TestMode
	}
	t := c.Totals[b]
	if e.Kind == gateway.KindRefund {
		c.Refunds++
		t.Refunds++
		t.Refunded += e.Amount
	} else {
		c.Captures++
		t.Captures++
		t.Captured += e.Amount
	}
	c.Totals[b] = t
}

func problemOfEntry(e gateway.Entry, mine ours, found, again bool) string {
	switch {
	case again:
		return "the gateway moved money twice for one reference"
	case !found:
		return "we do not know it"
	case mine.gateway != nil && *mine.gateway != e.Gateway:
		return "it was sent to " + *mine.gateway + ", and " + e.Gateway + " has it"
	case mine.kind != e.Kind:
		return "it is a " + string(mine.kind) + " here"
	case e.Kind == gateway.KindCapture && e.Arrivals > 1:
		return fmt.Sprintf("the reference arrived %d times", e.Arrivals)
	case mine.amount != e.Amount || mine.book.Currency != e.Currency:
		return fmt.Sprintf("%s %s there, %s %s here", money.Wire(e.Amount), e.Currency, money.Wire(mine.amount), mine.book.Currency)
	case mine.trx != e.TrxID:
		return "it belongs to transaction " + mine.trx + " here"
	case e.MerchantID != "" && e.MerchantID != mine.book.Merchant:
		return "it belongs to " + mine.book.Merchant + " here"
	case e.TestMode != nil && *e.TestMode != mine.book.TestMode:
		return "one side has it in test mode, the other live"
	case !mine.moved && (mine.final || time.Since(e.At) > openFor):
		return "it is " + mine.state + " here"
	}
	return ""
}

// settledBetween returns our movements within a window, by reference, and the time when the oldest of them began.
func (p *Payments) settledBetween(ctx context.Context, from, to time.Time) (map[string]ours, time.Time, error) {
	attempts, err := p.queries.AttemptListSettled(ctx, &from, &to)
	if err != nil {
		return nil, from, err
	}
	refunds, err := p.queries.RefundListSettled(ctx, &from, &to)
	if err != nil {
		return nil, from, err
	}
	known, oldest := make(map[string]ours, len(attempts)+len(refunds)), from
	for _, a := range attempts {
		mine := captureOf(db.AttemptListByIDRow(a))
		mine.inWindow = true
		known[a.ID.String()], oldest = mine, earlier(oldest, a.CreatedAt)
	}
	for _, r := range refunds {
		mine := refundOf(db.RefundListByIDRow(r))
		mine.inWindow = true
		known[r.ID.String()], oldest = mine, earlier(oldest, r.CreatedAt)
	}
	return known, oldest, nil
}

// addListed looks up the movements that the ledger lists but the window lacks, by reference and at any age.
func (p *Payments) addListed(ctx context.Context, known map[string]ours, entries []gateway.Entry) error {
	var ids []uuid.UUID
	for _, e := range entries {
		if _, found := known[e.Reference]; found {
			continue
		}
		if id, err := uuid.Parse(e.Reference); err == nil {
			ids = append(ids, id)
		}
	}
	attempts, err := p.queries.AttemptListByID(ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		known[a.ID.String()] = captureOf(a)
	}
	refunds, err := p.queries.RefundListByID(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range refunds {
		known[r.ID.String()] = refundOf(r)
	}
	return nil
}

func captureOf(a db.AttemptListByIDRow) ours {
	return ours{
		kind: gateway.KindCapture, trx: a.TransactionID, book: Book{a.ClientCode, a.Currency, a.TestMode}, state: string(a.State), gateway: a.Gateway,
		amount: a.AmountMinor, moved: a.Moved, final: a.State.Refused(),
	}
}

func refundOf(r db.RefundListByIDRow) ours {
	return ours{
		kind: gateway.KindRefund, trx: r.TransactionID, book: Book{r.ClientCode, r.Currency, r.TestMode}, state: string(r.State), gateway: r.Gateway,
		amount: r.AmountMinor, moved: r.State == state.RefundDone, final: r.State == state.RefundDeclined,
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

package payment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

const (
	// slack is how far apart the gateway's time and our own time of the same movement may be.
	slack = 24 * time.Hour
	// near is the usual difference. The rest of slack is read only if something is missing within near.
	near = time.Hour
	// partOf is how much of a window is compared at once.
	partOf = 4 * time.Hour
	// atOnce is how many movements are looked up at once.
	atOnce = 500
	// openFor is how long something may still be open here although the gateway's ledger has it: longer than lately, so that the frequent
	// comparison leaves it to the sweep.
	openFor = 2 * time.Hour
)

const (
	// unknownThere is the problem of a movement that a gateway should have.
	unknownThere = "the gateway does not know it"
	// movedTwice is the problem of the second movement with a reference of ours.
	movedTwice = "the gateway moved money twice for one reference"
)

// Difference is something that only one side knows, or that the sides record differently.
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
	Merchant string // the shop's code
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
		return cmp.Or(cmp.Compare(a.Merchant, b.Merchant), cmp.Compare(a.Currency, b.Currency),
			cmp.Compare(fmt.Sprint(a.TestMode), fmt.Sprint(b.TestMode))) // live first
	})
}

// Reconcile compares the database with the ledgers of the configured gateways for movements from (included) to (excluded). A
// movement that has not been open here for long is not a difference: the sweep will decide it. It works through the window part by part, so
// that what it holds does not grow with the window.
func (p *Payments) Reconcile(ctx context.Context, from, to time.Time) (Comparison, error) {
	return p.reconcile(ctx, span{from, to}, true)
}

// reconcile leaves out what the gateways lack unless missing is set.
func (p *Payments) reconcile(ctx context.Context, window span, missing bool) (Comparison, error) {
	all := Comparison{Totals: map[Book]Total{}}
	for from := window.from; from.Before(window.to); from = from.Add(partOf) {
		part := comparing{Payments: p, window: window, part: span{from, earlier(from.Add(partOf), window.to)}, missing: missing}
		found, sure, err := part.compare(ctx, near)
		if err == nil && !sure {
			found, _, err = part.compare(ctx, slack)
		}
		if err != nil {
			return all, err
		}
		all.add(found)
	}
	return all, nil
}

// span is a time from (included) to (excluded).
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

// comparing compares one part of a window.
type comparing struct {
	*Payments
	window, part span
	missing      bool
}

// compare reads the ledgers for a part and for reach around it. sure is false if something that it did not find may lie further away: a
// movement of ours, or the first of two charges for a payment that began long before.
func (c comparing) compare(ctx context.Context, reach time.Duration) (found Comparison, sure bool, err error) {
	found, sure = Comparison{Totals: map[Book]Total{}}, true
	since := c.part.from.Add(-reach)
	if reach == slack {
		oldest, err := c.queries.MovementOldestSettled(ctx, c.part.to, &c.part.from)
		if err != nil {
			return found, false, err
		}
		if oldest.Before(since) { // a person decided it, or the gateway took days
			since = oldest.Add(-slack)
		}
	}
	seen, read := references{}, references{}
	for _, at := range c.gateways() {
		err := at.LedgerPages(ctx, since, c.part.to.Add(reach), func(entries []gateway.Entry) error {
			known, err := c.listed(ctx, entries)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if read.add(fmt.Sprint(e.Gateway, e.Kind, e.Reference, e.TrxID, e.TransactionID, e.Amount, e.Currency, e.At)) {
					continue // a page may repeat what the one before it had
				}
				mine, ours := known[e.Reference]
				again := seen.add(e.Reference)
				if !c.belongs(e, mine) {
					continue
				}
				if ours && mine.began.Before(since.Add(near/2)) { // which leaves the clocks some difference
					sure = false
				}
				found.count(e, mine)
				if problem := problemOfEntry(e, mine, ours, again); problem != "" {
					found.Differences = append(found.Differences, Difference{e.Kind, e.Reference, e.TrxID, problem, &e})
				}
			}
			return nil
		})
		if err != nil {
			return found, false, err
		}
	}
	lacks, err := c.unlisted(ctx, seen)
	for _, d := range lacks {
		sure = sure && d.Problem != unknownThere
	}
	found.Differences = append(found.Differences, lacks...)
	return found, sure, err
}

// belongs reports whether an entry is compared in this part: by the gateway's time, or by ours where the gateway's lies outside the window.
// The last part has the entries whose time is not readable.
func (c comparing) belongs(e gateway.Entry, mine ours) bool {
	if e.At.IsZero() {
		return c.part.to.Equal(c.window.to)
	}
	if c.window.has(e.At) {
		return c.part.has(e.At)
	}
	return mine.settled != nil && c.part.has(*mine.settled)
}

// unlisted returns our movements that no ledger lists.
func (c comparing) unlisted(ctx context.Context, seen references) (lacks []Difference, err error) {
	if !c.missing {
		return nil, nil
	}
	ids, err := c.queries.MovementListSettled(ctx, &c.part.from, &c.part.to)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { return seen.has(id.String()) })
	for some := range slices.Chunk(ids, atOnce) {
		known, err := c.byID(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			mine := known[id.String()]
			problem := unknownThere
			if c.Elsewhere(mine.gateway) {
				problem = "it was sent to " + *mine.gateway + ", which is not set up"
			}
			lacks = append(lacks, Difference{mine.kind, id.String(), mine.trx, problem, nil})
		}
	}
	return lacks, nil
}

// references holds those of a ledger, as a hash of each, since a reference may be any text.
type references map[[16]byte]struct{}

func referenceKey(reference string) [16]byte {
	sum := sha256.Sum256([]byte(reference))
	return [16]byte(sum[:16])
}

func (r references) has(reference string) bool {
	_, has := r[referenceKey(reference)]
	return has
}

// add adds a reference, and reports whether it was there already.
func (r references) add(reference string) (again bool) {
	key := referenceKey(reference)
	_, again = r[key]
	r[key] = struct{}{}
	return again
}

// add adds what was found in a part.
func (c *Comparison) add(part Comparison) {
	c.Captures += part.Captures
	c.Refunds += part.Refunds
	for book, moved := range part.Totals {
		t := c.Totals[book]
		c.Totals[book] = Total{t.Captures + moved.Captures, t.Refunds + moved.Refunds, t.Captured + moved.Captured, t.Refunded + moved.Refunded}
	}
	c.Differences = append(c.Differences, part.Differences...)
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
	case e.Odd != "":
		return e.Odd
	case again && found:
		return movedTwice
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
	case e.TrxID != "" && e.TrxID != mine.trx:
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

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

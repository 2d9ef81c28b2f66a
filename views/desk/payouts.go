package desk

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

// Payouts is a page of the list of payouts.
type Payouts struct {
	Frame    layout.Desk
	Owed     books.Owed
	Currency string
	List     []books.Payout
	Pages    Pages
}

// Payout is the page of one payout.
type Payout struct {
	Frame  layout.Desk
	Payout books.Payout
	Sums   []books.PayoutSum
	Lines  []books.PayoutLine
	Pages  Pages
}

// Owed is the page of what is in no payout yet.
type Owed struct {
	Frame layout.Desk
	Owed  books.Owed
	Lines []books.PayoutLine
	Pages Pages
}

// movements are the kinds of movements in the order of a payout's page.
var movements = []state.Movement{
	state.MovedCharge, state.MovedRefund, state.MovedDispute, state.MovedReturn, state.MovedUnknown, state.MovedAgain,
}

var movementNames = map[state.Movement]struct{ one, many string }{
	state.MovedCharge:  {"Payment", "Payments"},
	state.MovedRefund:  {"Refund", "Refunds"},
	state.MovedDispute: {"Disputed payment", "Disputed payments"},
	state.MovedReturn:  {"Dispute that you won", "Disputes that you won"},
	state.MovedUnknown: {"Not known here", "Not known here"},
	state.MovedAgain:   {"In an earlier payout, too", "In earlier payouts, too"},
}

func dayOf(t time.Time) string { return clock.Day(t, t.Location()) }

// sumLine is a line of the sum of a payout, or of what is owed.
type sumLine struct{ name, amount string }

// sumLines returns the lines for the sums in a currency.
func sumLines(sums []books.PayoutSum, currency string) (list []sumLine) {
	for _, kind := range movements {
		for _, s := range sums {
			if s.Kind == kind && s.Count > 0 && s.Currency == currency {
				list = append(list, sumLine{movementNames[kind].many + " (" + strconv.Itoa(s.Count) + ")", money.Label(s.Amount, currency)})
			}
		}
	}
	return list
}

// others lists the currencies of sums besides one.
func others(sums []books.PayoutSum, currency string) (list []string) {
	for _, s := range sums {
		if s.Currency != currency && !slices.Contains(list, s.Currency) {
			list = append(list, s.Currency)
		}
	}
	return list
}

// sum lists how a payout adds up. A dispute may be in another currency; the gateway states its amount in the payout.
func (m Payout) sum() []sumLine {
	p := m.Payout
	list := append(sumLines(m.Sums, p.Currency), sumLine{"Together", money.Label(p.GrossMinor, p.Currency)},
		sumLine{"Fees of the gateway", money.Label(-p.FeesMinor, p.Currency)},
		sumLine{"Paid to your account", money.Label(p.NetMinor, p.Currency)})
	for _, other := range others(m.Sums, p.Currency) {
		list = append(list, sumLines(m.Sums, other)...)
	}
	return list
}

// sums lists what is owed in each currency.
func (m Owed) sums() (tables [][]sumLine) {
	for _, total := range m.Owed.Totals() {
		tables = append(tables, append(sumLines(m.Owed.Sums, total.Currency), sumLine{
			"Total, before fees", money.Label(total.Minor, total.Currency),
		}))
	}
	return tables
}

// zoneOf names the time zone of a list; "" where no time is known.
func zoneOf(lines []books.PayoutLine) string {
	for _, l := range lines {
		if !l.At.IsZero() {
			return zoneName(l.At)
		}
	}
	return ""
}

// totals lists what is owed in each currency, or zero in the business's currency if nothing is.
func (m Payouts) totals() (list []string) {
	for _, total := range m.Owed.Totals() {
		list = append(list, money.Label(total.Minor, total.Currency))
	}
	if len(list) == 0 {
		list = []string{money.Label(0, m.Currency)}
	}
	return list
}

// owed says in a sentence what is owed.
func (m Payouts) owed() string {
	switch {
	case !m.Owed.Known:
		return "The gateway has not told us about payouts yet. What it owes you appears here once it does."
	case m.Owed.Since().IsZero():
		return "Everything that was settled is in a payout."
	default:
		return "Before fees, from payments since " + dayOf(m.Owed.Since()) + " that are in no payout yet."
	}
}

// madeOf says what makes up a payout in the list.
func madeOf(p books.Payout) string {
	if p.FeesMinor == 0 {
		return "No fees"
	}
	return money.Label(p.GrossMinor, p.Currency) + " less " + money.Label(p.FeesMinor, p.Currency) + " fees"
}

// Disputes is a page of the disputes of a business.
type Disputes struct {
	Frame    layout.Desk
	Open     []books.Dispute // on the first page only
	MoreOpen bool            // there are more open ones than are listed
	Ended    []books.Dispute
	Pages    Pages
}

// Dispute is the page of one dispute.
type Dispute struct {
	Frame   layout.Desk
	Dispute books.Dispute
}

func disputeAmount(d books.Dispute) string { return money.Label(d.Amount, d.Currency) }

// disputeName returns the words of a dispute's pill, and its look.
func disputeName(d books.Dispute) (name, tone string) {
	switch d.State {
	case state.DisputeWon:
		return "Won", "good"
	case state.DisputeLost:
		return "Lost", "over"
	default:
		return "Open", "bad"
	}
}

// deadline says when an open dispute has to be answered, by the clock of the business.
func deadline(d books.Dispute, now time.Time) string {
	switch {
	case d.Due.IsZero():
		return "The gateway gave no deadline. Answer as soon as you can."
	case now.After(d.Due):
		return "The deadline was " + clock.Text(d.Due, d.Due.Location()) + ". The bank now decides by the evidence that it has."
	default:
		return "Answer by " + clock.Text(d.Due, d.Due.Location()) + "."
	}
}

// outcome says how a dispute ended.
func outcome(d books.Dispute) string {
	if d.State == state.DisputeWon {
		return "The bank decided for you on " + dayOf(d.Ended) + ". The money stays yours."
	}
	return "The bank decided for the cardholder on " + dayOf(d.Ended) + ". The money is taken from one of your payouts."
}

// answerTo returns the address that opens a mail to support with the dispute as its subject.
func (m Dispute) answerTo(support string) string {
	return "mailto:" + support + "?subject=" + url.PathEscape("Dispute about payment "+m.Dispute.Payment)
}

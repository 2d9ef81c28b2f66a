package desk

import (
	"net/url"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/books"
	"forecourt/views/layout"
)

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

package books

import (
	"strings"
	"time"

	"forecourt/db"
	"forecourt/db/state"
)

// story collects what happened to a payment.
type story struct {
	c    *Case
	zone *time.Location
	code string // of the shop
}

// add adds an event. The zero time is now.
func (s story) add(at time.Time, e Event) {
	if !at.IsZero() {
		e.At = at.In(s.zone)
	} else {
		s.c.Unfinished = true
	}
	s.c.Timeline = append(s.c.Timeline, e)
}

func (s story) made(row db.DeskPaymentGetRow) {
	t := row.Transaction
	if s.c.Link {
		s.add(t.CreatedAt, Event{Kind: LinkMade, Amount: t.AmountMinor, Currency: t.Currency})
	}
	if row.Opened {
		s.add(row.OpenedAt, Event{Kind: LinkSeen})
	}
}

func (s story) receipt(paid *time.Time) {
	if paid != nil && s.c.Receipt != "" {
		s.add(*paid, Event{Kind: ReceiptMade})
	}
}

// attempts adds when each attempt began, and the state of those that have not ended.
func (s story) attempts(list []db.DeskAttemptListRow) {
	for _, a := range list {
		e := paidWith(a)
		s.c.Method, s.c.Brand, s.c.LastFour, s.c.Payer = a.Method, a.CardBrand, a.CardLastFour, a.PayerName
		tried := e
		tried.Kind = PayTried
		s.add(a.CreatedAt, tried)
		switch a.State {
		case state.AttemptApproved, state.AttemptDeclined, state.AttemptNotCharged:
			continue
		case state.AttemptRedirected:
			e.Kind = PayAtBank
		case state.AttemptManual:
			e.Kind = PayManual
		default:
			e.Kind = PayUnknown
		}
		s.add(time.Time{}, e)
	}
}

func paidWith(a db.DeskAttemptListRow) Event {
	return Event{Amount: a.AmountMinor, Currency: a.Currency, Method: a.Method, Brand: a.CardBrand, LastFour: a.CardLastFour}
}

// refunds adds when each refund was asked for, and the state of those that have not ended.
func (s story) refunds(list []db.DeskRefundListRow) {
	for _, r := range list {
		e := Event{Amount: r.AmountMinor, Currency: strings.TrimSpace(r.Currency)}
		asked := e
		asked.Kind, asked.Reason, asked.Lines = RefundAsked, r.Reason, r.Lines
		if r.ByTeam {
			asked.Who = r.RequestedBy
		}
		s.add(r.CreatedAt, asked)
		switch r.State {
		case state.RefundDone, state.RefundDeclined:
			continue
		case state.RefundManual:
			e.Kind = RefundManual
		default:
			e.Kind = RefundOpen
		}
		s.c.Undecided = true
		s.add(time.Time{}, e)
	}
}

// paidOut is what a line of a payout is, by its kind.
var paidOut = map[state.Movement]EventKind{
	state.MovedCharge: PaidOut, state.MovedRefund: RefundPaidOut,
	state.MovedDispute: DisputePaidOut, state.MovedReturn: ReturnPaidOut,
}

func (s story) payouts(list []db.DeskPayoutListRow) {
	for _, p := range list {
		s.add(p.PaidAt, Event{
			Kind: paidOut[p.Kind], Amount: p.AmountMinor, Currency: strings.TrimSpace(p.Currency), Payout: p.ID, Named: p.Business == s.code,
		})
	}
}

func (s story) letters(list []db.DeskLetterListRow, refunds []db.DeskRefundListRow) {
	amounts := map[string]int64{}
	for _, r := range refunds {
		amounts[refundKey(r)] = r.AmountMinor
	}
	for _, l := range list {
		amount, isRefund := amounts[l.Key]
		kind, at, ok := mailed(l, ReceiptMailed, ReceiptHeld, ReceiptFailed)
		if isRefund {
			kind, at, ok = mailed(l, RefundMailed, RefundHeld, RefundFailed)
		}
		if ok {
			s.add(at, Event{Kind: kind, Amount: amount, Currency: s.c.Currency})
		}
	}
}

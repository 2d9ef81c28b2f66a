package shoptrade

import (
	"slices"
	"strings"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/event"
	"forecourt/internal/shop"
)

// rows are what the events of a payment are about.
type rows struct {
	attempts []db.DeskAttemptListRow
	refunds  []db.DeskRefundListRow
	disputes []db.Dispute
}

// happened tells the events of a payment. What else is known of one stands in its row.
func (s story) happened(list []db.ClientEventOfRow, of rows) {
	for _, h := range list {
		e := shop.Event{Amount: h.AmountMinor, Currency: strings.TrimSpace(h.Currency)}
		switch kind := event.Kind(h.Kind); kind {
		case event.OrderMade:
			e.Kind = shop.OrderMade
		case event.OrderReady:
			e.Kind, e.Location = shop.OrderReady, h.Detail
		case event.OrderDone:
			e.Kind = shop.OrderDone
		case event.PaymentSucceeded, event.PaymentFailed:
			e = of.attempt(h.About, e)
		case event.PaymentRefunded:
			e.Kind = shop.RefundDone
		case event.RefundFailed:
			e.Kind = shop.RefundDeclined
		case event.DisputeOpened:
			e.Kind, e.Dispute = shop.DisputeOpened, h.About
			s.due(of.disputes, &e)
		case event.DisputeWon:
			e.Kind = shop.DisputeWon
		case event.DisputeLost:
			e.Kind = shop.DisputeLost
		default: // the timeline says when a refund was asked for, however large
			continue
		}
		s.add(h.HappenedAt, e)
	}
}

// attempt completes the event about the end of an attempt.
func (r rows) attempt(id string, e shop.Event) shop.Event {
	i := slices.IndexFunc(r.attempts, func(a db.DeskAttemptListRow) bool { return a.ID.String() == id })
	if i < 0 {
		return e
	}
	a := r.attempts[i]
	amount := e.Amount
	e = paidWith(a)
	switch a.State {
	case state.AttemptApproved:
		e.Kind, e.Amount = shop.PayApproved, amount
	case state.AttemptNotCharged:
		e.Kind = shop.PayNotCharged
	default:
		e.Kind, e.Reason = shop.PayDeclined, a.ErrorMsg
	}
	return e
}

// due says until when an open dispute has to be answered.
func (s story) due(disputes []db.Dispute, e *shop.Event) {
	for _, d := range disputes {
		if d.State == state.DisputeOpened {
			e.Due = moment(d.DueAt, s.zone)
		}
	}
}

// untold returns what the rows of a payment tell that no event does: they were written before there were events, or are older than events
// are kept.
func (r rows) untold(t db.Transaction, list []db.ClientEventOfRow) (all []db.ClientEventOfRow) {
	add := func(kind event.Kind, e db.ClientEventOfRow) {
		told := slices.ContainsFunc(list, func(h db.ClientEventOfRow) bool { return h.Kind == string(kind) && h.About == e.About })
		if !told {
			e.Kind = string(kind)
			all = append(all, e)
		}
	}
	if t.Kind == "order" {
		add(event.OrderMade, db.ClientEventOfRow{About: t.ID, AmountMinor: t.AmountMinor, Currency: t.Currency, HappenedAt: t.CreatedAt})
	}
	for _, a := range r.attempts {
		e := db.ClientEventOfRow{About: a.ID.String(), AmountMinor: a.AmountMinor, Currency: a.Currency}
		if a.CapturedMinor != nil {
			e.AmountMinor = *a.CapturedMinor
		}
		kind := event.PaymentFailed
		switch a.State {
		case state.AttemptApproved:
			kind = event.PaymentSucceeded
		case state.AttemptDeclined, state.AttemptNotCharged:
		default:
			continue
		}
		e.HappenedAt = *a.SettledAt
		add(kind, e)
	}
	for _, f := range r.refunds {
		e := db.ClientEventOfRow{About: f.ID.String(), AmountMinor: f.AmountMinor, Currency: f.Currency}
		kind := event.PaymentRefunded
		switch f.State {
		case state.RefundDone:
		case state.RefundDeclined:
			kind = event.RefundFailed
		default:
			continue
		}
		e.HappenedAt = *f.SettledAt
		add(kind, e)
	}
	for _, d := range r.disputes {
		e := db.ClientEventOfRow{About: d.AttemptID.String(), AmountMinor: d.AmountMinor, Currency: d.Currency, HappenedAt: d.OpenedAt}
		add(event.DisputeOpened, e)
		if d.EndedAt != nil {
			e.HappenedAt = *d.EndedAt
			add(map[state.Dispute]event.Kind{state.DisputeWon: event.DisputeWon, state.DisputeLost: event.DisputeLost}[d.State], e)
		}
	}
	return all
}

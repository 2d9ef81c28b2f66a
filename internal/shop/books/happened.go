package books

import (
	"slices"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/payment"
)

// rows are the rows that the events of a payment are about.
type rows struct {
	attempts []db.DeskAttemptListRow
	refunds  []db.DeskRefundListRow
	disputes []db.Dispute
}

// happened adds the events of a payment to its timeline, with what their rows say about each.
func (s story) happened(list []db.ClientEventOfRow, of rows) {
	for _, h := range list {
		at := h.HappenedAt
		e := Event{Amount: h.AmountMinor, Currency: strings.TrimSpace(h.Currency)}
		switch h.Kind {
		case state.EventOrderMade:
			e.Kind = OrderMade
		case state.EventOrderReady:
			e.Kind, e.Location = OrderReady, h.Detail
		case state.EventOrderDone:
			e.Kind = OrderDone
		case state.EventPaymentSucceeded, state.EventPaymentFailed:
			e = of.attempt(h.About, e)
		case state.EventPaymentRefunded:
			e.Kind = RefundDone
		case state.EventRefundFailed:
			e.Kind = RefundDeclined
		case state.EventDisputeOpened:
			e.Kind, e.Dispute = DisputeOpened, h.About
			if paid := paid(list); !at.After(paid) { // the gateway dates it by another clock
				at = paid.Add(time.Nanosecond)
			}
			s.due(of.disputes, &e)
		case state.EventDisputeWon:
			e.Kind = DisputeWon
		case state.EventDisputeLost:
			e.Kind = DisputeLost
		default: // the timeline has each refund that was asked for, so it needs no event about a large one
			continue
		}
		s.add(at, e)
	}
}

// paid returns when a payment succeeded, or the zero time.
func paid(list []db.ClientEventOfRow) (at time.Time) {
	for _, h := range list {
		if h.Kind == state.EventPaymentSucceeded {
			at = h.HappenedAt
		}
	}
	return at
}

// attempt completes the event about the end of an attempt.
func (r rows) attempt(id string, e Event) Event {
	i := slices.IndexFunc(r.attempts, func(a db.DeskAttemptListRow) bool { return a.ID.String() == id })
	if i < 0 {
		return e
	}
	a := r.attempts[i]
	amount := e.Amount
	e = paidWith(a)
	switch {
	case a.State == state.AttemptApproved:
		e.Kind, e.Amount = PayApproved, amount
	case a.State == state.AttemptNotCharged && a.ErrorMsg == payment.SaidUnconfirmed:
		e.Kind = PayUnconfirmed
	case a.State == state.AttemptNotCharged:
		e.Kind = PayNotCharged
	default:
		e.Kind, e.Reason = PayDeclined, a.ErrorMsg
	}
	return e
}

// due sets the deadline of an open dispute.
func (s story) due(disputes []db.Dispute, e *Event) {
	for _, d := range disputes {
		if d.State == state.DisputeOpened {
			e.Due = moment(d.DueAt, s.zone)
		}
	}
}

// untold returns events for the rows of a payment that have none, because they predate events or are older than the events that are
// kept.
func (r rows) untold(t db.Transaction, list []db.ClientEventOfRow) []db.ClientEventOfRow {
	var made []db.ClientEventOfRow
	if t.Kind == state.OrderKind {
		made = append(made, rowEvent(state.EventOrderMade, t.ID, t.AmountMinor, t.Currency, t.CreatedAt))
	}
	all := slices.Concat(made, r.ofAttempts(), r.ofRefunds(), r.ofDisputes())
	return slices.DeleteFunc(all, func(e db.ClientEventOfRow) bool {
		return slices.ContainsFunc(list, func(h db.ClientEventOfRow) bool { return h.Kind == e.Kind && h.About == e.About })
	})
}

func rowEvent(kind state.Event, about string, minor int64, currency string, at time.Time) db.ClientEventOfRow {
	return db.ClientEventOfRow{Kind: kind, About: about, AmountMinor: minor, Currency: currency, HappenedAt: at}
}

func (r rows) ofAttempts() (all []db.ClientEventOfRow) {
	for _, a := range r.attempts {
		kind, amount := state.EventPaymentFailed, a.AmountMinor
		switch a.State {
		case state.AttemptApproved:
			kind = state.EventPaymentSucceeded
		case state.AttemptDeclined, state.AttemptNotCharged:
		default:
			continue
		}
		if a.CapturedMinor != nil {
			amount = *a.CapturedMinor
		}
		all = append(all, rowEvent(kind, a.ID.String(), amount, a.Currency, *a.SettledAt))
	}
	return all
}

func (r rows) ofRefunds() (all []db.ClientEventOfRow) {
	for _, f := range r.refunds {
		kind := state.EventPaymentRefunded
		switch f.State {
		case state.RefundDone:
		case state.RefundDeclined:
			kind = state.EventRefundFailed
		default:
			continue
		}
		all = append(all, rowEvent(kind, f.ID.String(), f.AmountMinor, f.Currency, *f.SettledAt))
	}
	return all
}

func (r rows) ofDisputes() (all []db.ClientEventOfRow) {
	ends := map[state.Dispute]state.Event{state.DisputeWon: state.EventDisputeWon, state.DisputeLost: state.EventDisputeLost}
	for _, d := range r.disputes {
		all = append(all, rowEvent(state.EventDisputeOpened, d.AttemptID.String(), d.AmountMinor, d.Currency, d.OpenedAt))
		if d.EndedAt != nil {
			all = append(all, rowEvent(ends[d.State], d.AttemptID.String(), d.AmountMinor, d.Currency, *d.EndedAt))
		}
	}
	return all
}

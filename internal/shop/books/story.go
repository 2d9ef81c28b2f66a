package books

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/shop"
)

// Event is something that happened to a payment, in the shop's zone.
type Event struct {
	At       time.Time
	Kind     state.Event // of a stored event, of a movement in a payout, or one of those below
	Amount   int64       // minor units; 0 if it is about no amount
	Currency string
	Method   state.Method
	Brand    string // of the card
	LastFour string
	Who      string // the person on the team who did it; "" for anybody else
	Reason   string // why, in their words or the bank's; for a letter that was held, as package mail says it
	Lines    string // what a refund is for: "1 x Flat White"
	Payout   string // its id
	Location string // the location that finished an order
	Number   int64  // of the payout
	Dispute  string // id of the dispute that was opened
	Due      time.Time
}

// The kinds of events that are not stored.
const (
	LinkMade       state.Event = "link made"
	LinkSeen       state.Event = "link seen"
	PayTried       state.Event = "pay tried"
	PayNotCharged  state.Event = "pay not charged"
	PayUnconfirmed state.Event = "pay unconfirmed"
	PayAtBank      state.Event = "pay at bank" // now
	PayUnknown     state.Event = "pay unknown" // now
	PayManual      state.Event = "pay manual"  // now
	ReceiptMade    state.Event = "receipt made"
	ReceiptMailed  state.Event = "receipt mailed"
	ReceiptHeld    state.Event = "receipt held"
	ReceiptFailed  state.Event = "receipt failed"
	PayGivenBack   state.Event = "pay given back"
	PayMissed      state.Event = "pay missed"    // it failed here, and a ledger has it as charged
	PayFound       state.Event = "pay found"     // then staff booked it
	PayCorrected   state.Event = "pay corrected" // its amount is the difference
	RefundAsked    state.Event = "refund asked"
	RefundFound    state.Event = "refund found" // in the gateway's ledger
	RefundFixed    state.Event = "refund corrected"
	RefundOpen     state.Event = "refund open"   // now
	RefundManual   state.Event = "refund manual" // now
	RefundMailed   state.Event = "refund mailed"
	RefundHeld     state.Event = "refund held"
	RefundUnsent   state.Event = "refund letter failed"
)

// story collects what happened to a payment.
type story struct {
	Case
	zone     *time.Location
	row      db.DeskPaymentGetRow
	attempts []db.DeskAttemptListRow
	refunds  []db.DeskRefundListRow
	disputes []db.Dispute
	paid     time.Time
}

// Find returns a payment of a shop with everything that happened to it. Errors: ErrMissing, also for another shop's.
func (b *Books) Find(ctx context.Context, one shop.Shop, id string) (c Case, err error) {
	s, err := b.begin(ctx, one, id)
	if err != nil {
		return c, err
	}
	if s.attempts, err = b.queries.DeskAttemptList(ctx, id, one.Code); err != nil {
		return c, err
	}
	if s.disputes, err = b.queries.DeskDisputeList(ctx, id, one.Code); err != nil {
		return c, err
	}
	moved, err := b.queries.DeskMovementList(ctx, id, one.Code)
	if err != nil {
		return c, err
	}
	letters, err := b.queries.DeskLetterList(ctx, s.letterKeys())
	if err != nil {
		return c, err
	}
	events, err := b.queries.ShopEventOf(ctx, one.Code, id)
	if err != nil {
		return c, err
	}
	s.addMade()
	s.addAttempts()
	s.addRefunds()
	s.addHappened(slices.Concat(s.untold(events), events))
	if s.row.Transaction.PaidAt != nil && s.Receipt != "" {
		s.add(s.paid, Event{Kind: ReceiptMade})
	}
	s.addMoved(moved)
	s.addLetters(letters)
	// What is still open comes last, whenever it began.
	slices.SortStableFunc(s.Timeline, func(a, b Event) int {
		if a.At.IsZero() != b.At.IsZero() {
			return b.At.Compare(a.At)
		}
		return a.At.Compare(b.At)
	})
	return s.Case, nil
}

// add adds an event. The zero time is now.
func (s *story) add(at time.Time, e Event) {
	if !at.IsZero() {
		e.At = at.In(s.zone)
	} else {
		s.Unfinished = true
	}
	s.Timeline = append(s.Timeline, e)
}

func (s *story) addMade() {
	if t := s.row.Transaction; s.Link {
		s.add(t.CreatedAt, Event{Kind: LinkMade, Amount: t.AmountMinor, Currency: t.Currency})
	}
	if s.row.Opened {
		s.add(s.row.OpenedAt, Event{Kind: LinkSeen})
	}
}

// addAttempts adds when each attempt began, and the state of those that have not ended.
func (s *story) addAttempts() {
	for _, a := range s.attempts {
		e := triedWith(a)
		e.Kind = PayTried
		s.add(a.CreatedAt, e)
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

func triedWith(a db.DeskAttemptListRow) Event {
	return Event{Amount: a.AmountMinor, Currency: a.Currency, Method: a.Method, Brand: a.CardBrand, LastFour: a.CardLastFour}
}

// addRefunds adds when each refund was asked for, and the state of those that have not ended.
func (s *story) addRefunds() {
	for _, r := range s.refunds {
		e := Event{Kind: RefundAsked, Amount: r.AmountMinor, Currency: strings.TrimSpace(r.Currency)}
		asked := e
		asked.Reason, asked.Lines = r.Reason, r.Lines
		switch {
		case r.ByTeam:
			asked.Who = r.RequestedBy
		case r.RequestedBy == "ledger":
			asked.Kind = RefundFound
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
		s.Undecided = true
		s.add(time.Time{}, e)
	}
}

// addHappened adds events, with what the rows say about each. The timeline has each refund that was asked for, so it needs no event about a
// large one.
func (s *story) addHappened(list []db.ShopEventOfRow) {
	missed := map[string]time.Time{} // when an attempt failed that was booked later
	for _, h := range list {
		if h.Kind == state.EventPaymentFailed {
			missed[h.About] = h.HappenedAt
		}
	}
	for _, h := range list {
		if h.Kind == state.EventPaymentSucceeded {
			s.paid = h.HappenedAt
			if failed := missed[h.About]; s.paid.Before(failed) {
				s.paid = failed.Add(time.Nanosecond)
			}
		}
	}
	for _, h := range list {
		at, e := h.HappenedAt, Event{Kind: h.Kind, Amount: h.AmountMinor, Currency: strings.TrimSpace(h.Currency)}
		switch h.Kind {
		case state.EventRefundLarge, state.EventRefundAsked, state.EventPayoutPaid, state.EventOrderUnseen:
			continue
		case state.EventOrderReady:
			e.Location = h.Detail
		case state.EventPaymentSucceeded, state.EventPaymentFailed:
			e = s.ended(h, e)
			if _, was := missed[h.About]; was && e.Kind == state.EventPaymentSucceeded {
				at, e.Kind = s.paid, PayFound
			}
		case state.EventDisputeOpened:
			e.Dispute = h.About
			if !at.After(s.paid) { // the gateway dates it by another clock
				at = s.paid.Add(time.Nanosecond)
			}
			for _, d := range s.disputes {
				if d.State == state.DisputeOpened {
					e.Due = moment(d.DueAt, s.zone)
				}
			}
		}
		s.add(at, e)
	}
}

// ended completes the event about the end of an attempt. One that was refused may have been booked later.
func (s *story) ended(h db.ShopEventOfRow, e Event) Event {
	i := slices.IndexFunc(s.attempts, func(a db.DeskAttemptListRow) bool { return a.ID.String() == h.About })
	if i < 0 {
		e.Kind = ""
		return e
	}
	a, amount := s.attempts[i], e.Amount
	e = triedWith(a)
	switch {
	case a.State == state.AttemptApproved && h.Kind == state.EventPaymentSucceeded:
		e.Kind, e.Amount = state.EventPaymentSucceeded, amount
	case a.State == state.AttemptApproved:
		e.Kind = PayMissed
	case a.State == state.AttemptNotCharged && a.ErrorMsg == payment.SaidUnconfirmed:
		e.Kind = PayUnconfirmed
	case a.State == state.AttemptNotCharged && a.ErrorMsg == payment.SaidGivenBack:
		e.Kind = PayGivenBack
	case a.State == state.AttemptNotCharged:
		e.Kind = PayNotCharged
	default:
		e.Kind, e.Reason = state.EventPaymentFailed, a.ErrorMsg
	}
	return e
}

// The events by which the rows of a payment ended.
var (
	attemptEnds = map[state.Attempt]state.Event{
		state.AttemptApproved: state.EventPaymentSucceeded, state.AttemptDeclined: state.EventPaymentFailed,
		state.AttemptNotCharged: state.EventPaymentFailed,
	}
	refundEnds  = map[state.Refund]state.Event{state.RefundDone: state.EventPaymentRefunded, state.RefundDeclined: state.EventRefundFailed}
	disputeEnds = map[state.Dispute]state.Event{state.DisputeWon: state.EventDisputeWon, state.DisputeLost: state.EventDisputeLost}
)

// untold returns events for the rows of a payment that have none in a list, because they predate events or are older than the events that
// are kept.
func (s *story) untold(list []db.ShopEventOfRow) (untold []db.ShopEventOfRow) {
	add := func(kind state.Event, about string, minor int64, currency string, at *time.Time) {
		if kind == "" || at == nil || slices.ContainsFunc(list, func(h db.ShopEventOfRow) bool { return h.Kind == kind && h.About == about }) {
			return
		}
		untold = append(untold, db.ShopEventOfRow{Kind: kind, About: about, AmountMinor: minor, Currency: currency, HappenedAt: *at})
	}
	if t := s.row.Transaction; t.Kind == state.OrderKind {
		add(state.EventOrderMade, t.ID, t.AmountMinor, t.Currency, &t.CreatedAt)
	}
	for _, a := range s.attempts {
		add(attemptEnds[a.State], a.ID.String(), *cmp.Or(a.CapturedMinor, &a.AmountMinor), a.Currency, a.SettledAt)
	}
	for _, r := range s.refunds {
		add(refundEnds[r.State], r.ID.String(), r.AmountMinor, r.Currency, r.SettledAt)
	}
	for _, d := range s.disputes {
		add(state.EventDisputeOpened, d.AttemptID.String(), d.AmountMinor, d.Currency, &d.OpenedAt)
		add(disputeEnds[d.State], d.AttemptID.String(), d.AmountMinor, d.Currency, d.EndedAt)
	}
	return untold
}

// addMoved adds payouts, and what corrected an amount.
func (s *story) addMoved(list []db.DeskMovementListRow) {
	for _, m := range list {
		e := Event{Kind: state.Event(m.Kind), Amount: max(m.AmountMinor, -m.AmountMinor), Currency: m.Currency}
		switch {
		case m.Correction && m.Kind == state.MovedCharge:
			e.Kind, e.Amount = PayCorrected, m.AmountMinor
			s.add(m.BookedAt, e)
		case m.Correction:
			e.Kind, e.Amount = RefundFixed, -m.AmountMinor
			s.add(m.BookedAt, e)
		default:
			e.Amount, e.Payout, e.Number = max(m.PaidMinor, -m.PaidMinor), *m.ID, *m.Number
			s.add(*m.PaidAt, e)
		}
	}
}

// letterKeys are the keys of the letters about the payment.
func (s *story) letterKeys() []string {
	customer := "receipt/" + s.ID + "/" + string(receipt.Customer)
	keys := []string{customer, "receipt/" + s.ID + "/" + string(receipt.Typed), customer + "/asked"}
	for _, r := range s.refunds {
		keys = append(keys, refundKey(r))
	}
	return keys
}

func refundKey(r db.DeskRefundListRow) string { return "refund/" + r.ID.String() }

// addLetters adds what became of letters, except those that are on their way.
func (s *story) addLetters(list []db.DeskLetterListRow) {
	amounts := map[string]int64{}
	for _, r := range s.refunds {
		amounts[refundKey(r)] = r.AmountMinor
	}
	for _, l := range list {
		amount, isRefund := amounts[l.Key]
		sent, held, failed := ReceiptMailed, ReceiptHeld, ReceiptFailed
		if isRefund {
			sent, held, failed = RefundMailed, RefundHeld, RefundUnsent
		}
		e := Event{Amount: amount, Currency: s.Currency}
		switch {
		case l.SentAt != nil:
			e.Kind = sent
			s.add(*l.SentAt, e)
		case l.Held != "":
			e.Kind, e.Reason = held, l.Held
			s.add(l.CreatedAt, e)
		case l.Refused:
			e.Kind = failed
			s.add(l.CreatedAt, e)
		}
	}
}

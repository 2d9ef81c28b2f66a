package payment

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"forecourt/db/state"
)

const (
	// ManualAfter is the age at which staff may decide a payment or a refund without an outcome. attempt_waits and refund_waits in the
	// database repeat it and PendingAfter: a migration has to change those, too.
	ManualAfter = 5 * time.Minute
	// PendingAfter is the age at which staff may decide a refund that the gateway calls pending.
	PendingAfter = 24 * time.Hour
	// remindAfter is the time between two reminders.
	remindAfter = time.Hour
)

// Watch looks for payments in states that should not last, and logs them at level error. Use one Watch for all looks, because it remembers
// what it has logged.
type Watch struct {
	payments *Payments

	mu     sync.Mutex
	logged map[uuid.UUID]time.Time // when an attempt or refund was last logged
}

// NewWatch returns a Watch over payments.
func NewWatch(payments *Payments) *Watch {
	return &Watch{payments: payments, logged: map[uuid.UUID]time.Time{}}
}

// Look logs, each once an hour: attempts that have waited for a person for ManualAfter, late refunds, and payments and refunds that were
// sent to a gateway that is not configured. It also logs transactions in processing that nothing will ever settle.
func (w *Watch) Look(ctx context.Context) error {
	p := w.payments
	seen, err := p.queries.AttemptWatch(ctx)
	if err != nil {
		return err
	}
	if seen.Orphans > 0 {
		p.log.ErrorContext(ctx, "transactions are processing without an open attempt", "count", seen.Orphans)
	}
	return w.remind(ctx, time.Now())
}

func (w *Watch) remind(ctx context.Context, now time.Time) error {
	waiting, err := w.payments.Undecided(ctx)
	if err != nil {
		return err
	}
	refunds, err := w.payments.UndecidedRefunds(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	logged := make(map[uuid.UUID]time.Time, len(waiting))
	remind := func(id uuid.UUID, message string, about ...any) {
		if last, before := w.logged[id]; before && now.Sub(last) < remindAfter {
			logged[id] = last
			return
		}
		w.payments.log.ErrorContext(ctx, message, about...)
		logged[id] = now
	}
	for _, a := range waiting {
		switch {
		case w.payments.Elsewhere(a.Gateway):
			remind(a.ID, "a payment was sent to a gateway that is not set up: see forecourt payments", "attempt", a.ID,
				"transaction", a.TransactionID, "since", a.CreatedAt, "gateway", *a.Gateway)
		case a.State == state.AttemptManual && now.Sub(a.CreatedAt) >= ManualAfter: // the sweep logs the others
			remind(a.ID, "a payment waits for a person: see forecourt payments", "attempt", a.ID,
				"transaction", a.TransactionID, "since", a.CreatedAt, "reason", a.ErrorMsg)
		}
	}
	for _, r := range refunds {
		switch {
		case w.payments.Elsewhere(r.Gateway):
			remind(r.ID, "a refund was sent to a gateway that is not set up: see forecourt payments", "refund", r.ID,
				"transaction", r.TransactionID, "since", r.CreatedAt, "gateway", *r.Gateway)
		case r.Late:
			remind(r.ID, "a refund waits for a person: see forecourt payments", "refund", r.ID, "state", r.State,
				"transaction", r.TransactionID, "since", r.CreatedAt, "reason", r.ErrorMsg)
		}
	}
	w.logged = logged // forgets what is decided
	return nil
}

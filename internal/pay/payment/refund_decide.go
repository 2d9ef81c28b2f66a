package payment

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/people/review"
)

// ErrRefundDecided means that the refund is decided, or that its gateway still has time to decide it.
var ErrRefundDecided = fault.New(fault.Conflict, "the refund does not wait for a decision")

// The ways in which a person ends a refund.
const (
	EndDone     = End(state.RefundDone)
	EndDeclined = End(state.RefundDeclined)
)

var refundChoices = []review.Choice[End]{{State: EndDone, Why: sayWhy}, {State: EndDeclined, Why: sayWhy}}

// UndecidedRefunds lists the undecided refunds, oldest first. A person may decide the late ones: refunds that wait for a person, that had
// no answer for 5 minutes, that have been at the gateway for a day, or whose gateway is not configured.
func (p *Payments) UndecidedRefunds(ctx context.Context) ([]db.RefundListUndecidedRow, error) {
	return p.queries.RefundListUndecided(ctx, p.gatewayIDs())
}

// SaysOfRefund puts an answer about a refund into words for the person who decides.
func SaysOfRefund(a gateway.RefundAnswer) string {
	switch a.State {
	case state.RefundDone:
		return "done"
	case state.RefundDeclined:
		return "declined"
	case state.RefundPending:
		return "not decided yet"
	}
	switch {
	case errors.Is(a.Err, ErrElsewhere):
		return "nothing, since it is not set up"
	case errors.Is(a.Err, ErrDisputed):
		return "nothing, since it is not asked to refund a disputed payment"
	case errors.Is(a.Err, ErrInQuestion):
		return "nothing, since it is not asked to refund a payment about which its ledger and our books differ"
	}
	return "nothing that can be understood, or it cannot be asked"
}

// DecideRefund ends a refund that is late, and records who did it and why. It asks the gateway first by sending the refund again, which
// does not move the money twice. One that was never sent is declined without asking. The gateway must confirm the decision, or list the
// refund as done, unless the person has seen its answer. Errors: those of review.Check, ErrRefundDecided, AgainstError.
func (p *Payments) DecideRefund(ctx context.Context, d Decision) error {
	var err error
	if d.Reason, err = review.Check(refundChoices, d.End, d.Reason); err != nil {
		return err
	}
	waits, err := p.queries.RefundWaits(ctx, d.Of, p.gatewayIDs())
	if err != nil {
		return err
	}
	if !waits {
		return ErrRefundDecided
	}
	r, err := p.queries.RefundGet(ctx, d.Of)
	if err != nil {
		return err
	}
	answer, says := gateway.RefundAnswer{State: state.RefundDeclined}, "nothing, since it was never sent"
	if r.SentAt != nil || d.End != EndDeclined {
		if answer, err = p.askRefund(ctx, r); err != nil {
			return err
		}
		says = SaysOfRefund(answer)
	}
	listed, err := p.queries.RefundListed(ctx, d.Of)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	overruled := End(answer.State) != d.End && (d.End != EndDone || err != nil || listed.Odd != "")
	if overruled && d.Seen != says {
		return &AgainstError{says}
	}
	refundid := answer.RefundID
	if r.State == state.RefundManual {
		refundid = "" // it may be what could not be stored
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		var rows int64
		var err error
		if d.End == EndDone {
			rows, err = p.finishRefund(ctx, tx, d.Of, refundid, true)
		} else {
			rows, err = p.declineRefund(ctx, tx, d.Of, true)
		}
		if err == nil && rows > 0 {
			err = p.record(ctx, tx, d, decided{Action: "decide refund " + string(d.End), Says: says, Overruled: overruled})
		}
		if err == nil && rows == 0 {
			return ErrRefundDecided
		}
		return err
	})
	if err != nil {
		return err
	}
	p.announce(r.ShopCode, r.TransactionID)
	return nil
}

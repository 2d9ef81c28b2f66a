package payment

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/internal/people/review"
)

// Reasons why a person cannot decide.
var (
	// ErrNotManual means that the attempt does not wait for a person, perhaps because it is decided already.
	ErrNotManual = fault.New(fault.Conflict, "the attempt does not wait for a decision")
	// ErrOtherCurrency means that the capture is in a different currency than requested. The books cannot record that, so the capture can
	// only be refunded.
	ErrOtherCurrency = fault.New(fault.Conflict, "the gateway captured another currency")
	// ErrOtherCapture means that another payment has the capture's transaction id.
	ErrOtherCapture = fault.New(fault.Conflict, "the gateway's transaction id belongs to another payment")
	// ErrNoCaptureID means that nobody knows the gateway's transaction id of the capture, without which it cannot be refunded.
	ErrNoCaptureID = fault.New(fault.Conflict, "the gateway named no transaction id for this payment: find it at the gateway and give it")
	// ErrCaptureID means that the given transaction id is not the one that the gateway names, or is not a valid one.
	ErrCaptureID = fault.New(fault.Invalid, "the gateway names another transaction id")
	// ErrCaptured means that the gateway still has the captured money, so the attempt cannot end as not charged.
	ErrCaptured = fault.New(fault.Conflict, "the gateway says that it has captured the money")
)

// AgainstError means that the gateway does not confirm the decision.
type AgainstError struct {
	Says string // what it says instead
}

func (e *AgainstError) Error() string { return "the gateway says: " + e.Says }

// Unwrap returns a fault.Conflict.
func (e *AgainstError) Unwrap() error {
	return fault.New(fault.Conflict, "the gateway does not confirm it")
}

// End is how a person ends an attempt.
type End string

// The ends.
const (
	EndApproved   End = "approved"    // what was captured is final
	EndGivenBack  End = "given_back"  // all that was captured is refunded
	EndNotCharged End = "not_charged" // no money moved
)

// maxCaptureID is the greatest length in characters of a transaction id that a person enters, the same as for one from a gateway.
const maxCaptureID = 200

// Decision is a person's decision on an attempt or a refund.
type Decision struct {
	Of         uuid.UUID // the attempt or refund
	End        End
	By, Reason string
	Subject    string        // of a case, set by DecideMoney
	Proof      account.Proof // of who decides; DecideMoney needs it
	// Seen is what the gateway said when they looked. A decision that the gateway does not confirm counts only while it still says that.
	Seen string
	// TransactionID is the gateway's id of the capture, for a gateway that did not name it. Without it the payment cannot be refunded.
	TransactionID string
}

// sayWhy asks for the reason that every decision on money needs.
const sayWhy = "Say why"

var staffChoices = []review.Choice[End]{
	{State: EndApproved, Why: sayWhy}, {State: EndGivenBack, Why: sayWhy}, {State: EndNotCharged, Why: sayWhy},
}

// SaidUnconfirmed is the stored error text of a payment that a person ended as not charged without the gateway's word.
const SaidUnconfirmed = "The gateway did not confirm whether it was charged."

// Undecided lists the attempts without an outcome that staff have to look at, oldest first: attempts that wait for a person, that are older
// than 5 minutes, or whose gateway is not configured.
func (p *Payments) Undecided(ctx context.Context) ([]db.AttemptListUndecidedRow, error) {
	return p.queries.AttemptListUndecided(ctx, p.gatewayIDs())
}

// Decide ends an attempt that waits for a person, and records who did it and why. It asks the gateway first, which must confirm the
// decision unless the person has seen its answer. With EndNotCharged, a gateway that has not charged will refuse the payment if it still
// arrives; a gateway that has charged must show in its ledger that it refunded the money. Nobody can pay a transaction again that ended as
// not charged without the gateway's word: it may still be charged. With EndGivenBack the attempt waits until the gateway has refunded the
// capture. Errors: those of review.Check, ErrNotManual, AgainstError, ErrCaptured, ErrOtherCurrency, ErrOtherCapture, ErrCaptureID,
// ErrOtherRefund; with EndGivenBack ErrNoCaptureID and giveBack's.
func (p *Payments) Decide(ctx context.Context, d Decision) error {
	var err error
	if d.Reason, err = review.Check(staffChoices, d.End, d.Reason); err != nil {
		return err
	}
	a, err := p.waiting(ctx, d.Of)
	if err != nil {
		return err
	}
	answer, err := p.confirm(ctx, a, d)
	if err != nil {
		return err
	}
	if d.End != EndNotCharged {
		if err := checkCapture(a, d, &answer); err != nil {
			return err
		}
	}
	if d.End == EndGivenBack {
		err = p.giveBack(ctx, a, d, answer)
	} else {
		err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error { return p.end(ctx, tx, a, d, answer) })
	}
	if db.IsTaken(err, "attempt_capture") {
		return ErrOtherCapture
	}
	p.uncount(ctx, a.ID, a.TransactionID)
	p.announce(a.ShopCode, a.TransactionID)
	return err
}

// confirm returns the gateway's answer if the gateway confirms a decision, or the person overrules it.
func (p *Payments) confirm(ctx context.Context, a db.Attempt, d Decision) (Answer, error) {
	if d.End != EndNotCharged {
		answer, err := p.ask(ctx, a)
		if err == nil && (!answer.Charged || !answer.knowsAmount()) {
			err = d.overrule(&answer)
		}
		return answer, err
	}
	answer, err := p.askForGood(ctx, a)
	if err != nil {
		return answer, err
	}
	entry, err := p.queries.LedgerEntryGet(ctx, a.ID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return answer, err
	}
	listed := err == nil && entry.WithdrawnAt == nil // the gateway may not know it by a reference
	var captured db.CaptureListedRow
	if answer.Charged || listed {
		captured = p.lookUp(ctx, a)
	}
	switch {
	case captured.AmountMinor != 0 && captured.BackMinor >= captured.AmountMinor:
		answer.Returned = true
		return answer, nil
	case captured.AmountMinor != 0, answer.Charged, listed:
		return answer, ErrCaptured
	case answer.Outcome == gateway.Declined, answer.Outcome == gateway.NotCharged:
		return answer, nil
	}
	return answer, d.overrule(&answer)
}

// checkCapture completes an answer about a capture with the ids that the gateway named earlier and that the person knows.
func checkCapture(a db.Attempt, d Decision, answer *Answer) error {
	if !answer.Charged {
		answer.Amount, answer.Currency, answer.TransactionID = 0, "", "" // they belong to no charge
	}
	if answer.Amount == 0 && a.ToldMinor != nil {
		answer.Amount = *a.ToldMinor
	}
	answer.Currency = cmp.Or(answer.Currency, a.ToldCurrency)
	named := cmp.Or(answer.TransactionID, *cmp.Or(a.Transactionid, new(string)))
	if answer.Owner != "" {
		named = "" // it belongs to another payment
	}
	switch {
	case d.TransactionID != "" && !printable.Line(d.TransactionID, maxCaptureID),
		d.TransactionID != "" && named != "" && named != d.TransactionID:
		return ErrCaptureID
	}
	answer.TransactionID = cmp.Or(named, d.TransactionID)
	switch {
	case d.End == EndGivenBack && answer.TransactionID == "":
		return ErrNoCaptureID
	case d.End == EndApproved && answer.Currency != "" && answer.Currency != a.Currency:
		return ErrOtherCurrency
	}
	return nil
}

// end records a decision.
func (p *Payments) end(ctx context.Context, tx pgx.Tx, a db.Attempt, d Decision, answer Answer) error {
	queries := p.queries.WithTx(tx)
	if err := p.free(ctx, queries, a); err != nil {
		return err
	}
	var rows int64
	var err error
	if d.End == EndNotCharged {
		reason := ""
		switch {
		case answer.Returned:
			reason = SaidGivenBack
		case answer.Overruled:
			reason = SaidUnconfirmed
		}
		rows, err = queries.AttemptRefuse(ctx, db.AttemptRefuseParams{
			ID: a.ID, State: state.AttemptNotCharged, ByPerson: true, Gateways: p.gatewayIDs(), Unconfirmed: answer.Overruled,
			Transactionid: answer.TransactionID, Code: answer.Code, ErrorMsg: reason,
		})
	} else {
		if answer.Owner != "" {
			if err := queries.CaptureForget(ctx, a.ID); err != nil {
				return err
			}
		}
		captured := answer.Amount
		if captured == a.AmountMinor {
			captured = 0
		}
		rows, err = queries.AttemptApprove(ctx, db.AttemptApproveParams{
			ID: a.ID, ByPerson: true, Gateways: p.gatewayIDs(), Transactionid: answer.TransactionID, Code: answer.Code, CapturedMinor: captured,
		})
	}
	if err != nil {
		return err
	}
	if rows > 0 {
		err = p.record(ctx, tx, d, decided{Action: "decide " + string(d.End), Says: answer.Says(), Overruled: answer.Overruled})
	}
	switch {
	case err != nil:
		return err
	case rows == 0:
		return ErrNotManual
	case d.End == EndNotCharged:
		return nil
	}
	return receipt.Make(ctx, tx, p.cfg.Mail, a.ID, p.cfg.Descriptor(a.ShopCode))
}

// waiting returns an attempt that waits for a person. Errors: ErrNotManual.
func (p *Payments) waiting(ctx context.Context, id uuid.UUID) (db.Attempt, error) {
	waits, err := p.queries.AttemptWaits(ctx, id, p.gatewayIDs())
	if err != nil {
		return db.Attempt{}, err
	}
	if !waits {
		return db.Attempt{}, ErrNotManual
	}
	return p.queries.AttemptGet(ctx, id)
}

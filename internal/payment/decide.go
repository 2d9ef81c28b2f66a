package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/fault"
	"forecourt/internal/gateway"
	"forecourt/internal/money"
	"forecourt/internal/printable"
	"forecourt/internal/receipt"
)

// Why a person cannot decide.
var (
	// ErrNotManual means that no person has to decide the attempt, or that somebody already did.
	ErrNotManual = fault.New(fault.Conflict, "the attempt does not wait for a decision")
	// ErrOtherCurrency means that the capture is in a different currency than requested, which the books cannot hold: it can only be
	// given back.
	ErrOtherCurrency = fault.New(fault.Conflict, "the gateway captured another currency")
	// ErrOtherCapture means that another payment has the capture's transaction id.
	ErrOtherCapture = fault.New(fault.Conflict, "the gateway's transaction id belongs to another payment")
	// ErrNoCaptureID means that nobody knows the gateway's transaction id of the capture, without which it cannot be refunded.
	ErrNoCaptureID = fault.New(fault.Conflict, "the gateway's transaction id of the capture is not known")
	// ErrCaptureID means that the given transaction id is not the one that the gateway names, or cannot be one.
	ErrCaptureID = fault.New(fault.Invalid, "the gateway names another transaction id")
	// ErrGiveBackDeclined means that the gateway declined to give a capture in another currency back. Nothing has changed.
	ErrGiveBackDeclined = fault.New(fault.Conflict, "the gateway declined to give it back")
	// ErrNotGivenBack means that the payment is approved now but its refund was not made.
	ErrNotGivenBack = fault.New(fault.Conflict, "the payment is approved now, but was not given back")
)

// AgainstError means that the gateway does not confirm the decision.
type AgainstError struct {
	Says  string // what it says instead
	Moved bool   // whether it says that it moved the money
}

func (e *AgainstError) Error() string { return "the gateway says: " + e.Says }

// Unwrap makes it a conflict.
func (e *AgainstError) Unwrap() error {
	return fault.New(fault.Conflict, "the gateway does not confirm it")
}

// End is how a person ends an attempt.
type End string

// The ends.
const (
	EndApproved   End = "approved"    // what was captured is final
	EndGivenBack  End = "given_back"  // what was captured goes back, all of it
	EndNotCharged End = "not_charged" // no money moved
)

// maxCaptureID is the longest transaction id that a person may give, in characters, as a gateway may.
const maxCaptureID = 200

// Decision is what a person says of an attempt or a refund.
type Decision struct {
	Of         uuid.UUID // the attempt or refund
	End        End
	By, Reason string
	Against    string // who confirms it although the gateway does not; may be empty
	// TransactionID is the gateway's id of the capture, if the gateway named none to us. Without it the payment cannot be refunded.
	TransactionID string

	proposal db.Proposal // that Against confirms; of version 0 if there is none
	remark   string      // of Against
}

// Undecided lists the attempts without an outcome that somebody has to look at, oldest first: those that wait for a person, those
// older than 5 minutes and those of a gateway that is not configured.
func (p *Payments) Undecided(ctx context.Context) ([]db.AttemptListUndecidedRow, error) {
	return p.queries.AttemptListUndecided(ctx, p.gatewayIDs())
}

// Ask asks the gateway about an attempt that waits for a person, and changes nothing. Errors: ErrNotManual.
func (p *Payments) Ask(ctx context.Context, attempt uuid.UUID) (gateway.Answer, error) {
	a, err := p.waiting(ctx, attempt)
	if err != nil {
		return gateway.Answer{}, err
	}
	return p.ask(ctx, a, false), nil
}

// CaptureKnown reports whether the gateway's transaction id of an attempt is known, without which it cannot be refunded.
func (p *Payments) CaptureKnown(ctx context.Context, attempt uuid.UUID) (bool, error) {
	a, err := p.queries.AttemptGet(ctx, attempt)
	return a.Transactionid != nil, err
}

// Says words an answer for the person who decides.
func Says(a gateway.Answer) string {
	switch {
	case a.Charged && a.Amount != 0:
		return fmt.Sprintf("approved, %s %s", money.Wire(a.Amount), a.Currency)
	case a.Charged:
		return "approved"
	case a.Outcome == gateway.Unknown, a.Outcome == gateway.Mismatch:
		return "nothing that can be understood, or it cannot be asked"
	}
	return map[gateway.Outcome]string{
		gateway.Declined: "declined", gateway.NotCharged: "not charged", gateway.Pending: "not decided yet",
		gateway.NeverArrived: "it has never seen the payment", gateway.Redirected: "the customer is at the bank",
	}[a.Outcome]
}

// Decide ends an attempt that waits for a person, and records who did it and why. It asks the gateway first, which must confirm the
// decision unless somebody else vouches for it. EndNotCharged makes a gateway that has not charged refuse the payment should it still
// arrive. Errors: ErrNotManual, AgainstError, ErrNewAnswer, ErrOtherCurrency, ErrOtherCapture, ErrCaptureID; with EndGivenBack
// ErrNoCaptureID, ErrOtherRefund, ErrGiveBackDeclined and ErrNotGivenBack with Refund's.
func (p *Payments) Decide(ctx context.Context, d Decision) error {
	a, err := p.waiting(ctx, d.Of)
	if err != nil {
		return err
	}
	charges := d.End != EndNotCharged
	answer := p.ask(ctx, a, false)
	if !charges && !answer.Charged && answer.Outcome != gateway.Declined { // what is charged or declined is closed already
		answer = p.ask(ctx, a, true)
	}
	confirmed := answer.Charged
	if !charges {
		confirmed = answer.Outcome == gateway.Declined || answer.Outcome == gateway.NotCharged
	}
	if !confirmed {
		if err := d.vouched(Says(answer), answer.Charged); err != nil {
			return err
		}
	}
	if charges {
		err := checkCapture(a, d, &answer)
		if errors.Is(err, ErrOtherCurrency) && d.End == EndGivenBack {
			return p.giveBackOther(ctx, a, d, answer)
		}
		if err != nil {
			return err
		}
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error { return p.end(ctx, tx, a, d, answer) })
	if db.IsTaken(err, "attempt_capture") {
		return ErrOtherCapture
	}
	if err != nil {
		return err
	}
	p.announce(a.ClientCode, a.TransactionID)
	if d.End == EndGivenBack {
		if _, err := p.Refund(ctx, RefundOrder{TransactionID: a.TransactionID, By: d.By}); err != nil {
			return fmt.Errorf("%w: %w", ErrNotGivenBack, err)
		}
	}
	return nil
}

// checkCapture completes an answer about a capture with what the gateway named earlier and what the person knows.
func checkCapture(a db.Attempt, d Decision, answer *gateway.Answer) error {
	if !answer.Charged {
		answer.Amount, answer.Currency, answer.TransactionID = 0, "", "" // of no charge
	}
	if answer.Amount == 0 && a.ToldMinor != nil {
		answer.Amount = *a.ToldMinor
	}
	answer.Currency = cmp.Or(answer.Currency, a.ToldCurrency)
	switch {
	case d.TransactionID != "" && !printable.Line(d.TransactionID, maxCaptureID),
		d.TransactionID != "" && answer.TransactionID != "" && answer.TransactionID != d.TransactionID:
		return ErrCaptureID
	}
	answer.TransactionID = cmp.Or(answer.TransactionID, d.TransactionID, *cmp.Or(a.Transactionid, new(string)))
	switch {
	case answer.TransactionID == "" && d.End == EndGivenBack:
		return ErrNoCaptureID
	case answer.Currency != "" && answer.Currency != a.Currency:
		return ErrOtherCurrency
	}
	return nil
}

// end records a decision.
func (p *Payments) end(ctx context.Context, tx pgx.Tx, a db.Attempt, d Decision, answer gateway.Answer) error {
	queries := p.queries.WithTx(tx)
	var rows int64
	var err error
	if d.End == EndNotCharged {
		rows, err = queries.AttemptRefuse(ctx, db.AttemptRefuseParams{
			ID: a.ID, State: state.AttemptNotCharged, ByPerson: true, Gateways: p.gatewayIDs(), Transactionid: answer.TransactionID, Code: answer.Code,
		})
	} else {
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
		rows, err = record(ctx, queries, d, "decide "+string(d.End), Says(answer))
	}
	switch {
	case err != nil:
		return err
	case rows == 0:
		return ErrNotManual
	case d.End == EndNotCharged:
		return nil
	}
	return receipt.Make(ctx, tx, p.cfg.Mail, a.ID, p.cfg.Descriptor(a.ClientCode))
}

// waiting is an attempt that waits for a person.
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

// ask asks the attempt's own gateway, either settling the payment for good or changing nothing.
func (p *Payments) ask(ctx context.Context, a db.Attempt, forGood bool) gateway.Answer {
	at, wallet := p.at(a.Gateway), a.Method != state.Card
	switch {
	case at == nil:
		return gateway.Answer{Outcome: gateway.Unknown, Err: ErrElsewhere}
	case forGood:
		return at.Resolve(ctx, gateway.ResolveRequest{
			Reference: a.ID.String(), MerchantID: a.ClientCode, TestMode: a.TestMode, Amount: a.AmountMinor, Currency: a.Currency, Wallet: wallet,
		})
	}
	return at.Look(ctx, gateway.Want{Reference: a.ID.String(), Amount: a.AmountMinor, Currency: a.Currency, Wallet: wallet})
}

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
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/people/account"
	"forecourt/internal/run/tracing"
)

// Reasons why a refund is not made.
var (
	// ErrNotPaid means that nobody has paid the transaction.
	ErrNotPaid = fault.New(fault.Conflict, "the transaction is not paid")
	// ErrTooMuch means that the amount exceeds what is left of the capture.
	ErrTooMuch = fault.New(fault.Conflict, "more than is left of the payment")
	// ErrEqualRefund means that an equal refund was already made.
	ErrEqualRefund = fault.New(fault.Conflict, "an equal refund was already made")
	// ErrDisputed means that the payer's bank withholds or has taken back the payment's money.
	ErrDisputed = fault.New(fault.Conflict, "the payment is disputed: the payer's bank holds its money or has taken it")
	// ErrInQuestion means that the gateway's ledger and our books differ about the transaction, until a person has decided that.
	ErrInQuestion = fault.New(fault.Conflict, "the gateway's ledger and our books differ about it: decide that at /staff/unmatched first")
	// ErrOtherRefund means that a refund with another amount or from another form is open, or that another refund came first.
	ErrOtherRefund = fault.New(fault.Conflict, "another refund of this transaction came first or is not decided yet")
	// ErrLines means that the refund is for more of a line than the order has left.
	ErrLines = fault.New(fault.Conflict, "more of a line than is left")
	// ErrMember means that the role of the member who asks has changed since they looked.
	ErrMember = fault.New(fault.Forbidden, "the role of the member has changed")
	// ErrLimit means that the amount is more than the member may refund of one payment.
	ErrLimit = fault.New(fault.Conflict, "above the limit of the role")
)

// RefundRequest says what to refund, and who asks for it.
type RefundRequest struct {
	TransactionID string
	Amount        int64  // minor units; 0 is all that is left
	By            string // who asks, for the audit log
	Again         bool   // make it although an equal one was made
	CaptureID     string // the gateway's transaction id of the payment, if the gateway has not named it

	ID     uuid.UUID     // the form's; the same id makes one refund, however often it is requested. The zero id makes a new one
	Shop   string        // the business that the payment has to be of; "" is any
	Reason string        // for the business, at most 500 characters
	Lines  []RefundLine  // what it is for; Amount is then their price
	Seen   *int64        // how much was refunded when the person looked, undecided refunds included; ErrOtherRefund if that has changed
	Member *RefundMember // of the business's team, who asks; nil for the operator
}

// RefundMember is a member of a business's team, and what they may refund. Refund counts all that they refunded of the payment.
type RefundMember struct {
	Account uuid.UUID
	Role    string // the role that Limit is of; ErrMember if it is no longer theirs
	Limit   *int64 // minor units; nil is no limit
	Large   *int64 // above this Proof is needed, and the owners are told; nil is never
	Proof   account.Proof
	Subject string // of the line in the audit log
}

// RefundLine is a part of a refund: Qty of the order's line No.
type RefundLine struct{ No, Qty int }

// Refund refunds a payment once. It resumes a refund that is still open, with the same reference, unless asked comes from a form with
// another id. To repeat a refund that was made, asked needs Again. The returned row is open or pending if the gateway has not decided yet;
// the sweep then goes on with it. The row is manual if a person has to decide. Errors: ErrMissing, ErrNotPaid, ErrNoCaptureID,
// ErrCaptureID, ErrOtherCapture, ErrTooMuch, ErrEqualRefund, ErrOtherRefund, ErrLines, ErrRestored, ErrDisputed, ErrInQuestion,
// ErrElsewhere, ErrMember, ErrLimit, account.ErrUnproved.
func (p *Payments) Refund(ctx context.Context, asked RefundRequest) (db.Refund, error) {
	if p.closing.Load() {
		return db.Refund{}, fault.New(fault.Unavailable, "shutting down")
	}
	paid, err := p.queries.TransactionCapture(ctx, asked.TransactionID, asked.Shop)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return db.Refund{}, ErrMissing
	case err != nil:
		return db.Refund{}, err
	}
	if before, found, err := p.refundBefore(ctx, asked); err != nil || found {
		return before, err
	}
	if !paid.Paid {
		return db.Refund{}, ErrNotPaid
	}
	if err := p.nameCapture(ctx, asked, &paid); err != nil {
		return db.Refund{}, err
	}
	if asked.Amount, err = p.priceLines(ctx, asked, paid.ShopCode); err != nil {
		return db.Refund{}, err
	}
	switch {
	case paid.RefundOpen && asked.ID != uuid.Nil: // not the form's own, which refundBefore would have found
		return db.Refund{}, ErrOtherRefund
	case paid.RefundOpen:
		return p.resumeOpen(ctx, asked)
	}
	if asked.Seen != nil && *asked.Seen != paid.RefundedMinor {
		return db.Refund{}, ErrOtherRefund
	}
	if closed, err := p.queries.RestorePending(ctx, asked.TransactionID); err != nil || closed {
		return db.Refund{}, cmp.Or(err, error(ErrRestored))
	}
	if err := p.checkRefund(ctx, &asked, paid); err != nil {
		return db.Refund{}, err
	}
	at := p.at(paid.Gateway)
	if at == nil {
		return db.Refund{}, ErrElsewhere
	}
	claimed, err := p.claimRefund(ctx, asked, at.ID(), paid.RefundedMinor)
	if errors.Is(err, ErrOtherRefund) { // perhaps the same form, sent twice at once
		if before, found, err := p.refundBefore(ctx, asked); err != nil || found {
			return before, err
		}
	}
	if err != nil {
		return db.Refund{}, err
	}
	return p.sendRefund(ctx, claimed)
}

// nameCapture makes sure that the gateway's transaction id of a payment is known. It stores the id that the request names.
func (p *Payments) nameCapture(ctx context.Context, asked RefundRequest, paid *db.TransactionCaptureRow) error {
	switch {
	case paid.Transactionid == "" && asked.CaptureID == "":
		return ErrNoCaptureID
	case paid.Transactionid != "" && asked.CaptureID != "" && asked.CaptureID != paid.Transactionid,
		!printable.Line(asked.CaptureID, maxCaptureID):
		return ErrCaptureID
	case paid.Transactionid != "":
		return nil
	}
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		rows, err := queries.CaptureName(ctx, asked.CaptureID, asked.TransactionID)
		if err == nil && rows == 0 {
			return ErrCaptureID // it was named a moment ago
		}
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: asked.By, Action: "name capture", Subject: asked.TransactionID, Reason: asked.CaptureID,
		})
	})
	if db.IsTaken(err, "attempt_capture") {
		return ErrOtherCapture
	}
	paid.Transactionid = asked.CaptureID
	return err
}

// resumeOpen resumes the open refund if that is the one that was ordered.
func (p *Payments) resumeOpen(ctx context.Context, asked RefundRequest) (db.Refund, error) {
	open, err := p.queries.RefundOpen(ctx, asked.TransactionID)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // it was decided a moment ago
		return db.Refund{}, ErrOtherRefund
	case err != nil:
		return db.Refund{}, err
	case asked.Amount != 0 && asked.Amount != open.AmountMinor:
		return db.Refund{}, ErrOtherRefund
	case open.State == state.RefundManual:
		return open, nil
	}
	return p.sendRefund(ctx, open)
}

// checkRefund fixes the amount, and rejects one that is too large or was already refunded.
func (p *Payments) checkRefund(ctx context.Context, asked *RefundRequest, paid db.TransactionCaptureRow) error {
	left := paid.AmountMinor - paid.RefundedMinor
	if asked.Amount == 0 {
		asked.Amount = left
	}
	if !asked.Again {
		equal, err := p.queries.RefundEqual(ctx, asked.TransactionID, max(asked.Amount, 1))
		if err != nil {
			return err
		}
		if equal {
			return ErrEqualRefund
		}
	}
	if asked.Amount <= 0 || asked.Amount > left {
		return ErrTooMuch
	}
	return nil
}

// claimRefund reserves the amount, opens the refund and writes a line into the audit log. It fails if the refunded total has
// changed, because an equal refund may have been made after we looked for one, and if the payment is disputed or in question.
func (p *Payments) claimRefund(ctx context.Context, asked RefundRequest, gateway string, before int64) (db.Refund, error) {
	var claimed db.Refund
	if asked.ID == uuid.Nil {
		asked.ID = uuid.New()
	}
	origin := tracing.OriginOf(ctx)
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		var err error
		claimed, err = queries.RefundClaim(ctx, db.RefundClaimParams{
			ID: asked.ID, TransactionID: asked.TransactionID, AmountMinor: asked.Amount, RequestedBy: asked.By,
			LeaseSeconds: p.lease().Seconds(), RefundedMinor: before, Gateway: gateway, Reason: asked.Reason,
			Request: origin.Request, Trace: origin.Trace,
		})
		if err != nil {
			return err
		}
		// A reading of the ledger waits for the claim, which holds the transaction, or the claim for it. Before it sends the refund, askRefund
		// looks again.
		if err = held(ctx, queries, asked.TransactionID); err == nil {
			err = addLines(ctx, queries, asked)
		}
		line := db.AuditAddParams{Actor: asked.By, Action: "refund", Subject: asked.TransactionID, Reason: claimed.ID.String()}
		if m := asked.Member; err == nil && m != nil {
			// the refund keeps its own reason, which may name the payer
			line.Subject, line.Reason = m.Subject, claimed.TransactionID+" "+money.Label(claimed.AmountMinor, claimed.Currency)
			err = m.may(ctx, queries, asked.By, claimed)
		}
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, line)
	})
	if errors.Is(err, pgx.ErrNoRows) || db.IsTaken(err) {
		return claimed, ErrOtherRefund // made a moment ago
	}
	return claimed, err
}

// may decides whether a member may refund what was just claimed. Their role stays as it is until the transaction ends.
func (m RefundMember) may(ctx context.Context, queries *db.Queries, by string, claimed db.Refund) error {
	role, err := queries.ShopMemberLock(ctx, claimed.ShopCode, m.Account)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrMissing
	case err != nil:
		return err
	case role != m.Role:
		return ErrMember
	}
	total, err := queries.RefundedBy(ctx, claimed.TransactionID, by)
	switch {
	case err != nil:
		return err
	case m.Limit != nil && total > *m.Limit:
		return ErrLimit
	case m.Large == nil || total <= *m.Large:
		return nil
	}
	if err := m.Proof.Check(); err != nil {
		return err
	}
	return queries.ShopEventAdd(ctx, db.ShopEventAddParams{
		Kind: state.EventRefundLarge, About: claimed.ID.String(), AmountMinor: &claimed.AmountMinor, TransactionID: claimed.TransactionID,
	})
}

// held returns ErrDisputed or ErrInQuestion if money of a transaction must not go back to its payer now.
func held(ctx context.Context, queries *db.Queries, trx string) error {
	why, err := queries.TransactionHeld(ctx, trx)
	switch {
	case err != nil:
		return err
	case why == "disputed":
		return ErrDisputed
	case why != "":
		return ErrInQuestion
	}
	return nil
}

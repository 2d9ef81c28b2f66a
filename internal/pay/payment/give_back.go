package payment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/tracing"
)

// Reasons why a capture is not refunded, or not yet.
var (
	// ErrGivingBack means that the refund of a capture is under way at the gateway.
	ErrGivingBack = fault.New(fault.Conflict, "the refund is under way at the gateway")
	// ErrGiveBackDeclined means that the gateway declined to refund a capture. The attempt still waits for a person.
	ErrGiveBackDeclined = fault.New(fault.Conflict, "the gateway declined to refund it")
)

// SaidGivenBack is the stored error text of a payment that did not go through and whose money was refunded.
const SaidGivenBack = "Any money taken has been refunded."

// giveBack refunds the whole capture. The attempt keeps waiting for a person until the gateway has made the refund. Errors: ErrNotManual,
// ErrElsewhere, ErrRestored, ErrDisputed, ErrInQuestion, ErrOtherCurrency if the capture is in another currency and its amount is unknown,
// ErrOtherCapture, ErrOtherRefund if a refund is already under way, ErrGiveBackDeclined, ErrGivingBack.
func (p *Payments) giveBack(ctx context.Context, a db.Attempt, d Decision, answer Answer) error {
	at := p.at(a.Gateway)
	currency := cmp.Or(answer.Currency, a.Currency)
	switch {
	case at == nil:
		return ErrElsewhere
	case answer.Amount == 0 && currency != a.Currency:
		return ErrOtherCurrency
	}
	if closed, err := p.queries.RestorePending(ctx, a.TransactionID); err != nil || closed {
		return cmp.Or(err, error(ErrRestored))
	}
	if err := held(ctx, p.queries, a.TransactionID); err != nil {
		return err
	}
	if disputed, err := p.queries.DisputeListed(ctx, at.ID(), p.wanted(ctx, a).Reference); err != nil || disputed {
		return cmp.Or(err, error(ErrDisputed))
	}
	var r db.Refund
	origin := tracing.OriginOf(ctx)
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		if err := p.free(ctx, queries, a); err != nil {
			return err
		}
		if _, err := queries.CaptureOwner(ctx, answer.TransactionID, a.ID); !errors.Is(err, pgx.ErrNoRows) {
			return cmp.Or(err, error(ErrOtherCapture)) // the refund would take another payment's money
		}
		if _, err := queries.AttemptManual(ctx, "", a.ID); err != nil { // so that the sweep does not end it meanwhile
			return err
		}
		var err error
		r, err = queries.RefundGiveBack(ctx, db.RefundGiveBackParams{
			ID: uuid.New(), AttemptID: a.ID, AmountMinor: cmp.Or(answer.Amount, a.AmountMinor), Currency: currency,
			Transactionid: answer.TransactionID, RequestedBy: d.By, LeaseSeconds: p.lease().Seconds(), Gateway: at.ID(),
			Request: origin.Request, Trace: origin.Trace,
		})
		if err != nil {
			return err
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{Actor: d.By, Action: "refund", Subject: a.TransactionID, Reason: r.ID.String()})
		if err != nil {
			return err
		}
		return p.record(ctx, tx, d, decided{Action: "decide " + string(d.End), Says: answer.Says(), Overruled: answer.Overruled})
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrNotManual
	case db.IsTaken(err):
		return ErrOtherRefund
	case err != nil:
		return err
	}
	r, err = p.sendRefund(ctx, r)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrGivingBack, err) // the sweep resumes it
	case r.State == state.RefundDeclined:
		return ErrGiveBackDeclined
	case r.State != state.RefundDone:
		return ErrGivingBack
	}
	return nil
}

// free locks an attempt's transaction and checks that no refund of it is under way. Errors: ErrOtherRefund.
func (p *Payments) free(ctx context.Context, queries *db.Queries, a db.Attempt) error {
	if err := queries.AttemptLock(ctx, a.TransactionID); err != nil {
		return err
	}
	_, err := queries.RefundOpen(ctx, a.TransactionID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return ErrOtherRefund
}

// endGivenBack ends the attempt whose capture was refunded. The books cannot record a capture in another currency: such an attempt
// ends as not charged, and its payer gets neither receipt nor letter. Any other attempt ends as approved and refunded.
func (p *Payments) endGivenBack(ctx context.Context, tx pgx.Tx, r db.Refund) (letter bool, err error) {
	queries := p.queries.WithTx(tx)
	a, err := queries.AttemptGet(ctx, *r.AttemptID)
	if err != nil {
		return false, err
	}
	var rows int64
	same := strings.TrimSpace(r.Currency) == a.Currency
	if same {
		captured := r.AmountMinor
		if captured == a.AmountMinor {
			captured = 0
		}
		rows, err = queries.AttemptApprove(ctx, db.AttemptApproveParams{
			ID: a.ID, ByPerson: true, Gateways: p.gatewayIDs(), CapturedMinor: captured,
		})
	} else {
		rows, err = queries.AttemptRefuse(ctx, db.AttemptRefuseParams{
			ID: a.ID, State: state.AttemptNotCharged, ByPerson: true, Gateways: p.gatewayIDs(), ErrorMsg: SaidGivenBack,
		})
	}
	switch {
	case err != nil:
		return false, err
	case rows == 0:
		return false, ErrNotManual
	}
	if !same {
		return false, nil
	}
	if err := queries.RefundBook(ctx, r.ID); err != nil {
		return false, err
	}
	_, err = queries.LedgerEntryGet(ctx, a.ID)
	if err == nil {
		return true, nil // nobody asked for this charge: it has no receipt
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return false, err
	}
	return true, receipt.Make(ctx, tx, p.cfg.Mail, a.ID, p.cfg.Descriptor(a.ShopCode))
}

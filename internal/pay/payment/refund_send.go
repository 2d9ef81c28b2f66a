package payment

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/tracing"
)

// sendRefund asks the gateway and records its answer. A repeated request with the same reference does not move the money twice.
func (p *Payments) sendRefund(ctx context.Context, r db.Refund) (db.Refund, error) {
	ctx = context.WithoutCancel(ctx)
	p.work.Add(1)
	defer p.work.Done()
	if p.Elsewhere(r.Gateway) {
		return r, ErrElsewhere
	}
	answer, err := p.askRefund(ctx, r)
	if err != nil {
		return r, err
	}
	log := p.log.With("refund", r.ID, "state", answer.State)
	if answer.Err != nil {
		log.WarnContext(ctx, "a refund at the gateway went wrong", "error", answer.Err)
	}
	switch {
	case errors.Is(answer.Err, ErrDisputed):
		_, err = p.queries.RefundManual(ctx, "the payment is disputed: its bank holds the money or has taken it", r.ID)
	case errors.Is(answer.Err, ErrInQuestion):
		_, err = p.queries.RefundManual(ctx, "the gateway's ledger and our books differ about the payment: see /staff/unmatched", r.ID)
	default:
		err = p.writeRefund(ctx, r, answer)
	}
	var broken *pgconn.PgError
	if errors.As(err, &broken) && (strings.HasPrefix(broken.Code, "22") || strings.HasPrefix(broken.Code, "23")) {
		// The database will refuse this answer every time, so a person has to look.
		log.ErrorContext(
			ctx, "the gateway's answer to a refund could not be stored: see forecourt payments",
			"code", broken.Code, "constraint", broken.ConstraintName,
		)
		var rows int64
		rows, err = p.queries.RefundManual(ctx, "the gateway's answer "+string(answer.State)+" could not be stored: "+broken.Code, r.ID)
		if err == nil && rows == 0 {
			p.stray(ctx, r)
		}
	}
	p.announce(r.ShopCode, r.TransactionID)
	if err != nil {
		return r, err
	}
	log.InfoContext(ctx, "refund")
	return p.queries.RefundGet(ctx, r.ID)
}

func (p *Payments) writeRefund(ctx context.Context, r db.Refund, answer gateway.RefundAnswer) error {
	switch answer.State {
	case state.RefundDone:
		return p.settleRefund(ctx, r, answer.RefundID)
	case state.RefundDeclined:
		return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
			_, err := p.declineRefund(ctx, tx, r.ID, false)
			return err
		})
	default:
		return p.queries.RefundDefer(ctx, answer.State == state.RefundPending, r.ID)
	}
}

// LetterRefund tells a payer about a refund; its data is RefundData.
const LetterRefund = "refund"

// RefundData is what LetterRefund needs.
type RefundData struct {
	Refund uuid.UUID `json:"refund"`
}

// settleRefund records that a refund was made and queues the letter about it: both or neither. Another process may have done so first. If
// nobody waits for the refund any more, because it was declined meanwhile or waits for a person, that person is told: the money has moved.
func (p *Payments) settleRefund(ctx context.Context, r db.Refund, refundid string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		rows, err := p.finishRefund(ctx, tx, r.ID, refundid, false)
		if err != nil || rows > 0 {
			return err
		}
		queries := p.queries.WithTx(tx)
		was, err := queries.RefundReopen(ctx, r.ID, refundid)
		if err == nil {
			p.log.ErrorContext(
				ctx, "the gateway made a refund that had ended or waits for a person: see forecourt payments", "refund", r.ID, "was", was,
			)
			return nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		now, err := queries.RefundGet(ctx, r.ID)
		if err == nil && now.State == state.RefundDeclined {
			p.stray(ctx, r)
		}
		return err
	})
}

// stray logs that the gateway made a refund which no longer counts here. Its ledger will say so, too.
func (p *Payments) stray(ctx context.Context, r db.Refund) {
	p.log.ErrorContext(ctx, "the gateway made a refund that had ended: see /staff/unmatched", "refund", r.ID)
}

// finishRefund is settleRefund within a transaction. It returns zero rows if the refund was decided before.
func (p *Payments) finishRefund(ctx context.Context, tx pgx.Tx, id uuid.UUID, refundid string, byPerson bool) (int64, error) {
	queries := p.queries.WithTx(tx)
	if err := queries.RefundLock(ctx, id); err != nil {
		return 0, err
	}
	rows, err := queries.RefundDone(ctx, refundid, id, byPerson)
	if err != nil || rows == 0 {
		return rows, err
	}
	r, err := queries.RefundGet(ctx, id)
	if err != nil {
		return rows, err
	}
	letter := true
	if r.AttemptID != nil {
		letter, err = p.endGivenBack(ctx, tx, r)
	}
	if err != nil || !letter || p.cfg.Mail == nil {
		return rows, err
	}
	return rows, p.cfg.Mail.Add(ctx, tx, mail.Request{Kind: LetterRefund, Key: "refund/" + id.String(), Data: RefundData{id}})
}

// declineRefund frees the reserved amount, within a transaction. It returns zero rows if the refund was decided before.
func (p *Payments) declineRefund(ctx context.Context, tx pgx.Tx, id uuid.UUID, byPerson bool) (int64, error) {
	queries := p.queries.WithTx(tx)
	if err := queries.RefundLock(ctx, id); err != nil {
		return 0, err
	}
	return queries.RefundDecline(ctx, id, byPerson)
}

// sweepRefunds resumes refunds that a crash or a silent gateway left open.
func (p *Payments) sweepRefunds(ctx context.Context) {
	free := cap(p.refundSlots) - len(p.refundSlots)
	if free == 0 || p.closing.Load() {
		return
	}
	leased, err := p.queries.RefundLease(ctx, p.lease().Seconds(), p.gatewayIDs(), int32(free)) //nolint:gosec // at most refundWorkers
	if err != nil {
		if ctx.Err() == nil {
			p.log.WarnContext(ctx, "the sweep of refunds failed", "error", err)
		}
		return
	}
	for _, r := range leased {
		p.inSlot(p.refundSlots, func() { p.resumeRefund(context.WithoutCancel(ctx), r) })
	}
}

// resumeRefund goes on with a refund, as a part of the request that began it.
func (p *Payments) resumeRefund(ctx context.Context, r db.Refund) {
	ctx, ended := p.cfg.Trace(tracing.Origin{Request: r.Request, Trace: r.Trace}.Resume(ctx), "resume refund")
	defer ended()
	if _, err := p.sendRefund(ctx, r); err != nil {
		p.log.WarnContext(ctx, "resuming a refund failed", "refund", r.ID, "error", err)
	}
}

// askRefund sends a refund, or sends it again, to its own gateway. It does not send one that the gateway may not have yet while the payment
// is disputed or in question: the payer would have the money twice.
func (p *Payments) askRefund(ctx context.Context, r db.Refund) (gateway.RefundAnswer, error) {
	if r.State != state.RefundPending {
		err := held(ctx, p.queries, r.TransactionID)
		switch {
		case errors.Is(err, ErrDisputed), errors.Is(err, ErrInQuestion):
			return gateway.RefundAnswer{State: state.RefundOpen, Err: err}, nil
		case err != nil:
			return gateway.RefundAnswer{}, err
		}
	}
	at := p.at(r.Gateway)
	if at == nil {
		return gateway.RefundAnswer{State: state.RefundOpen, Err: ErrElsewhere}, nil
	}
	transactionid, err := p.queries.RefundSend(ctx, r.ID)
	if err != nil {
		return gateway.RefundAnswer{}, err
	}
	return at.Refund(ctx, gateway.RefundRequest{
		TransactionID: transactionid, Amount: r.AmountMinor, Currency: strings.TrimSpace(r.Currency),
		Reference:  r.ID.String(),
		MerchantID: r.ShopCode, TestMode: r.TestMode,
	}), nil
}

package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
)

// book makes a charge or refund that a ledger lists ours, at the ledger's time and amount, and queues the letters about it: both or
// neither. Nothing is booked if its transaction does not take it. also is what else belongs to the same decision; it may be nil.
func (p *Payments) book(ctx context.Context, e db.LedgerEntry, also func(tx pgx.Tx, of uuid.UUID) error) (booked bool, err error) {
	var details db.CaptureBookParams
	if e.Kind == string(gateway.KindCapture) {
		details = p.details(ctx, e)
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		var rows int64
		var of uuid.UUID
		if e.Kind == string(gateway.KindCapture) {
			of, rows, err = p.bookCapture(ctx, tx, e, details)
		} else {
			of, rows, err = p.bookRefund(ctx, tx, e)
		}
		if booked = rows > 0; err == nil && booked && also != nil {
			err = also(tx, of)
		}
		return err
	})
	if err != nil || !booked {
		return false, err
	}
	t, err := p.queries.TransactionCapture(ctx, *e.TransactionID, "")
	if err == nil {
		p.announce(t.ShopCode, t.ID)
	}
	return true, err
}

// details asks the gateway for what its ledger does not say of a charge, such as the payer's address.
func (p *Payments) details(ctx context.Context, e db.LedgerEntry) (more db.CaptureBookParams) {
	at := p.at(&e.Gateway)
	if at == nil {
		return more
	}
	says := at.Look(ctx, gateway.Want{Reference: e.Reference, Amount: e.AmountMinor, Currency: e.Currency})
	if says.Outcome != gateway.Approved {
		return more
	}
	more = db.CaptureBookParams{
		Code: says.Code, CardLastFour: says.CardLastFour, BankTransactionNo: says.BankTransactionNo, GatewayReference: says.GatewayReference,
	}
	more.ConsumerName, more.ConsumerEmail = consumer(says.Response)
	return more
}

func (p *Payments) bookCapture(
	ctx context.Context, tx pgx.Tx, e db.LedgerEntry, c db.CaptureBookParams,
) (id uuid.UUID, rows int64, err error) {
	queries := p.queries.WithTx(tx)
	c.ID, c.TransactionID, c.AmountMinor, c.Currency = e.ID, *e.TransactionID, e.AmountMinor, e.Currency
	c.Transactionid, c.MovedAt, c.Gateway, c.Merchant, c.TestMode = e.Transactionid, e.At, e.Gateway, e.Merchant, *e.TestMode
	if id, err := uuid.Parse(e.Reference); err == nil {
		a, err := queries.AttemptGet(ctx, id)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && a.TransactionID == c.TransactionID && a.State.Refused() {
			c.ID = id
		}
	}
	rows, err = queries.CaptureBook(ctx, c)
	if err != nil || rows == 0 {
		return c.ID, rows, err
	}
	a, err := queries.AttemptGet(ctx, c.ID)
	if err != nil {
		return c.ID, rows, err
	}
	return c.ID, rows, receipt.Make(ctx, tx, p.cfg.Mail, c.ID, p.cfg.Descriptor(a.ShopCode))
}

func (p *Payments) bookRefund(ctx context.Context, tx pgx.Tx, e db.LedgerEntry) (id uuid.UUID, rows int64, err error) {
	queries := p.queries.WithTx(tx)
	id = e.ID
	if reference, err := uuid.Parse(e.Reference); err == nil {
		r, err := queries.RefundGet(ctx, reference)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && r.TransactionID == *e.TransactionID && r.State == state.RefundDeclined {
			id = reference
		}
	}
	rows, err = queries.RefundFromLedger(ctx, db.RefundFromLedgerParams{
		ID: id, TransactionID: *e.TransactionID, AmountMinor: e.AmountMinor, Currency: e.Currency, MovedAt: *e.At, Gateway: e.Gateway,
		Merchant: e.Merchant, TestMode: *e.TestMode,
	})
	if err != nil || rows == 0 || p.cfg.Mail == nil {
		return id, rows, err
	}
	return id, rows, p.cfg.Mail.Add(ctx, tx, mail.Request{Kind: LetterRefund, Key: "refund/" + id.String(), Data: RefundData{id}})
}

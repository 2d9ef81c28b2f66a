package payment

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/receipt"
)

// ErrOpen means that no restore has closed the database's payments.
var ErrOpen = fault.New(fault.Conflict, "payments are not closed")

// Import is the result of importing the gateway's ledger after a restore.
type Import struct {
	Captures, Refunds int // recorded
	// Waiting lists movements whose transaction has another attempt or refund open. Import again once that has ended.
	Waiting []Difference
	// Undecided lists payments of the backup that a gateway has accepted but not decided, and movements that are not readable.
	Undecided []Difference
	// Silent lists the gateways that do not report their undecided payments. Absent lists those that are not configured although the
	// backup's last payments went to them.
	Silent, Absent []string
	// Held says that the transactions of the backup stay closed, because a gateway may still charge an undecided payment or, if it is
	// silent or absent, one that we do not know.
	Held   bool
	People []Difference // what a person has to decide
}

// ImportLedger completes a restored database: it settles undecided payments at the gateway, records what the gateway moved since the
// backup, and opens payments again unless something waits. It may be called again. It first waits until requests of the earlier program can
// no longer be on their way, at most the gateway's timeout and 5 s. If a gateway may still charge for a transaction of the backup, those
// transactions are opened only with acceptUnknown. That is so if the gateway has not decided a payment, does not report its undecided
// payments, or is not configured. Errors: ErrOpen.
func (p *Payments) ImportLedger(ctx context.Context, by string, acceptUnknown bool) (Import, error) {
	restored, err := p.queries.RestoreOpen(ctx)
	if errors.Is(err, pgx.ErrNoRows) {
		return Import{}, ErrOpen
	}
	if err != nil {
		return Import{}, err
	}
	select {
	case <-time.After(time.Until(restored.RestoredAt.Add(p.cfg.Timeout + 5*time.Second))):
	case <-ctx.Done():
		return Import{}, ctx.Err()
	}
	// This comes before the ledger is read, so that the ledger includes what is charged meanwhile.
	var done Import
	if done.Absent, err = p.queries.GatewayAbsent(ctx, restored.RestoredAt, p.gatewayIDs()); err != nil {
		return Import{}, err
	}
	var entries []gateway.Entry
	for _, at := range p.gateways() {
		if err := p.settleUndecided(ctx, at, &done); err != nil {
			return Import{}, err
		}
		moved, err := at.Ledger(ctx, restored.BackupAt.Add(-slack), time.Now().Add(slack))
		if err != nil {
			return Import{}, err
		}
		entries = append(entries, moved...)
	}
	// Captures come first: a refund needs its capture.
	slices.SortStableFunc(entries, func(a, b gateway.Entry) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), a.At.Compare(b.At)) })
	for _, e := range entries {
		if e.Odd != "" { // what it moved is not known, so its transaction must not be paid or refunded
			done.Undecided = append(done.Undecided, Difference{e.Kind, e.Reference, e.TrxID, e.Odd, &e})
		}
	}
	unknown := len(done.Undecided)+len(done.Silent)+len(done.Absent) > 0
	done.Held = unknown && !acceptUnknown
	for _, e := range entries {
		if e.Amount == 0 {
			if err := p.unmatched(ctx, e, cmp.Or(e.Odd, "it moves no money"), &done); err != nil {
				return done, err
			}
			continue
		}
		bring := p.importCapture
		if e.Kind == gateway.KindRefund {
			bring = p.importRefund
		}
		if err := bring(ctx, e, &done); err != nil {
			return done, err
		}
	}
	if len(done.Waiting) > 0 {
		return done, nil
	}
	return done, pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		if _, err := queries.RestoreReopen(ctx, done.Held, restored.Newest); err != nil {
			return err
		}
		action := "import ledger"
		if unknown && acceptUnknown {
			action = "import ledger, accept unknown"
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by, Action: action, Subject: "restore", Reason: restored.BackupAt.UTC().Format(time.RFC3339),
		})
	})
}

// importCapture records one capture, unless the attempt is open here: the sweep settles that.
func (p *Payments) importCapture(ctx context.Context, e gateway.Entry, done *Import) error {
	id, err := uuid.Parse(e.Reference)
	if err != nil {
		return p.unmatched(ctx, e, "the reference is not one of ours", done)
	}
	known, err := p.queries.AttemptListByID(ctx, []uuid.UUID{id})
	switch {
	case err != nil:
		return err
	case len(known) > 0 && known[0].State.Refused() && !known[0].Moved:
		p.compare(ctx, id, gateway.Answer{Outcome: gateway.Approved, TransactionID: e.TransactionID})
		return p.unmatched(ctx, e, "it is "+string(known[0].State)+" here", done)
	case len(known) > 0:
		return nil
	}
	rows, err := p.recordCapture(ctx, id, e)
	if err == nil && rows > 0 {
		done.Captures++
		return p.announceTransaction(ctx, e.TrxID)
	}
	if err == nil || db.IsTaken(err) {
		return p.doubt(ctx, id, e, done)
	}
	return err
}

// recordCapture records a capture that only the gateway knows and queues its receipts: both or neither. The restore lost the payer's
// address, so recordCapture asks the gateway for it.
func (p *Payments) recordCapture(ctx context.Context, id uuid.UUID, e gateway.Entry) (rows int64, err error) {
	capture := db.CaptureImportParams{
		ID: id, TransactionID: e.TrxID, AmountMinor: e.Amount, Currency: e.Currency, Transactionid: e.TransactionID, MovedAt: &e.At,
		Gateway: e.Gateway,
	}
	says := p.at(&e.Gateway).Look(ctx, gateway.Want{Reference: e.Reference, Amount: e.Amount, Currency: e.Currency})
	if says.Outcome == gateway.Approved {
		capture.Code, capture.CardLastFour = says.Code, says.CardLastFour
		capture.BankTransactionNo, capture.GatewayReference = says.BankTransactionNo, says.GatewayReference
		capture.ConsumerName, capture.ConsumerEmail = consumer(says.Response)
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		rows, err = p.queries.WithTx(tx).CaptureImport(ctx, capture)
		if err != nil || rows == 0 {
			return err
		}
		paid, err := p.queries.WithTx(tx).AttemptGet(ctx, id)
		if err != nil {
			return err
		}
		return receipt.Make(ctx, tx, p.cfg.Mail, id, p.cfg.Descriptor(paid.ShopCode))
	})
	return rows, err
}

// doubt leaves a capture that does not fit its transaction to a person or to the next import.
func (p *Payments) doubt(ctx context.Context, id uuid.UUID, e gateway.Entry, done *Import) error {
	status, err := p.queries.TransactionStatus(ctx, e.TrxID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return p.unmatched(ctx, e, "there is no such transaction", done)
	case err != nil:
		return err
	case status == state.Processing:
		done.Waiting = append(done.Waiting, Difference{e.Kind, e.Reference, e.TrxID, "another payment of its transaction is open", &e})
		return nil
	}
	problem := "the gateway's ledger has " + money.Wire(e.Amount) + " " + e.Currency
	rows, err := p.queries.CaptureDoubt(ctx, db.CaptureDoubtParams{
		ID: id, TransactionID: e.TrxID, MovedAt: e.At, ErrorMsg: problem, Gateway: e.Gateway,
		Transactionid: e.TransactionID, ToldMinor: e.Amount, ToldCurrency: e.Currency})
	switch {
	case err != nil:
		return err
	case rows == 0:
		return p.unmatched(ctx, e, "another attempt paid the transaction", done)
	}
	done.People = append(done.People, Difference{e.Kind, e.Reference, e.TrxID, problem, &e})
	return p.announceTransaction(ctx, e.TrxID)
}

// importRefund opens a refund with the gateway's reference. The sweep then finds out how it ended.
func (p *Payments) importRefund(ctx context.Context, e gateway.Entry, done *Import) error {
	id, err := uuid.Parse(e.Reference)
	if err != nil {
		return p.unmatched(ctx, e, "the reference is not one of ours", done)
	}
	if known, err := p.queries.RefundKnown(ctx, id); err != nil || known {
		return err
	}
	rows, err := p.queries.RefundImport(ctx, db.RefundImportParams{
		ID: id, TransactionID: e.TrxID, AmountMinor: e.Amount, Currency: e.Currency, MovedAt: e.At, Gateway: e.Gateway,
	})
	switch {
	case db.IsTaken(err):
		done.Waiting = append(done.Waiting, Difference{e.Kind, e.Reference, e.TrxID, "another refund of its transaction is open", &e})
		return nil
	case err != nil:
		return err
	case rows == 0:
		return p.unmatched(ctx, e, "it is more than is left of a payment here", done)
	}
	done.Refunds++
	p.wake()
	return nil
}

// unmatched leaves a movement that matches no record here to a person.
func (p *Payments) unmatched(ctx context.Context, e gateway.Entry, problem string, done *Import) error {
	if _, err := p.addUnmatched(ctx, e, problem); err != nil {
		return err
	}
	done.People = append(done.People, Difference{e.Kind, e.Reference, e.TrxID, problem, &e})
	return nil
}

func (p *Payments) announceTransaction(ctx context.Context, id string) error {
	t, err := p.queries.TransactionCapture(ctx, id, "")
	if err != nil {
		return err
	}
	p.announce(t.ShopCode, id)
	return nil
}

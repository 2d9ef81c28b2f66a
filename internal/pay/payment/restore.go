package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
)

// slack is how far apart the gateway's time and our own time of the same movement may be.
const slack = 24 * time.Hour

// ErrOpen means that no restore has closed the database's payments.
var ErrOpen = fault.New(fault.Conflict, "payments are not closed")

// Import is the result of importing the gateway's ledger after a restore. The strings say what an entry is about.
type Import struct {
	Captures, Refunds int // recorded
	// Waiting lists movements whose transaction has another attempt or refund open. Import again once that has ended.
	Waiting []string
	// Undecided lists payments of the backup that a gateway has accepted but not decided, and movements that are not readable.
	Undecided []string
	// Silent lists the gateways that do not report their undecided payments. Absent lists those that are not configured although the
	// backup's last payments went to them.
	Silent, Absent []string
	// Held says that the transactions of the backup stay closed, because a gateway may still charge an undecided payment or, if it is
	// silent or absent, one that we do not know.
	Held   bool
	People []db.CaseListRow // what a person has to decide
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
	for _, at := range p.gateways() {
		if err := p.settleUndecided(ctx, at, &done); err != nil {
			return Import{}, err
		}
	}
	since := restored.BackupAt.Add(-slack)
	if err := p.ledger.Read(ctx, "", since, time.Now().Add(slack)); err != nil {
		return Import{}, err
	}
	odd, err := p.queries.LedgerOdd(ctx, restored.RestoredAt)
	if err != nil {
		return Import{}, err
	}
	for _, e := range odd { // what it moved is not known, so its transaction must not be paid or refunded
		done.Undecided = append(done.Undecided, about(e, e.Odd))
	}
	unknown := len(done.Undecided)+len(done.Silent)+len(done.Absent) > 0
	done.Held = unknown && !acceptUnknown
	waits := map[string]bool{}
	if err := p.importEntries(ctx, since, &done, waits); err != nil {
		return done, err
	}
	done.People, err = p.queries.CaseList(ctx, db.CaseListParams{AllTimes: true, AtMost: maxPeople})
	if err != nil {
		return done, err
	}
	done.People = slices.DeleteFunc(done.People, func(c db.CaseListRow) bool { return waits[c.Subject] })
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

// maxPeople is how many cases an import names.
const maxPeople = 10_000

// about says what an entry of a ledger is about.
func about(e db.LedgerEntry, problem string) string {
	return fmt.Sprintf("%-8s %s  %s  %s", e.Kind, e.Reference, e.TrxID, problem)
}

// importEntries books what only the gateways' ledgers have, charges first: a refund needs its charge. A charge of another amount than its
// transaction's, and a refund of more than is left, wait for a person. It adds transactions with an open attempt to waits.
func (p *Payments) importEntries(ctx context.Context, since time.Time, done *Import, waits map[string]bool) error {
	for _, kind := range []gateway.Kind{gateway.KindCapture, gateway.KindRefund} {
		entries, err := p.queries.CaseImportable(ctx, &since)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Kind != string(kind) {
				continue
			}
			t, err := p.queries.CaseTransaction(ctx, *e.TransactionID)
			if err != nil {
				return err
			}
			switch {
			case kind == gateway.KindCapture && (e.AmountMinor != t.Transaction.AmountMinor || t.Transaction.ApprovedAttempt != nil),
				kind == gateway.KindRefund && e.AmountMinor > t.Position.CapturedMinor-t.Transaction.RefundedMinor:
				continue
			case t.Transaction.Status == state.Processing:
				waits[*e.TransactionID] = true
				done.Waiting = append(done.Waiting, about(e, "another payment of its transaction is open"))
				continue
			}
			booked, err := p.book(ctx, e, nil)
			switch {
			case err != nil && !db.IsTaken(err):
				return err
			case err != nil || !booked:
			case kind == gateway.KindCapture:
				done.Captures++
			default:
				done.Refunds++
			}
		}
	}
	return nil
}

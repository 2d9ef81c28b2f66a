package payment

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/people/review"
)

// The ways in which a person ends a difference between a gateway's ledger and our books, with EndGivenBack.
const (
	EndBook    End = "book"    // the ledger's charge or refund becomes ours
	EndCorrect End = "correct" // our amount becomes the ledger's
	EndAccept  End = "accept"  // both sides stay as they are
)

// ErrNotBooked means that the transaction does not take what a person wants to book or correct.
var ErrNotBooked = fault.New(fault.Conflict, "the transaction does not take it")

// ErrNotOurs means that the charge names no business of ours, or has an amount or a currency that no payment here can have, so it can be
// given back only at the gateway.
var ErrNotOurs = fault.New(fault.Conflict, "the charge is not of a business of ours")

// MoneyCase is a transaction about which a gateway's ledger and our books differ, or an entry of a ledger about none.
type MoneyCase struct {
	Transaction *db.CaseTransactionRow // nil: Entry is about none
	Differences []db.Difference        // they are decided one after the other; none: the case is decided
	Entry       *db.LedgerEntry        // the ledger's of the first difference; nil: it lacks one
	Entries     []db.LedgerEntry       // all that the ledgers list about the transaction
	Ends        []End                  // of the first difference
	History     []review.Event
}

// MoneyCase returns the case of a transaction's or entry's id. Errors: fault.NotFound.
func (p *Payments) MoneyCase(ctx context.Context, subject string) (c MoneyCase, err error) {
	row, err := p.queries.CaseTransaction(ctx, subject)
	switch {
	case err == nil:
		c.Transaction, c.Differences = &row, row.Transaction.Differences
		if c.Entries, err = p.queries.LedgerEntries(ctx, subject); err != nil {
			return c, err
		}
		if len(c.Differences) > 0 && c.Differences[0].Entry != nil {
			i := slices.IndexFunc(c.Entries, func(e db.LedgerEntry) bool { return e.ID == *c.Differences[0].Entry })
			if i >= 0 {
				c.Entry = &c.Entries[i]
			}
		}
	case !errors.Is(err, pgx.ErrNoRows):
		return c, err
	default:
		id, invalid := uuid.Parse(subject)
		e, err := p.queries.LedgerEntryGet(ctx, id)
		if invalid != nil || errors.Is(err, pgx.ErrNoRows) {
			return c, fault.New(fault.NotFound, "no such case")
		}
		if err != nil {
			return c, err
		}
		c.Entry, c.Entries = &e, []db.LedgerEntry{e}
		if e.Problem != "" {
			c.Differences = []db.Difference{{Entry: &e.ID, Code: e.Kind, Says: e.Problem}}
			if e.Odd != "" {
				c.Differences[0].Code = "odd"
			}
		}
	}
	c.Ends = c.ends()
	c.History, err = review.History(ctx, p.queries, subject)
	return c, err
}

// Seen tells the first difference of a case from others in the same words. A decision comes with that of the case which the person saw.
func (c MoneyCase) Seen() string {
	if len(c.Differences) == 0 {
		return ""
	}
	if d := c.Differences[0]; d.Entry != nil {
		return d.Says + " " + d.Entry.String()
	}
	return c.Differences[0].Says
}

// Undecided reports whether the first difference is about a refund or a dispute of a payment that has to be decided first.
func (c MoneyCase) Undecided() bool {
	return c.Transaction != nil && c.Entry != nil && c.Entry.Odd == "" && c.Transaction.Transaction.Status == state.Processing &&
		(c.Entry.Kind == string(gateway.KindRefund) || c.Entry.Kind == string(gateway.KindDispute))
}

// ends returns what can be done about the first difference.
func (c MoneyCase) ends() []End {
	if len(c.Differences) == 0 {
		return nil
	}
	only := []End{EndAccept}
	if c.Entry == nil {
		return only
	}
	code := c.Differences[0].Code
	switch {
	case c.Undecided():
		return nil
	case code == "amount" && c.Entry.Kind == string(gateway.KindCapture) &&
		c.Transaction.Transaction.RefundedMinor-c.Transaction.Transaction.RefundedThereMinor > c.Entry.AmountMinor:
		return only // we sent back more than was charged
	case code == "amount":
		return []End{EndCorrect, EndAccept}
	case (code == "capture" || code == "again") && c.Entry.Kind == string(gateway.KindCapture):
		if c.Transaction != nil && code == "capture" && c.Transaction.Transaction.ApprovedAttempt == nil &&
			c.Transaction.Transaction.Currency == c.Entry.Currency && c.Transaction.Transaction.Status != state.Processing {
			return []End{EndBook, EndGivenBack, EndAccept}
		}
		return []End{EndGivenBack, EndAccept}
	case (code == "refund" || code == "again") && c.Transaction != nil && c.Transaction.Transaction.ApprovedAttempt != nil &&
		c.Transaction.Transaction.Currency == c.Entry.Currency:
		return []End{EndBook, EndAccept}
	}
	return only
}

// DecideMoney ends the first difference of a case, of which d.Seen is what Seen returned, and records who did it and why. Errors:
// fault.NotFound, those of review.Check, review.ErrDecided if the case has changed, ErrNotBooked, ErrOtherCapture; with EndGivenBack
// ErrNotOurs, ErrOtherRefund if a part was refunded at the gateway, and those of giveBack.
func (p *Payments) DecideMoney(ctx context.Context, subject string, d Decision) error {
	if err := d.Proof.Check(); err != nil {
		return err
	}
	c, err := p.MoneyCase(ctx, subject)
	if err != nil {
		return err
	}
	choices := make([]review.Choice[End], len(c.Ends))
	for i, end := range c.Ends {
		choices[i] = review.Choice[End]{State: end, Why: sayWhy}
	}
	if len(c.Differences) == 0 {
		return review.ErrDecided
	}
	if d.Reason, err = review.Check(choices, d.End, d.Reason); err != nil {
		return err
	}
	if d.Seen != c.Seen() {
		return review.ErrDecided
	}
	d.Subject = subject
	record := func(tx pgx.Tx, of uuid.UUID) error {
		queries := p.queries.WithTx(tx)
		d.Of = of
		err := queries.AuditAdd(ctx, db.AuditAddParams{Actor: d.By, Action: "money " + string(d.End), Subject: subject, Reason: d.Reason})
		if err != nil {
			return err
		}
		return p.tellStaff(ctx, tx, d, decided{Says: c.Differences[0].Says})
	}
	switch d.End {
	case EndBook:
		booked, err := p.book(ctx, *c.Entry, record)
		if db.IsTaken(err, "attempt_capture") {
			return ErrOtherCapture
		}
		if err == nil && !booked {
			if now, err := p.MoneyCase(ctx, subject); err == nil && now.Seen() != d.Seen {
				return review.ErrDecided // by somebody else at the same time
			}
			return ErrNotBooked
		}
		return err
	case EndCorrect:
		return p.correct(ctx, *c.Entry, record)
	case EndGivenBack:
		return p.returnCharge(ctx, c, d)
	default:
		return p.accept(ctx, subject, c, record)
	}
}

// accept leaves a difference as it is: it counts no more.
func (p *Payments) accept(ctx context.Context, subject string, c MoneyCase, record func(pgx.Tx, uuid.UUID) error) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		var of uuid.UUID
		entry := ""
		if id := c.Differences[0].Entry; id != nil {
			of, entry = *id, id.String()
		}
		err := queries.DifferenceAccept(ctx, subject, entry, c.Differences[0].Says)
		if err == nil {
			err = p.closeCharged(ctx, queries, c)
		}
		if err != nil {
			return err
		}
		if c.Transaction == nil {
			err = queries.LedgerEntryAccept(ctx, of)
		} else {
			err = queries.TransactionJudge(ctx, subject)
		}
		if err != nil {
			return err
		}
		return record(tx, of)
	})
}

// closeCharged keeps a transaction from being paid whose charge will not count here: its payer would pay twice.
func (p *Payments) closeCharged(ctx context.Context, queries *db.Queries, c MoneyCase) error {
	if c.Transaction == nil || c.Entry == nil || c.Entry.Kind != string(gateway.KindCapture) {
		return nil
	}
	return queries.TransactionClose(ctx, SaidUnconfirmed, c.Transaction.Transaction.ID)
}

// correct makes our amount of a charge or refund the ledger's.
func (p *Payments) correct(ctx context.Context, e db.LedgerEntry, record func(pgx.Tx, uuid.UUID) error) error {
	of, err := uuid.Parse(e.Reference)
	if err != nil {
		of = e.ID
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		var rows int64
		var err error
		if e.Kind == string(gateway.KindRefund) {
			rows, err = queries.RefundCorrect(ctx, of, e.Currency, e.AmountMinor)
		} else {
			rows, err = queries.CaptureCorrect(ctx, e.AmountMinor, of, e.Currency)
		}
		if err == nil && rows == 0 {
			err = ErrNotBooked
		}
		if err != nil {
			return err
		}
		return record(tx, of)
	})
	if db.Refusal(err) != "" { // more is refunded than the ledger says was charged
		return ErrNotBooked
	}
	return err
}

// returnCharge gives back a charge that does not count here. It gets a transaction of its own, so that the books have it and its refund.
func (p *Payments) returnCharge(ctx context.Context, c MoneyCase, d Decision) error {
	e := *c.Entry
	if e.Transactionid == "" {
		return ErrNoCaptureID
	}
	if p.at(&e.Gateway) == nil {
		return ErrElsewhere
	}
	if slices.ContainsFunc(c.Entries, func(b db.LedgerEntry) bool {
		return b.Kind == string(gateway.KindRefund) && b.Transactionid == e.Transactionid
	}) {
		return ErrOtherRefund // what is left has to go back in the same way
	}
	if disputed, err := p.queries.DisputeListed(ctx, e.Gateway, e.Reference); err != nil || disputed {
		return cmp.Or(err, error(ErrDisputed))
	}
	trx := uuid.NewString()
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		rows, err := queries.CaptureStray(ctx, &trx, e.ID, "A charge that is given back")
		switch {
		case err != nil:
			return err
		case rows == 0:
			return ErrNotOurs
		}
		if _, err := queries.CaptureOwner(ctx, e.Transactionid, e.ID); !errors.Is(err, pgx.ErrNoRows) {
			if err == nil {
				err = ErrOtherCapture // the refund would take the other payment's money
			}
			return err
		}
		if err := p.closeCharged(ctx, queries, c); err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: d.By, Action: "money given_back", Subject: d.Subject, Reason: d.Reason})
	})
	switch {
	case db.IsTaken(err): // a moment ago
		return review.ErrDecided
	case db.Refusal(err) != "":
		return ErrNotOurs
	case err != nil:
		return err
	}
	a, err := p.queries.AttemptGet(ctx, e.ID)
	if err != nil {
		return err
	}
	d.Of = a.ID
	return p.giveBack(ctx, a, d, Answer{Answer: gateway.Answer{
		Outcome: gateway.Approved, Charged: true, TransactionID: e.Transactionid, Amount: e.AmountMinor, Currency: e.Currency,
	}})
}

package settlement

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/account"
)

// add records a payout with all its movements, unless it is already known. One that is odd is never booked.
func (s *Settlement) add(ctx context.Context, queries *db.Queries, p db.LedgerEntry) error {
	if p.Odd != "" {
		return nil
	}
	number, err := queries.PayoutAdd(ctx, db.PayoutAddParams{
		Gateway: p.Gateway, ID: p.Reference, ShopCode: p.Merchant, Currency: p.Currency, TestMode: *p.TestMode,
		GrossMinor: p.GrossMinor, FeesMinor: p.FeesMinor, NetMinor: p.AmountMinor, PaidAt: *p.At, ReferenceList: p.Lines,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := queries.PayoutLineAdd(ctx, number, p.Lines); err != nil {
		return err
	}
	return place(ctx, queries, number)
}

// place finds the movements of a payout, and rates its fees by them.
func place(ctx context.Context, queries *db.Queries, number int64) error {
	if err := queries.PayoutPlace(ctx, number); err != nil {
		return err
	}
	return rate(ctx, queries, number)
}

// ErrNoDoubt means that Findings does not list a payout.
var ErrNoDoubt = fault.New(fault.Conflict, "the payout is not listed")

// AcceptPayout accepts the payout with a number as it is, so that Findings no longer lists it, and records who did it and why. Errors:
// account.ErrUnproved, ErrNoDoubt.
func (s *Settlement) AcceptPayout(ctx context.Context, number int64, by, reason string, proof account.Proof) error {
	if err := proof.Check(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		rows, err := queries.PayoutAccept(ctx, number)
		if err != nil {
			return err
		}
		if rows == 0 {
			return ErrNoDoubt
		}
		p, err := queries.PayoutGet(ctx, number)
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: "accept payout", Subject: subjectOf(p.Payout), Reason: reason})
	})
}

// placeAgain looks again for the movements that match nothing: an import after a restore may have added them, or a dispute may have become
// known.
func (s *Settlement) placeAgain(ctx context.Context) error {
	payouts, err := s.queries.PayoutListUnplaced(ctx)
	if err != nil {
		return err
	}
	for _, number := range payouts {
		if err := place(ctx, s.queries, number); err != nil {
			return err
		}
	}
	return nil
}
